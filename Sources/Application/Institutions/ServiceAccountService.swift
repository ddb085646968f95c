public import Accounts
public import Cryptography
public import Forms
public import Institutions
public import Shared

/// The service accounts of institutions with their secrets and tokens, for registrars, who manage them, and
/// administrators, who may list and end them. Institutions are named by their identifier or slug; one that the caller
/// may not know is `not_found`.
///
/// What a request contains is read only once its sender is known to be allowed.
public struct ServiceAccountService: Sendable {
    let serviceAccounts: ServiceAccounts
    let tokens: APITokens
    let access: InstitutionAccess

    /// Returns an institution's service accounts in the order of their creation.
    public func list(of institution: String, for context: AccountContext) async throws -> [ServiceAccount] {
        let permit = try await access.permit(to: May.Oversee.self, in: institution, for: context.principal)
        return try await serviceAccounts.list(of: permit.institution.id)
    }

    /// Creates a service account, which has no secret and no token yet.
    public func create(
        _ input: @autoclosure () async throws -> FormInput<ServiceAccountCreation>, in institution: String,
        by context: AccountContext
    ) async throws -> ServiceAccount {
        let permit = try await managing(institution, context)
        return try await serviceAccounts.create(
            await input(), in: permit.institution.id, by: context.audit(under: permit))
    }

    /// Changes a service account; throws `StoreError.notFound` if it is not the institution's.
    public func edit(
        _ id: AccountID, in institution: String,
        to input: @autoclosure () async throws -> FormInput<ServiceAccountChange>, by context: AccountContext
    ) async throws -> ServiceAccount {
        let permit = try await managing(institution, context)
        return try await serviceAccounts.edit(
            await input(), of: id, in: permit.institution.id, by: context.audit(under: permit))
    }

    /// Ends a service account with its secrets and tokens; throws `StoreError.notFound` if it is not the institution's.
    public func end(_ id: AccountID, of institution: String, by context: AccountContext) async throws {
        let permit = try await access.permit(to: May.Oversee.self, in: institution, for: context.principal)
        try await serviceAccounts.end(id, of: permit.institution.id, by: context.audit(under: permit))
    }

    /// Returns a service account's tokens of a kind in the order of their creation, including recently expired ones.
    public func tokens(
        _ kind: APIToken.Kind, of account: AccountID, in institution: String, for context: AccountContext
    ) async throws -> [APIToken] {
        let permit = try await managing(institution, context)
        return try await tokens.list(kind, of: account, in: permit.institution.id)
    }

    /// Creates a secret of a service account.
    ///
    /// - Parameter network: Reads an address or a network and returns it as CIDR; `nil` if it is neither.
    /// - Returns: The secret as it is stored, and its text, which is shown only once.
    public func createSecret(
        _ input: @autoclosure () async throws -> FormInput<SecretRequest>, for account: AccountID,
        in institution: String, by context: AccountContext, network: @Sendable (String) -> String?
    ) async throws -> (token: APIToken, secret: SecretToken) {
        let permit = try await managing(institution, context)
        return try await tokens.createSecret(
            await input(), for: account, in: permit.institution.id, by: context.audit(under: permit), network: network)
    }

    /// Creates a lasting token of a service account.
    ///
    /// - Parameter network: Reads an address or a network and returns it as CIDR; `nil` if it is neither.
    /// - Returns: The token, and its secret, which is shown only once.
    public func createToken(
        _ input: @autoclosure () async throws -> FormInput<TokenRequest>, for account: AccountID,
        in institution: String, by context: AccountContext, network: @Sendable (String) -> String?
    ) async throws -> (token: APIToken, secret: SecretToken) {
        let permit = try await managing(institution, context)
        return try await tokens.create(
            await input(), for: account, in: permit.institution.id, by: context.audit(under: permit), network: network)
    }

    /// Ends a lasting token, or a secret with the access tokens issued for it.
    public func end(
        _ id: APITokenID, _ kind: APIToken.Kind, of account: AccountID, in institution: String,
        by context: AccountContext
    ) async throws {
        let permit = try await managing(institution, context)
        try await tokens.end(
            id, kind, of: account, in: permit.institution.id, by: context.audit(under: permit))
    }

    private func managing(
        _ institution: String, _ context: AccountContext
    ) async throws -> InstitutionPermit<May.ManageMembers> {
        try await access.permit(to: May.ManageMembers.self, in: institution, for: context.principal)
    }
}
