public import Cryptography

/// What a sign-in gives: the only moment at which the two secrets are there.
public struct NewSession: Sendable {
    /// Who signed in.
    public let account: Account
    /// The new session.
    public let session: Session
    /// What the client shows with each request.
    public let token: SecretToken
    /// What the client shows at its next sign-in, so that other people's failures do not keep it out.
    public let device: SecretToken
}
