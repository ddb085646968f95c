/// The number of bytes that a page of a list may take. Since an item may be as long as a record, a page has at least
/// one item and ends with the one that exceeds the budget, whatever number of items was requested.
public struct PageBudget: Sendable {
    private var left = 1 << 20

    /// Creates a budget of 1 MiB.
    public init() {}

    /// Whether the budget is used up, so that the page ends here.
    public var isSpent: Bool { left <= 0 }

    /// Subtracts the bytes of an item.
    public mutating func take(_ bytes: Int) { left -= bytes }
}
