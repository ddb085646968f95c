/// Several entries of one kind. Rules may have taken some out.
public struct GradedEntries: Sequence {
    /// An entry and whether it counts. Entries that were taken out stay in the explanation.
    private struct Member {
        let index: Int
        var usage = Trace.Usage.used
    }

    // Five words without an object, unless there is a list.
    /// The entry that contains them; for a group, any entry of the run.
    private let parent: GradedEntry
    /// The number of their kind; `nowhere` for a group, or if the shape does not have the kind.
    private let kind: Int
    /// `nil` while all children of the kind are members that count or are marked in `dropped`; these need no list.
    private let members: [Member]?
    /// Without a list: one bit for each of the first children of the kind, 1 if it was dropped.
    private let dropped: UInt64

    private static var nowhere: Int { -1 }

    @inline(__always)
    init(childrenOf parent: GradedEntry, ofKind kind: Int?) { self.init(parent, kind ?? Self.nowhere, nil) }

    /// Every entry of a kind inside `parent`, at any depth.
    init(inside parent: GradedEntry, ofKind kind: Int?) {
        let members = parent.asking { run in
            let nodes = run.record.nodes
            return (parent.index + 1..<nodes[parent.index].end).filter { nodes[$0].kind == kind }
                .map { Member(index: $0) }
        }
        self.init(parent, Self.nowhere, members)
    }

    /// Entries by their numbers, from the same run as `entry`.
    init(_ numbers: some Sequence<Int>, besides entry: GradedEntry) {
        self.init(entry, Self.nowhere, numbers.map { Member(index: $0) })
    }

    @inline(__always)
    private init(_ parent: GradedEntry, _ kind: Int, _ members: [Member]?, dropped: UInt64 = 0) {
        self.parent = parent
        self.kind = kind
        self.members = members
        self.dropped = dropped
    }

    /// Whether the n-th child of the kind counts, if there is no list.
    @inline(__always)
    private func usage(at place: Int) -> Trace.Usage { (dropped >> place) & 1 == 1 ? .dropped : .used }

    /// Where explanations are recorded; `nil` if there are none.
    var recording: TraceRecording? { parent.asking { $0.recording } }

    /// How many steps the run has left.
    var stepsLeft: Int { parent.asking { $0.stepsLeft } }

    /// Counts work other than reading fields, figures and outcomes; `false` if it was too much.
    func spend(_ work: Int) -> Bool { parent.spend(work) }

    @inline(__always)
    private func node(_ index: Int) -> RecordNode { parent.asking { $0.record.nodes[index] } }

    /// Visits all members in order, including those taken out, until `body` returns `false`.
    @inline(__always)
    func visitWhile(_ body: (_ entry: GradedEntry, _ usage: Trace.Usage) -> Bool) {
        if let members {
            for member in members where !body(parent.other(member.index), member.usage) { return }
            return
        }
        var (index, place) = (parent.index + 1, 0)
        let end = node(parent.index).end
        while index < end {
            let node = node(index)
            if node.kind == kind {
                if !body(parent.other(index), usage(at: place)) { return }
                place += 1
            }
            index = node.end
        }
    }

    /// Visits all members in order, including those taken out.
    @inline(__always)
    func visit(_ body: (_ entry: GradedEntry, _ usage: Trace.Usage) -> Void) {
        visitWhile { entry, usage in
            body(entry, usage)
            return true
        }
    }

    /// Visits the entries that count, in order.
    public struct Iterator: IteratorProtocol {
        private let entries: GradedEntries
        /// The index of the next member, or the number of the entry that may be next.
        private var following: Int
        /// Without a list: how many children of the kind came before.
        private var place = 0
        private let end: Int

        fileprivate init(_ entries: GradedEntries) {
            self.entries = entries
            following = entries.members == nil ? entries.parent.index + 1 : 0
            end = entries.members?.count ?? entries.node(entries.parent.index).end
        }

