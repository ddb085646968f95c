/// A cache with a limit in bytes, which drops the oldest values first. A value that was used since it was added, or since
/// it was last spared, is spared once more.
public struct BoundedMemory<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        /// `nil` once it was forgotten. The key keeps its turn for a while, since most forgotten values are kept again.
        var value: Value?
        var bytes: Int
        var isUsed = false
    }

    /// The most values that one call spares, so that no caller waits for long.
    private static var mostSpared: Int { 64 }

    private let capacity: Int
    private let largest: Int
    private var entries: [Key: Entry] = [:]
    /// The keys in the order in which they were added or spared, starting at index `first`.
    private var order: [Key] = []
    private var first = 0
    /// The size of all values together, in bytes.
    private(set) var bytes = 0
    /// The number of entries without a value.
    private var forgotten = 0

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - capacity: The maximum size of all values together, in bytes.
    ///   - largest: The size above which a value is not cached; `nil` for a sixteenth of the capacity.
    public init(capacity: Int, largest: Int? = nil) {
        self.capacity = capacity
        self.largest = min(capacity, largest ?? capacity / 16)
    }

    /// The number of keys: those with values, plus forgotten ones, at most 256, or as many as there are values if that
    /// is more.
    var keyCount: Int { entries.count }

    /// Returns the value of a key, which then counts as used; `nil` if it is not cached.
    public mutating func value(for key: Key) -> Value? {
        // One look-up: most of what is asked for is here.
        guard let index = entries.index(forKey: key) else { return nil }
        if !entries.values[index].isUsed { entries.values[index].isUsed = true }
        return entries.values[index].value
    }

    /// Caches a value of `size` bytes, unless that is more than the largest one may have. One that replaces another
    /// keeps its turn, and counts as used.
    public mutating func keep(_ value: Value, for key: Key, bytes size: Int) {
        guard size <= largest else { return forget(key) }
        bytes += size
        if let index = entries.index(forKey: key) {
            bytes -= entries.values[index].bytes
            if entries.values[index].value == nil { forgotten -= 1 }
            entries.values[index] = Entry(value: value, bytes: size, isUsed: true)
            makeRoom()
        } else {
            makeRoom()
            entries[key] = Entry(value: value, bytes: size)
            order.append(key)
        }
    }

    /// Removes the value of a key.
    public mutating func forget(_ key: Key) {
        guard let entry = entries[key], entry.value != nil else { return }
        bytes -= entry.bytes
        entries[key] = Entry(value: nil, bytes: 0)
        forgotten += 1
        if forgotten > 256, forgotten > entries.count / 2 { dropForgotten() }
    }

    /// Removes the keys of forgotten values. Each was forgotten since the last call, so the cost for each is constant.
    private mutating func dropForgotten() {
        order.removeSubrange(..<first)
        first = 0
        order.removeAll { entries[$0]?.value == nil }
        entries = entries.filter { $0.value.value != nil }
        forgotten = 0
    }

    /// Drops the oldest values that are not spared. Each call drops only a few, so that no caller waits for long.
    private mutating func makeRoom() {
        var spared = 0
        while bytes > capacity, first < order.count {
            let key = order[first]
            first += 1
            guard let index = entries.index(forKey: key) else { continue }
            if entries.values[index].isUsed, entries.values[index].value != nil, spared < Self.mostSpared {
                entries.values[index].isUsed = false
                order.append(key)
                spared += 1
            } else {
                let entry = entries.remove(at: index).value
                bytes -= entry.bytes
                if entry.value == nil { forgotten -= 1 }
            }
        }
        guard first >= 256, first * 2 >= order.count else { return }
        order.removeFirst(first)
        first = 0
    }
}
