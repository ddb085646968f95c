public import Accounts
public import Cryptography
public import Forms
public import Shared

/// The tokens and secrets of service accounts, which their institutions create.
extension APITokens {
    /// Returns the tokens of a kind of an institution's service account, in the order of their creation; throws
    /// `StoreError.notFound` for any other account.
    public func list(
        _ kind: APIToken.Kind, of account: AccountID, in institution: InstitutionID
    ) async throws -> [APIToken] {
        guard let found = try await store.account(account), found.service?.institution == institution,
            !found.isDisabled
        else { throw StoreError.notFound }
        return try await store.apiTokens(of: account).filter { $0.kind == kind }
    }

    /// Creates a lasting token for an institution's service account.
    ///
    /// - Parameter network: Reads an address or a network and returns it as CIDR; `nil` if it is neither.
    /// - Returns: The token, and its secret, which is shown only once.
    /// - Throws: `StoreError.notFound` for any other account; `FaultList`.
    public func create(
        _ input: FormInput<TokenRequest>, for account: AccountID, in institution: InstitutionID, by act: AuditContext,
        network: @Sendable (String) -> String?
    ) async throws -> (token: APIToken, secret: SecretToken) {
        var form = input.form
        let request = input.value
        let networks = Self.networks(request.networks, &form, read: network)
        try form.finish()
        return try await make(
            .lasting, named: request.name, request.scopes, from: networks, days: request.days, for: account,
            in: institution,
            by: act)
    }

    /// Creates a secret for an institution's service account.
    ///
    /// - Parameter network: Reads an address or a network and returns it as CIDR; `nil` if it is neither.
    /// - Returns: The secret as it is stored, and its text, which is shown only once.
    /// - Throws: `StoreError.notFound` for any other account; `FaultList`.
    public func createSecret(
        _ input: FormInput<SecretRequest>, for account: AccountID, in institution: InstitutionID, by act: AuditContext,
        network: @Sendable (String) -> String?
    ) async throws -> (token: APIToken, secret: SecretToken) {
        var form = input.form
        let request = input.value
        let networks = Self.networks(request.networks, &form, read: network)
        try form.finish()
        return try await make(
            .secret, named: request.name, [], from: networks, days: request.days, for: account, in: institution,
            by: act)
    }

    private func make(
        _ kind: APIToken.Kind, named name: String?, _ scopes: Set<Scope>, from networks: [String], days: Int?,
        for account: AccountID, in institution: InstitutionID, by act: AuditContext
    ) async throws -> (token: APIToken, secret: SecretToken) {
        let life = Int64(days ?? APIToken.usualLife)
        let token = APIToken(
            id: APITokenID(identifiers.next()), account: account, kind: kind, name: name ?? "", scopes: scopes,
            networks: networks, createdAt: act.at, expiresAt: act.at.adding(seconds: life * 86_400))
        let secret = SecretToken(random: random)
        let made = try await store.changeAPITokens(of: account) { situation in
            try TokenPlans.requireService(of: institution, situation)
            return try TokenPlans.creation(of: token, digest: secret.digest, in: situation, by: act)
        }
        return (made, secret)
    }

    /// Ends a lasting token, or a secret with the access tokens issued for it; throws `StoreError.notFound` if the
    /// institution's service account has no such token.
    public func end(
        _ id: APITokenID, _ kind: APIToken.Kind, of account: AccountID, in institution: InstitutionID,
        by act: AuditContext
    ) async throws {
        try await store.changeAPITokens(of: account) { situation in
            try TokenPlans.requireService(of: institution, situation)
            return try TokenPlans.removal(of: id, kind, in: situation, by: act)
        }
    }

    // MARK: OAuth 2

    /// Returns the service account with an identifier and its secret; `nil` if the secret is not its own or has
    /// expired.
    public func client(_ id: AccountID, showing secret: SecretToken) async throws -> TokenStanding? {
        guard let standing = try await store.apiToken(secret.digest), standing.token.kind == .secret,
            standing.account.id == id, clock.now < standing.token.expiresAt, !standing.account.isDisabled
        else { return nil }
        return standing
    }

    /// Issues an access token for a secret that a service account has shown.
    ///
    /// - Parameter scopes: The requested scopes; `nil` for all of the service account.
    /// - Throws: `StoreError.notFound` if the secret has ended in the meantime, ``ScopeExceeded`` if the service
    ///   account does not have a scope.
    public func grant(
        _ scopes: Set<Scope>?, for secret: APITokenID, of account: AccountID, by act: AuditContext
    ) async throws -> (token: APIToken, secret: SecretToken) {
        let (id, text) = (APITokenID(identifiers.next()), SecretToken(random: random))
        let token = try await store.changeAPITokens(of: account) { situation in
            let token = try TokenPlans.accessToken(id, scopes, for: secret, in: situation, at: act.at)
            return TokenPlans.grant(of: token, digest: text.digest, in: situation, by: act)
        }
        return (token, text)
    }
}
