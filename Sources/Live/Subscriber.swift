/// Names a reader of one loop: a WebSocket session, an event stream or a waiter. Never used twice.
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
    private var places: [(id: SubscriberID, reader: Reader)?] = []
    private var vacant: [UInt32] = []
    private var serial: UInt32 = 0

    /// A table without readers.
    public init() {}

    /// How many readers there are.
    public var count: Int { places.count - vacant.count }

    /// Takes in the reader that `make` makes of its name.
    public mutating func insert(_ make: (SubscriberID) -> Reader) -> Reader {
        let index = vacant.popLast() ?? UInt32(truncatingIfNeeded: places.count)
        serial &+= 1
        let id = SubscriberID(index: index, serial: serial)
        let reader = make(id)
        if id.index < places.count {
            places[id.index] = (id, reader)
        } else {
            places.append((id, reader))
        }
        return reader
    }

    /// The reader of that name, unless it has left.
    public subscript(id: SubscriberID) -> Reader? {
        guard id.index < places.count, let place = places[id.index], place.id == id else { return nil }
        return place.reader
    }

    /// Lets a reader go.
    public mutating func remove(_ id: SubscriberID) {
        guard self[id] != nil else { return }
        places[id.index] = nil
        vacant.append(UInt32(truncatingIfNeeded: id.index))
    }

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
