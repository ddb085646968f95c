public import Shared

/// An administrator's search for accounts.
public struct AccountQuery: Sendable, Equatable {
    /// The role that the accounts have.
    public enum Role: Sendable, Equatable {
        case any
        case none
        case administrator
    }

    /// Text in the login or the display name, ignoring case; `nil` for any.
    public var text: String?
    /// The role.
    public var role: Role
    /// Whether the accounts are disabled; `nil` for both.
    public var isDisabled: Bool?
    /// The last account of the previous page; `nil` for the first page.
    public var after: AccountID?
    /// The maximum number of accounts to return, 1…200.
    public var limit: Int

    /// Creates a search; ``PageLimit`` clamps `limit`.
    public init(
        text: String? = nil, role: Role = .any, isDisabled: Bool? = nil, after: AccountID? = nil, limit: Int = 50
    ) {
        self.text = text
        self.role = role
        self.isDisabled = isDisabled
        self.after = after
        self.limit = PageLimit.read(limit)
    }
}
