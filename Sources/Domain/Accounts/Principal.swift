/// Who makes a request.
public enum Principal: Sendable, Equatable {
    /// Somebody without an account.
    case guest
    /// The owner of a session.
    case signedIn(SignedIn)

    /// The session's owner, if there is one.
    public var signedIn: SignedIn? {
        if case .signedIn(let signedIn) = self { signedIn } else { nil }
    }
}
