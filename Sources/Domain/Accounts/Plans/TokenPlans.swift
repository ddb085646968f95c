package import Cryptography
import JSON
import Messages
package import Shared

/// Plans the writes of API tokens from the rows that the store found.
package enum TokenPlans {
    /// Returns the factors shown in a session; throws `StoreError.notFound` if it has ended.
    package static func factors(
        shownIn session: SessionID, of situation: TokenSituation
    ) throws(StoreError) -> ShownFactors {
        guard let session = situation.sessions.first(where: { $0.id == session }) else { throw .notFound }
        return session.factors
    }

    /// Throws `StoreError.notFound` unless the account is a service account of the institution.
    package static func requireService(of institution: InstitutionID, _ situation: TokenSituation) throws(StoreError) {
        guard situation.account.service?.institution == institution else { throw .notFound }
    }

    /// Plans a new token or secret.
    ///
    /// - Throws: `StoreError.notFound` if the account is disabled; `FaultList` if it has the maximum number of tokens,
    ///   or if the service account does not have a scope.
    package static func creation(
        of token: APIToken, digest: TokenDigest, in situation: TokenSituation, by act: AuditContext
    ) throws -> AccountPlan<APIToken> {
        guard !situation.account.isDisabled else { throw StoreError.notFound }
        if let service = situation.account.service, !token.scopes.isSubset(of: service.scopes) {
            throw FaultList([Fault(.serviceScopeRefused, at: "/scopes")])
        }
        let others = situation.tokens.filter { $0.kind == token.kind && act.at < $0.expiresAt }
        guard others.count < APIToken.capacity else {
            throw FaultList([Fault(.tokenLimit, at: "", ["max": .number(String(APIToken.capacity))])])
        }
        return AccountPlan(
            under: act.grounds, [.apiToken(.insert(token, digest: digest))],
            audit: [entry(token.kind == .secret ? "secret.created" : "token.created", token, in: situation, by: act)],
            value: token)
    }

    /// Plans to remove a token, or a secret with the access tokens issued for it.
    package static func removal(
        of id: APITokenID, _ kind: APIToken.Kind = .lasting, in situation: TokenSituation, by act: AuditContext
    ) throws(StoreError) -> AccountPlan<Void> {
        guard let token = situation.tokens.first(where: { $0.id == id && $0.kind == kind }) else { throw .notFound }
        let gone = [token] + situation.tokens.filter { $0.granter == id }
        return AccountPlan(
            under: act.grounds, gone.map { .apiToken(.remove($0.id)) },
            audit: [entry(kind == .secret ? "secret.ended" : "token.ended", token, in: situation, by: act)],
            voided: [.account(token.account)], events: gone.map { .tokenEnded($0.id) })
    }

    /// Creates an access token for a secret. It has the networks of the secret and does not outlast it.
    ///
    /// - Throws: `StoreError.notFound` if the secret does not exist or has expired, ``ScopeExceeded``.
    package static func accessToken(
        _ id: APITokenID, _ scopes: Set<Scope>?, for secret: APITokenID, in situation: TokenSituation,
        at now: Timestamp
    ) throws -> APIToken {
        guard let service = situation.account.service, !situation.account.isDisabled,
            let secret = situation.tokens.first(where: { $0.id == secret && $0.kind == .secret }),
            now < secret.expiresAt
        else { throw StoreError.notFound }
        let scopes = scopes ?? service.scopes
        guard scopes.isSubset(of: service.scopes) else { throw ScopeExceeded() }
        return APIToken(
            id: id, account: situation.account.id, kind: .access, name: secret.name, scopes: scopes,
            networks: secret.networks, granter: secret.id, createdAt: now,
            expiresAt: min(now.adding(seconds: APIToken.accessLife), secret.expiresAt))
    }

    /// Plans to issue an access token. Removes expired ones, and the oldest of the same secret beyond
    /// ``APIToken/accessCapacity``.
    package static func grant(
        of token: APIToken, digest: TokenDigest, in situation: TokenSituation, by act: AuditContext
    ) -> AccountPlan<APIToken> {
        let earlier = situation.tokens.filter { $0.kind == .access }.sorted { $0.createdAt < $1.createdAt }
        let holding = earlier.filter { act.at < $0.expiresAt && $0.granter == token.granter }
        let ended = holding.dropLast(APIToken.accessCapacity - 1)
        let gone = earlier.filter { $0.expiresAt <= act.at } + ended
        return AccountPlan(
            gone.map { .apiToken(.remove($0.id)) } + [.apiToken(.insert(token, digest: digest))]
                + (token.granter.map { [.apiToken(.noteUse($0, at: act.at))] } ?? []),
            audit: [entry("token.granted", token, in: situation, by: act)],
            voided: ended.isEmpty ? [] : [.account(token.account)], events: ended.map { .tokenEnded($0.id) },
            value: token)
    }

    /// Plans to store when a token was used. The time never goes back, and a token that has ended stays so.
    package static func touch(_ id: APITokenID, at moment: Timestamp, in situation: TokenSituation) -> AccountPlan<Void>
    {
        guard let token = situation.tokens.first(where: { $0.id == id }),
            token.usedAt.map({ $0 < moment }) ?? true
        else { return AccountPlan([]) }
        return AccountPlan([.apiToken(.noteUse(id, at: moment))])
    }

    /// Returns the audit row; that of a service account belongs to its institution's trail.
    private static func entry(
        _ action: String, _ token: APIToken, in situation: TokenSituation, by act: AuditContext
    ) -> AuditEntry {
        act.entry(
            action, of: token.account.text, in: situation.account.service?.institution, detail: token.auditText)
    }
}
