/// Names a reader of one loop. Never used twice.
public struct SubscriberID: Hashable, Comparable, Sendable {
    let number: UInt64

    /// Readers that came later sort later, until the serial wraps after 2³² of them.
    init(index: UInt32, serial: UInt32) { number = UInt64(serial) << 32 | UInt64(index) }

    var index: Int { Int(truncatingIfNeeded: number & 0xFFFF_FFFF) }

    /// The earlier reader is the smaller one.
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}

/// The readers of one loop.
public struct SubscriberTable<Reader> {
    private struct Place {
        let id: SubscriberID
        var reader: Reader?
    }

    private var places: [Place?] = []
    private var vacant: [UInt32] = []
    private var serial: UInt32 = 0

    /// A table without readers.
    public init() {}

    /// How many readers there are.
    public var count: Int { places.count - vacant.count }

    /// A name for a reader, which is then to be put under it.
    public mutating func reserve() -> SubscriberID {
        let index = vacant.popLast() ?? UInt32(truncatingIfNeeded: places.count)
        serial &+= 1
        let id = SubscriberID(index: index, serial: serial)
        if id.index == places.count { places.append(nil) }
        places[id.index] = Place(id: id)
        return id
    }

    /// The reader of that name, unless it has left.
    public subscript(id: SubscriberID) -> Reader? {
        get { has(id) ? places[id.index]?.reader : nil }
        set { if has(id) { places[id.index]?.reader = newValue } }
    }

    /// Lets a reader go.
    public mutating func remove(_ id: SubscriberID) {
        guard has(id) else { return }
        places[id.index] = nil
        vacant.append(UInt32(truncatingIfNeeded: id.index))
    }

    private func has(_ id: SubscriberID) -> Bool { id.index < places.count && places[id.index]?.id == id }

    /// Everybody, in the order of places.
    public var readers: [Reader] { places.compactMap { $0?.reader } }
}

/// A sorted set of readers. Most topics have one, which then needs no allocation.
enum SubscriberList {
    case none
    case one(SubscriberID)
    case many([SubscriberID])

    var isEmpty: Bool { count == 0 }

    var count: Int {
        switch self {
        case .none: 0
        case .one: 1
        case .many(let ids): ids.count
        }
    }

    /// The reader at a place, `nil` past the end.
    func element(at position: Int) -> SubscriberID? {
        switch self {
        case .none: nil
        case .one(let id): position == 0 ? id : nil
        case .many(let ids): ids.indices.contains(position) ? ids[position] : nil
        }
    }

    var elements: [SubscriberID] {
        switch self {
        case .none: []
        case .one(let id): [id]
        case .many(let ids): ids
        }
    }

    mutating func insert(_ id: SubscriberID) {
        switch self {
        case .none: self = .one(id)
        case .one(let other):
            if other != id { self = .many(other < id ? [other, id] : [id, other]) }
        case .many(var ids):
            self = .none  // so that `ids` is the only reference and is changed in place
            let place = Self.place(of: id, in: ids)
            if place == ids.count || ids[place] != id { ids.insert(id, at: place) }
            self = .many(ids)
        }
    }

    mutating func remove(_ id: SubscriberID) {
        switch self {
        case .none: break
        case .one(let other):
            if other == id { self = .none }
        case .many(var ids):
            self = .none
            let place = Self.place(of: id, in: ids)
            if place < ids.count, ids[place] == id { ids.remove(at: place) }
            self = ids.count == 1 ? .one(ids[0]) : .many(ids)
        }
    }

    private static func place(of id: SubscriberID, in ids: [SubscriberID]) -> Int {
        guard let last = ids.last, id <= last else { return ids.count }
        var low = 0
        var high = ids.count
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
