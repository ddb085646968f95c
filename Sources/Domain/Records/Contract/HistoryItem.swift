public import GradingKit
public import Shared

/// One version of one view of a record.
public struct HistoryItem: Sendable {
    /// The version that the change created.
    public let version: Version
    /// When the change was made.
    public let at: Timestamp
    /// Who made the change; `nil` if the account was deleted.
    public let account: AccountID?
    /// The display name of that account.
    public let displayName: String?
    /// What changed.
    public let change: ChangeDescription
    /// The build that computed the figures, if the scheme runs in a process of its own; otherwise `nil`.
    public let executable: SchemeExecutable?

    /// The length of its texts in bytes.
    public var size: Int { (change.before?.count ?? 0) + (change.after?.count ?? 0) + change.figures.count }

    /// Creates an item.
    public init(
        version: Version, at: Timestamp, account: AccountID?, displayName: String?, change: ChangeDescription,
        executable: SchemeExecutable? = nil
    ) {
        self.executable = executable
        self.version = version
        self.at = at
        self.account = account
        self.displayName = displayName
        self.change = change
    }
}
