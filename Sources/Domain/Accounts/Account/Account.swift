private import Cryptography
public import Shared

/// The account of a person, or of software that acts for an institution.
public struct Account: Sendable, Equatable {
    /// The identifier, which never changes and is never shown as a name.
    public let id: AccountID
    /// When it was created.
    public let createdAt: Timestamp
    /// The login that its owner types to sign in; unique.
    public var login: Login
    /// The profile that its owner edits.
    public var profile: Profile
    /// The role on this server; `nil` for almost all accounts. Roles in institutions are memberships.
    public var role: ServerRole?
    /// Whether it is disabled: it cannot sign in, and it has no sessions.
    public var isDisabled: Bool
    /// The name of the picture, which identifies its content; `nil` if the avatar is drawn from the hue.
    public var picture: String?
    /// The limits of a service account; `nil` for a person.
    public let service: Service?

    /// The limits of a service account, which software uses and no person signs in to.
    public struct Service: Sendable, Equatable {
        /// The institution that owns it, and the only one in which it acts.
        public let institution: InstitutionID
        /// The scopes that its tokens may have at most.
        public let scopes: Set<Scope>

        /// Creates the limits of a service account.
        public init(institution: InstitutionID, scopes: Set<Scope>) {
            self.institution = institution
            self.scopes = scopes
        }
    }

    /// Creates an account.
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
    /// The text that searches of administrators compare: login and all names, in the form of ``Account/searchForm(_:)``.
    public var searchText: String {
        Account.searchForm(([login.text, profile.displayName] + profile.personName.parts).joined(separator: "\n"))
    }

    /// Returns text in the form that searches compare: compatibility form, lower case, from at most 512 code points.
    public static func searchForm(_ text: String) -> String {
        String(text.unicodeScalars.prefix(512)).compatibilityForm.lowercased()
    }
}

/// A role on the whole server.
public enum ServerRole: String, Sendable, CaseIterable {
    /// Manages accounts, institutions and the server itself.
    case administrator
}
