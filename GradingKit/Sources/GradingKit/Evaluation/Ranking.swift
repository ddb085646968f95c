/// One of the keys that rank entries.
public struct RankKey {
    let quantity: (GradedEntry) -> Quantity
    let better: Direction

    /// A key; `better` tells which of two values ranks first.
    public init(_ quantity: @escaping (GradedEntry) -> Quantity, better: Direction = .higher) {
        self.quantity = quantity
        self.better = better
    }
}

@available(*, unavailable)
extension RankKey: Sendable {}

/// The order of entries by several keys. Entries that are equal in every key are ordered by entry id, the greater
/// first, and never by position.
enum Ranking {
    /// The entries with a value for the first key, best first.
    static func order(_ entries: GradedEntries, by keys: [RankKey]) -> [GradedEntry] {
        var ranked: [(entry: GradedEntry, values: [Exact?])] = []
        for entry in entries {
            let values = keys.map { $0.quantity(entry).value }
            if values.first.map({ $0 != nil }) ?? true { ranked.append((entry, values)) }
        }
        // Comparing numbers beyond machine words takes a subtraction, and sorting compares each value several times.
        let work = ranked.reduce(0) { $0 + $1.values.reduce(0) { $0 + ($1?.work ?? 0) } }
        guard entries.spend(12 * work) else { return [] }
        return ranked.sorted { isBefore($0, $1, by: keys) }.map(\.entry)
    }

    /// Whether an entry ranks before another.
    static func isBetter(_ left: GradedEntry, _ right: GradedEntry, by keys: [RankKey]) -> Bool {
        for key in keys {
            if let isBefore = compare(key.quantity(left).value, key.quantity(right).value, key.better) {
                return isBefore
            }
        }
        return left.id > right.id
    }

    private static func isBefore(
        _ left: (entry: GradedEntry, values: [Exact?]), _ right: (entry: GradedEntry, values: [Exact?]),
        by keys: [RankKey]
    ) -> Bool {
        for (place, key) in keys.enumerated() {
            if let isBefore = compare(left.values[place], right.values[place], key.better) { return isBefore }
        }
        return left.entry.id > right.entry.id
    }

    /// Whether the first ranks before the second; `nil` if they are equal. Any value ranks before none.
    private static func compare(_ left: Exact?, _ right: Exact?, _ better: Direction) -> Bool? {
        switch (left, right) {
        case (let left?, let right?): left == right ? nil : better.reaches(left, right)
        case (nil, nil): nil
        case (_?, nil): true
        case (nil, _?): false
        }
    }
}

/// Which of several values a fold selects.
enum Selection {
    case least, greatest, median
    /// The most frequent value; of equally frequent ones, the better.
    case mode(Direction)

    /// How often a value is compared with others.
    var comparisons: Int {
        switch self {
        case .least, .greatest: 2
        case .median, .mode: 12
        }
    }

    /// The selected value; `nil` if there are none.
    func callAsFunction(_ values: [Exact]) -> Exact? {
        switch self {
        case .least: return values.min()
        case .greatest: return values.max()
        case .median:
            let order = values.sorted()
            guard let upper = order.dropFirst(order.count / 2).first else { return nil }
            guard order.count % 2 == 0, let lower = order.dropFirst(order.count / 2 - 1).first else { return upper }
            return (lower + upper) * .half
        case .mode(let better): return Self.mode(values.sorted(), better)
        }
    }

    private static func mode(_ order: [Exact], _ better: Direction) -> Exact? {
        var (found, most, start) = (Exact?.none, 0, 0)
        for (place, value) in order.enumerated() where place + 1 == order.count || order[place + 1] != value {
            let count = place + 1 - start
            start = place + 1
            // The values come in rising order.
            if count > most || (count == most && better == .higher) { (found, most) = (value, count) }
        }
        return found
    }
}
