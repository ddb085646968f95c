/// A membership with the login and display name of its account.
public struct Member: Sendable, Equatable {
    /// The membership.
    public let membership: Membership
    /// The account's login.
    public let login: String
    /// The name that other people see.
    public let displayName: String

    /// Creates a member.
    public init(membership: Membership, login: String, displayName: String) {
        self.membership = membership
        self.login = login
        self.displayName = displayName
    }
}
