public import Shared

/// Who asks for something.
public enum Principal: Sendable, Equatable {
    /// A person without an account.
    case guest
    /// The owner of a session.
    case signedIn(SignedIn)
    /// The bearer of an API token, who may do what its scopes and its owner's rights allow.
    case token(TokenBearer)
    /// Work that an account ordered. It goes on when the session or token has ended, as long as the account may act.
    case job(orderedBy: ActingAccount)

    /// The session's owner, if there is one.
    public var signedIn: SignedIn? {
        if case .signedIn(let signedIn) = self { signedIn } else { nil }
    }

    /// The account that acts, as it was looked up; `nil` for a guest.
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

    /// The access version of the account that acts, as of which it was looked up; `nil` for a guest.
    public var accessVersion: Int? { acting?.accessVersion }

    /// Whether the account that acts manages this server.
    public var isAdministrator: Bool { acting?.isAdministrator ?? false }

    /// What has to be done before anything else: by the session's owner, or by the maker of a token, which was made with
    /// too few factors for what its owner is now. `nil` for nothing.
    public var enrolment: Enrolment? {
        switch self {
        case .signedIn(let owner): owner.enrolment
        case .token(let bearer): bearer.enrolment
        case .guest, .job: nil
        }
    }

    /// Whether what opens to a scope is open: sessions are not limited by scopes, and work is by what a service account may
    /// be used for.
    public func has(_ scope: Scope) -> Bool {
        switch self {
        case .token(let bearer): bearer.scopes.contains(scope)
        case .job(let owner): owner.scopes?.contains(scope) ?? true
        case .guest, .signedIn: true
        }
    }
}
