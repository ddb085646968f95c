public import Accounts
public import Cryptography
public import Shared

/// What the rest of the domain does with sign-ins through providers.
public struct VouchingRules: Sendable {
    /// Offers an invitation, given by the digest of its token, to the account of a person who signed in with a
    /// provider. The owner sees the offer before accepting it.
    public var offer: @Sendable (TokenDigest, AccountID, AuditContext) async throws -> Void = { _, _, _ in }
    /// Applies a provider's assertion before the session opens. If it throws, no session opens.
    public var heed: @Sendable (AccountID, Assertion, AuditContext) async throws -> Void = { _, _, _ in }

    /// Creates rules that do nothing.
    public init() {}
}
