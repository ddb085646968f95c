public import Accounts
public import Cryptography

/// The result of a sign-in, and the only time that the two secrets are available.
public struct NewSession: Sendable {
    /// The account that signed in.
    public let account: Account
    /// The new session.
    public let session: Session
    /// The token that the client sends with each request.
    public let token: SecretToken
    /// The token that the client sends at its next sign-in, so that other people's failures do not delay it.
    public let device: SecretToken
}