        /// The next entry that counts.
        public mutating func next() -> GradedEntry? {
            while following < end {
                if let members = entries.members {
                    let member = members[following]
                    following += 1
                    if member.usage == .used { return entries.parent.other(member.index) }
                } else {
                    let (index, node) = (following, entries.node(following))
                    following = node.end
                    guard node.kind == entries.kind else { continue }
                    place += 1
                    if entries.usage(at: place - 1) == .used { return entries.parent.other(index) }
                }
            }
            return nil
        }
    }

    /// The entries that count, in order.
    public func makeIterator() -> Iterator { Iterator(self) }

    /// The number of entries that count.
    public var underestimatedCount: Int {
        var count = 0
        visit { _, usage in if usage == .used { count += 1 } }
        return count
    }

    /// Whether an entry that counts satisfies a condition.
    public func contains(where condition: (GradedEntry) -> Bool) -> Bool {
        var found = false
        visitWhile { entry, usage in
            found = usage == .used && condition(entry)
            return !found
        }
        return found
    }

    /// The results of `transform` for the entries that count, in order.
    public func map<Result>(_ transform: (GradedEntry) -> Result) -> [Result] {
        var results: [Result] = []
        results.reserveCapacity(underestimatedCount)
        visit { entry, usage in if usage == .used { results.append(transform(entry)) } }
        return results
    }

    /// The entries that count and satisfy a condition, in order.
    public func filter(_ condition: (GradedEntry) -> Bool) -> [GradedEntry] {
        var found: [GradedEntry] = []
        visit { entry, usage in
            guard usage == .used, condition(entry) else { return }
            if found.isEmpty { found.reserveCapacity(underestimatedCount) }
            found.append(entry)
        }
        return found
    }

    /// Whether there are no entries, including those taken out.
    public var isEmpty: Bool {
        var isEmpty = true
        visitWhile { _, _ in
            isEmpty = false
            return false
        }
        return isEmpty
    }
}

/// Rules that take entries out.
extension GradedEntries {
    /// Takes out the entries that do not satisfy a condition.
    public func keeping(as usage: Trace.Usage = .dropped, where condition: (GradedEntry) -> Bool) -> GradedEntries {
        var (place, members, dropped) = (0, members ?? [], dropped)
        visit { entry, mark in
            if mark == .used, !condition(entry) {
                if members.isEmpty, usage == .dropped, place < UInt64.bitWidth {
                    dropped |= 1 << place
                } else {
                    if members.isEmpty { members = GradedEntries(parent, kind, nil, dropped: dropped).allMembers }
                    members[place].usage = usage
                }
            }
            place += 1
        }
        return members.isEmpty
            ? GradedEntries(parent, kind, self.members, dropped: dropped) : GradedEntries(parent, kind, members)
    }

    private var allMembers: [Member] {
        var (members, count): ([Member], Int) = ([], 0)
        visit { _, _ in count += 1 }
        members.reserveCapacity(count)
        visit { entry, usage in members.append(Member(index: entry.index, usage: usage)) }
        return members
    }

    /// Takes out entries whose status keeps them from the GPA.
    public var inGPA: GradedEntries { keeping { $0.status == nil || $0.statusRule.inGPA } }

    /// Keeps the best `count` by a quantity; of equal entries the later. Entries without a value stay, but count
    /// nothing.
    public func keeping(best count: Int, by quantity: @escaping (GradedEntry) -> Quantity) -> GradedEntries {
        keeping(best: count, by: [RankKey(quantity)])
    }

    /// Keeps the best `count` by several keys. Entries whose first key is undefined stay, but count nothing.
    public func keeping(best count: Int, by keys: [RankKey]) -> GradedEntries {
        let beaten = Set(Ranking.order(self, by: keys).dropFirst(Swift.max(0, count)).map(\.index))
        return beaten.isEmpty ? self : keeping { !beaten.contains($0.index) }
    }

