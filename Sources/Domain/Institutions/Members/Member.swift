/// A membership with the names others see.
public struct Member: Sendable, Equatable {
    /// The membership.
    public let membership: Membership
    /// The account's login.
    public let login: String
    /// The name others see.
    public let displayName: String

    /// A member.
    public init(membership: Membership, login: String, displayName: String) {
        self.membership = membership
        self.login = login
        self.displayName = displayName
    }
}
