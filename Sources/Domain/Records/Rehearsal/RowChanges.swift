public import GradingKit

/// What other rules change in a row of a class: in the entry that stands for it, and in the lines in it.
public struct RowChanges: Sendable {
    /// The entry that stands for the row.
    public let entry: EntryID
    /// The differences, in tree order.
    public let changes: [VerdictChange]
    /// For each change, the names of its line and of those around it, from the row's own entry on.
    public let names: [[String]]
    /// The values for which the other rules have no place, each with the names of its place as in ``names``.
    public let lost: [LostValue]

    /// Creates the changes of a row; `names` must have as many items as `changes`.
    public init(
        of entry: EntryID, _ changes: [VerdictChange] = [], names: [[String]] = [], lost: [LostValue] = []
    ) {
        self.entry = entry
        self.changes = changes
        self.names = names
        self.lost = lost
    }

    /// Returns the changes with values that the other rules lose.
    public func losing(_ lost: [LostValue]) -> RowChanges {
        RowChanges(of: entry, changes, names: names, lost: lost)
    }
}
