import Cryptography

/// Who gets an account at the first sign-in with a provider.
public enum SignUpRule: String, Sendable, CaseIterable {
    /// Everybody whom the provider vouches for.
    case open
    /// Those who come with an invitation that has not been used.
    case invited
    /// Nobody: an account has to be linked first.
    case closed

    /// Which newcomer an attempt brings.
    enum Welcome: Equatable {
        /// None.
        case nobody
        /// Anybody.
        case anybody
        /// The one who accepts the invitation of this token.
        case guest(TokenDigest)

        /// The invitation that the newcomer has to accept.
        var invitation: TokenDigest? { if case .guest(let token) = self { token } else { nil } }
    }

    /// Whether a newcomer who comes with an invitation, or without one, gets an account.
    func welcome(with invitation: TokenDigest?) -> Welcome {
        switch self {
        case .open: .anybody
        case .invited: invitation.map { .guest($0) } ?? .nobody
        case .closed: .nobody
        }
    }
}
