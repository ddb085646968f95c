public import Shared

/// The sender of a request.
public enum Principal: Sendable, Equatable {
    /// A person without an account.
    case guest
    /// The owner of a session.
    case signedIn(SignedIn)
    /// The bearer of an API token, limited by its scopes and by its owner's rights.
    case token(TokenBearer)
    /// Background work that an account ordered. It continues after the session or token has ended, as long as the
    /// account may act.
    case job(orderedBy: ActingAccount)

    /// The session's owner; `nil` for another principal.
    public var signedIn: SignedIn? {
        if case .signedIn(let signedIn) = self { signedIn } else { nil }
    }

    /// The account that acts, as of when it was read; `nil` for a guest.
    public var acting: ActingAccount? {
        switch self {
        case .guest: nil
        case .signedIn(let owner): owner.acting
        case .token(let bearer): bearer.acting
        case .job(let owner): owner
        }
    }

    /// The account that acts; `nil` for a guest.
    public var account: AccountID? { acting?.account }

    /// The access version of the acting account when it was read; `nil` for a guest.
    public var accessVersion: Int? { acting?.accessVersion }

    /// Whether the acting account manages this server.
    public var isAdministrator: Bool { acting?.isAdministrator ?? false }

    /// The enrolment that is required first: of the session's owner, or of the maker of a token that was made with too
    /// few factors for what its owner is now. `nil` if none is required.
    public var enrolment: Enrolment? {
        switch self {
        case .signedIn(let owner): owner.enrolment
        case .token(let bearer): bearer.enrolment
        case .guest, .job: nil
        }
    }

    /// Returns whether the principal may use a scope. Scopes limit only tokens, and jobs of service accounts.
    public func has(_ scope: Scope) -> Bool {
        switch self {
        case .token(let bearer): bearer.scopes.contains(scope)
        case .job(let owner): owner.scopes?.contains(scope) ?? true
        case .guest, .signedIn: true
        }
    }
}
