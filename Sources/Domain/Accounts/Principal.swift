public import Shared

/// Who asks for something.
public enum Principal: Sendable, Equatable {
    /// A person without an account.
    case guest
    /// The owner of a session.
    case signedIn(SignedIn)
    /// Work that an account ordered while signed in. It goes on when that session has ended, as long as the account may
    /// act.
    case job(orderedBy: SignedIn)

    /// The session's owner, if there is one.
    public var signedIn: SignedIn? {
        if case .signedIn(let signedIn) = self { signedIn } else { nil }
    }

    /// The account that acts; `nil` for a guest.
    public var account: AccountID? {
        switch self {
        case .guest: nil
        case .signedIn(let owner), .job(let owner): owner.account
        }
    }

    /// The access version of the account that acts, as of which it was looked up; `nil` for a guest.
    public var accessVersion: Int? {
        switch self {
        case .guest: nil
        case .signedIn(let owner), .job(let owner): owner.accessVersion
        }
    }

    /// Whether the account that acts manages this server.
    public var isAdministrator: Bool {
        switch self {
        case .guest: false
        case .signedIn(let owner), .job(let owner): owner.isAdministrator
        }
    }
}
