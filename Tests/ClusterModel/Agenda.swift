/// What is to happen, in the order of simulated time; of two things at the same moment, first what was planned first.
struct Agenda {
    private struct Entry {
        let at: Int64
        let number: Int
        let act: () -> Void

        func isBefore(_ other: Entry) -> Bool { (at, number) < (other.at, other.number) }
    }

    /// A heap, the next entry first.
    private var entries: [Entry] = []
    private var count = 0

    mutating func plan(at moment: Int64, _ act: @escaping () -> Void) {
        count += 1
        entries.append(Entry(at: moment, number: count, act: act))
        var child = entries.count - 1
        while child > 0, entries[child].isBefore(entries[(child - 1) / 2]) {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Takes what happens next, with its moment; `nil` when nothing is left.
    mutating func next() -> (at: Int64, act: () -> Void)? {
        guard let first = entries.first, let last = entries.popLast() else { return nil }
        guard !entries.isEmpty else { return (first.at, first.act) }
        entries[0] = last
        var parent = 0
        while true {
            let children = [2 * parent + 1, 2 * parent + 2].filter { $0 < entries.count }
            guard let least = children.min(by: { entries[$0].isBefore(entries[$1]) }),
                entries[least].isBefore(entries[parent])
            else { break }
            entries.swapAt(least, parent)
            parent = least
        }
        return (first.at, first.act)
    }
}

/// The chance of a run: the same seed gives the same run.
struct Chance {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x2545_F491_4F6C_DD1D &+ 0x9E37_79B9_7F4A_7C15 }

    mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(truncatingIfNeeded: (state >> 33) % UInt64(max(1, bound)))
    }

    mutating func one(in bound: Int) -> Bool { below(bound) == 0 }

    /// Microseconds, usually a few hundred, sometimes a long while.
    mutating func delay() -> Int64 {
        switch below(20) {
        case 0: Int64(below(400)) * 1_000
        case 1...4: Int64(below(20)) * 1_000
        default: Int64(100 + below(900))
        }
    }
}
