/// The lengths of pages of lists.
public enum PageLimit {
    /// The most items of a page.
    public static let most = 200

    /// How many items are read for a page: at least one, and at most one more than a page may have, which tells whether
    /// there is another page.
    public static func read(_ limit: Int) -> Int { min(max(limit, 1), most + 1) }
}
