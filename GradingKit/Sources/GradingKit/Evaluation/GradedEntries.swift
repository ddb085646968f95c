/// Several entries of one kind, some of which a rule may have taken out.
public struct GradedEntries: Sequence {
    /// An entry of the run in which they stand; which one does not matter.
    private let origin: GradedEntry
    /// The numbers of the members; empty for children, which need no list.
    private var list: [Int] = []
    /// Where children of the kind begin and end; nowhere for a list.
    private var (first, end, kind) = (0, 0, 0)
    /// What became of each member: the ones taken out stay in the explanation and count nothing. Empty while all count.
    private var marks: [Trace.Usage] = []

    init(childrenOf parent: GradedEntry, ofKind kind: Int?) {
        origin = parent
        guard let kind else { return }
        (first, end, self.kind) = (parent.index + 1, parent.asking { $0.record.nodes[parent.index].end }, kind)
    }

    private init(_ list: [Int], with origin: GradedEntry) {
        self.origin = origin
        self.list = list
    }

    /// Whether what is computed is explained.
    private var isTracing: Bool { origin.asking { $0.tracing } }

    /// Goes through all members in order, those that were taken out included, while `body` says so.
    @inline(__always)
    private func visitWhile(_ body: (_ entry: GradedEntry, _ usage: Trace.Usage) -> Bool) {
        var place = 0
        var index = first
        while index < end {
            let node = origin.asking { $0.record.nodes[index] }
            if node.kind == kind {
                guard body(origin.other(index), marks.isEmpty ? .used : marks[place]) else { return }
                place += 1
            }
            index = node.end
        }
        for index in list {
            guard body(origin.other(index), marks.isEmpty ? .used : marks[place]) else { return }
            place += 1
        }
    }

    /// Goes through all members in order, those that were taken out included.
    @inline(__always)
    private func visit(_ body: (_ entry: GradedEntry, _ usage: Trace.Usage) -> Void) {
        visitWhile { entry, usage in
            body(entry, usage)
            return true
        }
    }

    /// Goes through the entries that count, in order.
    public struct Iterator: IteratorProtocol {
        private let entries: GradedEntries
        /// How many members have been passed.
        private var place = 0
        /// The entry that may be next, for children.
        private var following: Int

        fileprivate init(_ entries: GradedEntries) {
            self.entries = entries
            following = entries.first
        }

        /// The next entry that counts.
        public mutating func next() -> GradedEntry? {
            while let index = nextMember() {
                defer { place += 1 }
                if entries.marks.isEmpty || entries.marks[place] == .used {
                    return entries.origin.other(index)
                }
            }
            return nil
        }

        private mutating func nextMember() -> Int? {
            while following < entries.end {
                let index = following
                let node = entries.origin.asking { $0.record.nodes[index] }
                following = node.end
                if node.kind == entries.kind { return index }
            }
            return place < entries.list.count ? entries.list[place] : nil
        }
    }

    /// The entries that count, in order.
    public func makeIterator() -> Iterator { Iterator(self) }

    /// How many entries count.
    public var underestimatedCount: Int { marks.isEmpty ? memberCount : marks.count { $0 == .used } }

    /// Whether one of the entries that count satisfies a condition.
    public func contains(where condition: (GradedEntry) -> Bool) -> Bool {
        var found = false
        visitWhile { entry, usage in
            found = usage == .used && condition(entry)
            return !found
        }
        return found
    }

    /// What becomes of the entries that count, in order.
    public func map<Result>(_ transform: (GradedEntry) -> Result) -> [Result] {
        var results: [Result] = []
        results.reserveCapacity(underestimatedCount)
        visit { entry, usage in if usage == .used { results.append(transform(entry)) } }
        return results
    }

    /// The entries that count and satisfy a condition, in order.
    public func filter(_ condition: (GradedEntry) -> Bool) -> [GradedEntry] {
        var found: [GradedEntry] = []
        visit { entry, usage in if usage == .used, condition(entry) { found.append(entry) } }
        return found
    }

