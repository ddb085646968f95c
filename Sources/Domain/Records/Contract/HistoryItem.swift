public import GradingKit
public import Shared

/// One version of one view of a record.
public struct HistoryItem: Sendable {
    /// The version that the change made.
    public let version: Version
    /// When.
    public let at: Timestamp
    /// Who; `nil` when the account is gone.
    public let account: AccountID?
    /// Who, by the name shown.
    public let displayName: String?
    /// What.
    public let change: ChangeDescription
    /// The build that computed the figures, where the scheme runs in a process of its own.
    public let executable: SchemeExecutable?

    /// How long its texts are, in bytes.
    public var size: Int { (change.before?.count ?? 0) + (change.after?.count ?? 0) + change.figures.count }

    /// An item.
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
