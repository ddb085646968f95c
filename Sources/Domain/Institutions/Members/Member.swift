public import Shared

/// A membership with the login and the names of its account.
public struct Member: Sendable, Equatable {
    /// The membership.
    public let membership: Membership
    /// The account's login.
    public let login: String
    /// The name that other people see.
    public let displayName: String
    /// What the institution knows the person by.
    public let personName: PersonName

    /// Creates a member.
    public init(membership: Membership, login: String, displayName: String, personName: PersonName) {
        self.membership = membership
        self.login = login
        self.displayName = displayName
        self.personName = personName
    }
}
