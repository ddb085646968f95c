package import Cryptography

/// Who gets an account at the first sign-in with a provider.
public enum SignUpRule: String, Sendable, CaseIterable {
    /// Everyone who signs in with the provider.
    case open
    /// Those with an unused invitation.
    case invited
    /// No one: an account must be linked first.
    case closed

    /// The newcomer whom an attempt may create.
    package enum Welcome: Equatable {
        /// No newcomer.
        case nobody
        /// Any newcomer.
        case anybody
        /// Only the one who accepts the invitation with this token.
        case guest(TokenDigest)

        /// The invitation that the newcomer must accept; `nil` for none.
        package var invitation: TokenDigest? { if case .guest(let token) = self { token } else { nil } }
    }

    /// Returns which newcomer gets an account, given the invitation of the attempt, if any.
    package func welcome(with invitation: TokenDigest?) -> Welcome {
        switch self {
        case .open: .anybody
        case .invited: invitation.map { .guest($0) } ?? .nobody
        case .closed: .nobody
        }
    }
}
