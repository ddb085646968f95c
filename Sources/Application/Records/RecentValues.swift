/// Values by their keys, as many as some memory holds: where there is no room for another, those go that were not used
/// for longest.
struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Item: Sendable {
        let value: Value
        let size: Int
        var lastUse: Int
    }

    private let capacity: Int
    private var items: [Key: Item] = [:]
    private var uses = 0
    /// How much memory the values take, in bytes.
    private(set) var size = 0

    /// No values; `capacity` is how much memory they may take together, in bytes.
    init(capacity: Int) { self.capacity = capacity }

    /// How many values there are.
    var count: Int { items.count }

    /// A value, which is then the one used last.
    mutating func value(for key: Key) -> Value? {
        uses += 1
        // One look-up: most of what is asked for is here.
        guard let index = items.index(forKey: key) else { return nil }
        items.values[index].lastUse = uses
        return items.values[index].value
    }

    /// Keeps a value of so many bytes. One that is greater than all of the memory is not kept.
    mutating func insert(_ value: Value, for key: Key, size: Int) {
        remove(key)
        guard size <= capacity else { return }
        if self.size + size > capacity { makeRoom(for: size) }
        uses += 1
        items[key] = Item(value: value, size: size, lastUse: uses)
        self.size += size
    }

    private mutating func remove(_ key: Key) {
        if let item = items.removeValue(forKey: key) { size -= item.size }
    }

    /// Removes an eighth more than must go, so that not every new value looks for the oldest.
    private mutating func makeRoom(for need: Int) {
        let goal = max(0, capacity - need - capacity / 8)
        for key in items.sorted(by: { $0.value.lastUse < $1.value.lastUse }).map(\.key) {
            if size <= goal { return }
            remove(key)
        }
    }
}
