/// What is left of the limits on header or trailer lines.
struct HeaderBudget {
    /// Bytes still allowed.
    private(set) var bytes: Int
    /// Lines still allowed.
    private(set) var count: Int

    init(bytes: Int, count: Int) {
        self.bytes = bytes
        self.count = count
    }

    /// Counts one line of `length` bytes and its end; throws if the budget is exceeded.
    mutating func spend(_ length: Int) throws(RequestFault) {
        bytes -= length + 2
        count -= 1
        guard bytes >= 0, count >= 0 else { throw .headersTooLarge }
    }
}
