/// The identifier of the session or token with which a caller acts for an account. It is not secret.
public enum CredentialID: Hashable, Sendable {
    /// A session.
    case session(SessionID)
    /// An API token.
    case token(APITokenID)
}
