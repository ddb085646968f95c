/// The values that were kept last, as many as fit into so many bytes. Those that came first are forgotten first.
public struct BoundedMemory<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry {
        /// `nil` once it was forgotten: its key keeps its turn for a while, since most that are forgotten come again.
        var value: Value?
        var bytes: Int
    }

    private let capacity: Int
    private var entries: [Key: Entry] = [:]
    /// The keys in the order in which they came, from `first` on.
    private var order: [Key] = []
    private var first = 0
    private var bytes = 0
    /// How many entries have no value.
    private var forgotten = 0

    /// An empty memory.
    ///
    /// - Parameter capacity: how many bytes all values together may have.
    public init(capacity: Int) { self.capacity = capacity }

    /// How many keys it knows: those of its values, and of forgotten ones 256 or as many as there are values.
    var keyCount: Int { entries.count }

    /// The value under a key, if it is remembered.
    public subscript(key: Key) -> Value? { entries[key]?.value }

    /// Remembers a value of so many bytes, unless it is too large beside others.
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

    /// Forgets the value under a key.
    public mutating func forget(_ key: Key) {
        guard let entry = entries[key], entry.value != nil else { return }
        bytes -= entry.bytes
        entries[key] = Entry(value: nil, bytes: 0)
        forgotten += 1
        if forgotten > 256, forgotten > entries.count / 2 { dropForgotten() }
    }

    /// Drops the keys of forgotten values. Each was forgotten since the last time, so it costs as much as forgetting.
    private mutating func dropForgotten() {
        order.removeSubrange(..<first)
        first = 0
        order.removeAll { entries[$0]?.value == nil }
        entries = entries.filter { $0.value.value != nil }
        forgotten = 0
    }

    /// Forgets a few at a time, so that no caller waits for many.
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