    /// Keeps the best `count` by several keys, at most `limit` with the same likeness: an entry is passed over once
    /// `limit` better ones share its likeness. Entries whose first key is undefined stay, but count nothing.
    ///
    /// - Parameter likeness: the value that similar entries share; `nil` for an entry similar to none.
    public func keeping(
        best count: Int, by keys: [RankKey], atMost limit: Int, alike likeness: (GradedEntry) -> String?
    ) -> GradedEntries {
        var (left, taken, beaten): (Int, [String: Int], Set<Int>) = (count, [:], [])
        for entry in Ranking.order(self, by: keys) {
            let shared = likeness(entry)
            guard left > 0, shared.map({ taken[$0, default: 0] < limit }) ?? true else {
                beaten.insert(entry.index)
                continue
            }
            left -= 1
            if let shared { taken[shared, default: 0] += 1 }
        }
        return beaten.isEmpty ? self : keeping { !beaten.contains($0.index) }
    }

    /// Drops the lowest `count` by a quantity.
    public func droppingLowest(_ count: Int, by quantity: @escaping (GradedEntry) -> Quantity) -> GradedEntries {
        dropping(worst: count, by: [RankKey(quantity)])
    }

    /// Drops the worst `count` by several keys, except spared entries. Entries whose first key is undefined stay, but
    /// count nothing.
    public func dropping(
        worst count: Int, by keys: [RankKey], sparing isSpared: (GradedEntry) -> Bool = { _ in false }
    ) -> GradedEntries {
        let ranked = Ranking.order(self, by: keys).filter { !isSpared($0) }
        return dropping(ranked.suffix(Swift.max(0, count)))
    }

    /// Drops the best `count` by several keys, except spared entries.
    public func dropping(
        best count: Int, by keys: [RankKey], sparing isSpared: (GradedEntry) -> Bool = { _ in false }
    ) -> GradedEntries {
        let ranked = Ranking.order(self, by: keys).filter { !isSpared($0) }
        return dropping(ranked.prefix(Swift.max(0, count)))
    }

    private func dropping(_ entries: ArraySlice<GradedEntry>) -> GradedEntries {
        let dropped = Set(entries.map(\.index))
        return dropped.isEmpty ? self : keeping { !dropped.contains($0.index) }
    }

    /// Keeps only the best of the entries with the same key, ranked by several keys. The current figures decide this
    /// once for all assumptions, so that a better assumption never lets a worse attempt count.
    public func superseding<Key: Hashable>(
        by key: (GradedEntry) -> Key?, best keys: [RankKey]
    ) -> GradedEntries {
        superseding(by: key) { Ranking.isBetter($0, $1, by: keys) }
    }

    /// Keeps only the best of the entries with the same key. The current figures decide this once for all assumptions,
    /// so that a better assumption never lets a worse attempt count.
    public func superseding<Key: Hashable>(
        by key: (GradedEntry) -> Key?, isBetter: (GradedEntry, GradedEntry) -> Bool
    ) -> GradedEntries {
        var best: [Key: GradedEntry] = [:]
        var beaten: Set<Int> = []
        for entry in self {
            guard let key = key(entry.current) else { continue }
            guard let champion = best[key] else {
                best[key] = entry
                continue
            }
            let wins = isBetter(entry.current, champion.current)
            beaten.insert(wins ? champion.index : entry.index)
            if wins { best[key] = entry }
        }
        return keeping(as: .superseded) { !beaten.contains($0.index) }
    }

    /// The entries that an earlier rule took out because a better attempt counts.
    public var superseded: [GradedEntry] {
        var found: [GradedEntry] = []
        visit { entry, usage in if usage == .superseded { found.append(entry) } }
        return found
    }

    /// The entries grouped by a key, groups in the order of their first entry. An entry without a key is a group of its
    /// own.
    public func grouped<Key: Hashable>(by key: (GradedEntry) -> Key?) -> [GradedEntries] {
        var groups: [[Member]] = []
        var places: [Key: Int] = [:]
        for entry in self {
            if let key = key(entry) {
                if let place = places[key] {
                    groups[place].append(Member(index: entry.index))
                    continue
                }
                places[key] = groups.count
            }
            groups.append([Member(index: entry.index)])
        }
        return groups.map { GradedEntries(parent, Self.nowhere, $0) }
    }
}

@available(*, unavailable)
extension GradedEntries: Sendable {}
