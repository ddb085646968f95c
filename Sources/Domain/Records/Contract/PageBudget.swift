/// How many bytes a page of a list may take. An item may be as long as a record, so a page has at least one, and ends
/// with the item that goes beyond the budget, however many items were asked for.
public struct PageBudget: Sendable {
    private var left = 1 << 20

    /// A budget of 1 MiB.
    public init() {}

    /// Whether the page ends here.
    public var isSpent: Bool { left <= 0 }

    /// Takes what an item needs.
    public mutating func take(_ bytes: Int) { left -= bytes }
}
