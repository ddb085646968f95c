/// A leaf whose grade a goal or a what-if sets: a field of an entry or, without a field, an empty category or unit.
public struct Leaf: Hashable, Sendable {
    /// The entry.
    public let entry: EntryID
    /// The grade field; `nil` for a category or unit in which nothing counts yet.
    public let field: String?

    /// A leaf.
    public init(entry: EntryID, field: String?) {
        self.entry = entry
        self.field = field
    }
}
