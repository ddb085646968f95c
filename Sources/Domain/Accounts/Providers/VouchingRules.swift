public import Cryptography
public import Shared

/// What the rest of the domain makes of what providers say.
public struct VouchingRules: Sendable {
    /// A person who came with an invitation, by the digest of its token, has signed in with a provider: it is offered to the
    /// account, which accepts it once its owner has seen what it gives.
    public var offer: @Sendable (TokenDigest, AccountID, AuditContext) async throws -> Void = { _, _, _ in }
    /// A person is about to sign in with a provider. It is awaited before the session opens; what it throws keeps the
    /// session from opening.
    public var heed: @Sendable (AccountID, Assertion, AuditContext) async throws -> Void = { _, _, _ in }

    /// Nothing is made of it.
    public init() {}
}
