/// By what a caller acts for an account: names it, and is no secret.
public enum CredentialID: Hashable, Sendable {
    /// A sign-in.
    case session(SessionID)
    /// An API token.
    case token(APITokenID)
}
