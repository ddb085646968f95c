/// A cache with a limit in bytes, which drops the oldest values first.
public struct BoundedMemory<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        /// `nil` once it was forgotten. The key keeps its turn for a while, since most forgotten values are kept again.
        var value: Value?
        var bytes: Int
    }

    private let capacity: Int
    private var entries: [Key: Entry] = [:]
    /// The keys in the order in which they were added, starting at index `first`.
    private var order: [Key] = []
    private var first = 0
    private var bytes = 0
    /// The number of entries without a value.
    private var forgotten = 0

    /// Creates an empty cache.
    ///
    /// - Parameter capacity: The maximum size of all values together, in bytes.
    public init(capacity: Int) { self.capacity = capacity }

    /// The number of keys: those with values, plus forgotten ones, at most 256, or as many as there are values if that
    /// is more.
    var keyCount: Int { entries.count }

    /// The value of a key; `nil` if it is not cached.
    public subscript(key: Key) -> Value? { entries[key]?.value }

    /// Caches a value of `size` bytes. A value larger than a sixteenth of the capacity is not cached.
    public mutating func keep(_ value: Value, for key: Key, bytes size: Int) {
        guard size <= capacity / 16 else { return forget(key) }
        bytes += size
        if let replaced = entries.updateValue(Entry(value: value, bytes: size), forKey: key) {
            bytes -= replaced.bytes
            if replaced.value == nil { forgotten -= 1 }
        } else {
            order.append(key)
        }
        makeRoom()
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

    /// Drops the oldest values. Each call drops only a few, so that no caller waits for long.
    private mutating func makeRoom() {
        while bytes > capacity, first < order.count {
            if let entry = entries.removeValue(forKey: order[first]) {
                bytes -= entry.bytes
                if entry.value == nil { forgotten -= 1 }
            }
            first += 1
        }
        guard first >= 256, first * 2 >= order.count else { return }
        order.removeFirst(first)
        first = 0
    }
}