    /// Whether there is no entry at all, not even one taken out.
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
        var copy = self
        var (place, marks) = (0, marks)
        visit { entry, mark in
            if mark == .used, !condition(entry) {
                if marks.isEmpty { marks = [Trace.Usage](repeating: .used, count: memberCount) }
                marks[place] = usage
            }
            place += 1
        }
        copy.marks = marks
        return copy
    }

    private var memberCount: Int {
        var count = 0
        visit { _, _ in count += 1 }
        return count
    }

    /// Takes out entries whose status keeps them from the GPA.
    public var inGPA: GradedEntries { keeping { $0.status == nil || $0.statusRule.inGPA } }

    /// Keeps the best `count` by a quantity; of equal ones the earlier. Undefined ones stay: they count nothing.
    public func keeping(best count: Int, by quantity: (GradedEntry) -> Quantity) -> GradedEntries {
        let ranked = compactMap { entry in quantity(entry).value.map { (entry.index, $0) } }
            .sorted { ($1.1, $0.0) < ($0.1, $1.0) }
        let excess = Set(ranked.dropFirst(Swift.max(0, count)).map(\.0))
        return keeping { !excess.contains($0.index) }
    }

    /// Drops the lowest `count` by a quantity.
    public func droppingLowest(_ count: Int, by quantity: (GradedEntry) -> Quantity) -> GradedEntries {
        let defined = self.count { quantity($0).isDefined }
        return keeping(best: defined - count, by: quantity)
    }

    /// Keeps, of those that compete under the same key, only the best. Decided on the current figures, once for all
    /// assumptions, so that a better assumption never lets a worse attempt count.
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

    /// Those that an earlier rule has taken out in favour of another.
    public var superseded: [GradedEntry] {
        var found: [GradedEntry] = []
        visit { entry, usage in if usage == .superseded { found.append(entry) } }
        return found
    }

    /// The entries by a key, groups in the order of their first entry; those without key are groups of one.
    public func grouped<Key: Hashable>(by key: (GradedEntry) -> Key?) -> [GradedEntries] {
        var groups: [[Int]] = []
        var places: [Key: Int] = [:]
        for entry in self {
            if let key = key(entry) {
                if let place = places[key] {
                    groups[place].append(entry.index)
                    continue
                }
                places[key] = groups.count
            }
            groups.append([entry.index])
        }
        return groups.map { GradedEntries($0, with: origin) }
    }
}

/// Folding entries into one quantity.
extension GradedEntries {
    /// The weighted mean of a quantity: Σ value × weight / Σ weight over the entries for which both are defined.
    ///
    /// An entry that has no value drops out together with its weight; one of weight 0 adds nothing; one whose status
    /// leaves averages is out. Without any weight the mean is undefined for `reason`, or `excused` when statuses took
    /// out every entry.
    public func mean(
        of value: (GradedEntry) -> Quantity, weightedBy weight: ((GradedEntry) -> Quantity)? = nil,
        orReason reason: FaultCode = .noGrades
    ) -> Quantity {
        let isTracing = isTracing
        var (total, weights) = (ExactSum(), ExactSum())
        var terms: [Trace] = []
        var (excused, others) = (0, 0)
        visit { entry, mark in
            guard mark == .used || isTracing else {
                if mark == .dropped { excused += 1 } else if mark == .skipped { others += 1 }
                return
            }
            let quantity = value(entry)
            let weighting = if let weight { weight(entry) } else { Quantity.one }
            var usage = mark
            if mark == .used {
                if quantity.isUndefined(because: .excused) || entry.leavesAverages {
                    usage = .dropped
                } else if quantity.isDefined, weighting.isDefined, !weighting.number.isZero {
                    total.add(quantity.number, times: weighting.number)
                    weights.add(weighting.number)
                } else {
                    usage = .skipped
                }
            }
            switch usage {
            case .used, .skipped: others += 1
            case .dropped: excused += 1
            case .superseded: break
            }
            if isTracing {
                let parts = [quantity.traceOrConstant] + (weight == nil ? [] : [weighting.traceOrConstant])
                terms.append(Trace(.term(entry: entry.id), quantity.state, parts, usage: usage))
            }
        }
        let state: Quantity.State
        if let mean = total.divided(by: weights) {
            state = Quantity.bounded(mean)
        } else {
            state = .undefined(excused > 0 && others == 0 ? .excused : reason)
        }
        return Quantity(state, trace: isTracing ? Trace(.mean, state, terms) : nil)
    }

    /// The sum of a quantity over the entries that count; undefined as soon as one of them is, 0 for no entry.
    public func sum(of value: (GradedEntry) -> Quantity) -> Quantity {
        let isTracing = isTracing
        var total = ExactSum()
        var reason: FaultCode?
        var terms: [Trace] = []
        visit { entry, usage in
            guard usage == .used || isTracing else { return }
            let quantity = value(entry)
            if usage == .used {
                if quantity.isDefined { total.add(quantity.number) } else { reason = reason ?? quantity.cause }
            }
            if isTracing {
                terms.append(
                    Trace(.term(entry: entry.id), quantity.state, [quantity.traceOrConstant], usage: usage))
            }
        }
        let state = reason.map { Quantity.State.undefined($0) } ?? Quantity.bounded(total.value)
        return Quantity(state, trace: isTracing ? Trace(.sum, state, terms) : nil)
    }
}

@available(*, unavailable)
extension GradedEntries: Sendable {}

extension GradedEntry {
    /// Whether its status takes it out of averages.
    fileprivate var leavesAverages: Bool { status != nil && statusRule.average == .leaves }
}
