private import Cryptography
public import Shared

/// One person who can sign in.
public struct Account: Sendable, Equatable {
    /// Names the account for ever; never shown as a name.
    public let id: AccountID
    /// When it was made.
    public let createdAt: Timestamp
    /// What its owner types to sign in; unique.
    public var login: Login
    /// What its owner tells about themselves.
    public var profile: Profile
    /// The role on this server; `nil` for nearly everybody. Roles inside institutions are memberships.
    public var role: ServerRole?
    /// Whether signing in is refused and every session has ended.
    public var isDisabled: Bool
    /// The picture's content name; `nil` when the avatar is drawn from the hue.
    public var picture: String?
    /// What makes it a service account of an institution; `nil` for a person.
    public let service: Service?

    /// What makes an account one through which programs of an institution act; no person signs in to it.
    public struct Service: Sendable, Equatable {
        /// Whose it is. It acts in this institution alone.
        public let institution: InstitutionID
        /// What its tokens may be used for at most.
        public let scopes: Set<Scope>

        /// A service account's limits.
        public init(institution: InstitutionID, scopes: Set<Scope>) {
            self.institution = institution
            self.scopes = scopes
        }
    }

    /// An account.
    public init(
        id: AccountID, createdAt: Timestamp, login: Login, profile: Profile, role: ServerRole? = nil,
        isDisabled: Bool = false, picture: String? = nil, service: Service? = nil
    ) {
        self.id = id
        self.createdAt = createdAt
        self.login = login
        self.profile = profile
        self.role = role
        self.isDisabled = isDisabled
        self.picture = picture
        self.service = service
    }
}

extension Account {
    /// What a search looks through: login and displayed name, in the form of ``Account/searchForm(_:)``.
    public var searchText: String { Account.searchForm("\(login.text)\n\(profile.displayName)") }

    /// Text as searches compare it: compatibility form, lower case.
    public static func searchForm(_ text: String) -> String {
        String(text.unicodeScalars.prefix(512)).compatibilityForm.lowercased()
    }
}

/// A role on the whole server.
public enum ServerRole: String, Sendable, CaseIterable {
    /// Manages accounts, institutions and the server itself.
    case administrator
}
