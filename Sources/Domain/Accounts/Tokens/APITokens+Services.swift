public import Cryptography
public import Forms
public import Shared

/// Tokens and secrets of service accounts, which their institutions make.
extension APITokens {
    /// The lasting tokens, or the secrets, of an institution's service account, in the order in which they were made;
    /// `StoreError.notFound` for any other account.
    public func list(
        _ kind: APIToken.Kind, of account: AccountID, in institution: InstitutionID
    ) async throws -> [APIToken] {
        guard let found = try await store.account(account), found.service?.institution == institution,
            !found.isDisabled
        else { throw StoreError.notFound }
        return try await store.apiTokens(of: account).filter { $0.kind == kind }
    }

    /// Makes a lasting token of an institution's service account.
    ///
    /// - Returns: the token, and its secret, which is shown only this once.
    /// - Throws: `StoreError.notFound` for any other account.
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

    /// Makes a secret of an institution's service account.
    ///
    /// - Returns: the secret as it is kept, and its text, which is shown only this once.
    /// - Throws: `StoreError.notFound` for any other account.
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

    /// Ends a lasting token, or a secret with the access tokens that were given for it; `StoreError.notFound` for one that
    /// the institution's service account does not have.
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

    /// The service account of an identifier, with the secret that it has shown; `nil` for a secret that is not its own or
    /// has ended.
    public func client(_ id: AccountID, showing secret: SecretToken) async throws -> TokenStanding? {
        guard let standing = try await store.apiToken(secret.digest), standing.token.kind == .secret,
            standing.account.id == id, clock.now < standing.token.expiresAt, !standing.account.isDisabled
        else { return nil }
        return standing
    }

    /// Gives a service account an access token for a secret that it has shown.
    ///
    /// - Parameter scopes: what is asked for; `nil` for all that the service account may have.
    /// - Throws: `StoreError.notFound` when the secret has ended meanwhile, ``ScopeExceeded`` for more than the service
    ///   account may have.
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

/// A program asks for a scope that its service account does not have.
public struct ScopeExceeded: Error, Equatable, Sendable {
    /// What is thrown.
    public init() {}
}
