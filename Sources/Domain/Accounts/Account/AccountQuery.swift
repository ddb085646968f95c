public import Shared

/// Which accounts an administrator looks for.
public struct AccountQuery: Sendable, Equatable {
    /// The role to have.
    public enum Role: Sendable, Equatable {
        case any
        case none
        case administrator
    }

    /// Text within login or displayed name, in any case; `nil` for all.
    public var text: String?
    /// The role.
    public var role: Role
    /// Whether disabled; `nil` for either.
    public var isDisabled: Bool?
    /// The last account of the page before.
    public var after: AccountID?
    /// The most to answer, 1…200.
    public var limit: Int

    /// A search.
    public init(
        text: String? = nil, role: Role = .any, isDisabled: Bool? = nil, after: AccountID? = nil, limit: Int = 50
    ) {
        self.text = text
        self.role = role
        self.isDisabled = isDisabled
        self.after = after
        self.limit = min(max(limit, 1), 200)
    }
}
