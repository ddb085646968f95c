/// Several entries of one kind, some of which a rule may have taken out.
public struct GradedEntries: Sequence {
    private enum Members {
        case range(Range<Int>)
        case list([Int])
    }

    let run: Run
    private let members: Members
    /// What became of each member: the ones taken out stay in the explanation and count nothing. Empty while all count.
    private var marks: [Trace.Usage] = []

    init(run: Run, _ range: Range<Int>) {
        self.run = run
        members = .range(range)
    }

    init(run: Run, _ list: [Int]) {
        self.run = run
        members = .list(list)
    }

    private var memberCount: Int {
        switch members {
        case .range(let range): range.count
        case .list(let list): list.count
        }
    }

    private func member(_ place: Int) -> GradedEntry {
        switch members {
        case .range(let range): GradedEntry(run: run, index: range.lowerBound + place)
        case .list(let list): GradedEntry(run: run, index: list[place])
        }
    }

    private func usage(_ place: Int) -> Trace.Usage { marks.isEmpty ? .used : marks[place] }

    /// Goes through the entries that count, in order.
    public struct Iterator: IteratorProtocol {
        private let entries: GradedEntries
        private var place = 0

        fileprivate init(_ entries: GradedEntries) { self.entries = entries }

        /// The next entry that counts.
        public mutating func next() -> GradedEntry? {
            while place < entries.memberCount {
                defer { place += 1 }
                if entries.usage(place) == .used { return entries.member(place) }
            }
            return nil
        }
    }

    /// The entries that count, in order.
    public func makeIterator() -> Iterator { Iterator(self) }

    /// Whether there is no entry at all, not even one taken out.
    public var isEmpty: Bool { memberCount == 0 }
}

/// Rules that take entries out.
extension GradedEntries {
    /// Takes out the entries that do not satisfy a condition.
    public func keeping(as usage: Trace.Usage = .dropped, where condition: (GradedEntry) -> Bool) -> GradedEntries {
        var copy = self
        for place in 0..<memberCount where self.usage(place) == .used && !condition(member(place)) {
            if copy.marks.isEmpty { copy.marks = [Trace.Usage](repeating: .used, count: memberCount) }
            copy.marks[place] = usage
        }
        return copy
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
        (0..<memberCount).filter { usage($0) == .superseded }.map { member($0) }
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
        return groups.map { GradedEntries(run: run, $0) }
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
        var (total, weights) = (ExactSum(), ExactSum())
        var terms: [Trace] = []
        var (excused, others) = (0, 0)
        for place in 0..<memberCount {
            let term = Term(of: member(place), marked: usage(place), value, weight)
            switch term.usage {
            case .used:
                total.add(term.value, times: term.weight)
                weights.add(term.weight)
                others += 1
            case .skipped: others += 1
            case .dropped: excused += 1
            case .superseded: break
            }
            if let trace = term.trace { terms.append(trace) }
        }
        let state: Quantity.State
        if let mean = total.divided(by: weights) {
            state = Quantity.bounded(mean)
        } else {
            state = .undefined(excused > 0 && others == 0 ? .excused : reason)
        }
        return Quantity(state, trace: run.tracing ? Trace(.mean, state, terms) : nil)
    }

    /// The sum of a quantity over the entries that count; undefined as soon as one of them is, 0 for no entry.
    public func sum(of value: (GradedEntry) -> Quantity) -> Quantity {
        var total = ExactSum()
        var reason: FaultCode?
        var terms: [Trace] = []
        for place in 0..<memberCount {
            let (entry, usage) = (member(place), usage(place))
            guard usage == .used || run.tracing else { continue }
            let quantity = value(entry)
            if usage == .used {
                switch quantity.state {
                case .value(let value): total.add(value)
                case .undefined(let why): reason = reason ?? why
                }
            }
            if run.tracing {
                terms.append(
                    Trace(.term(entry: entry.id), quantity.state, [quantity.traceOrConstant], usage: usage))
            }
        }
        let state = reason.map { Quantity.State.undefined($0) } ?? Quantity.bounded(total.value)
        return Quantity(state, trace: run.tracing ? Trace(.sum, state, terms) : nil)
    }
}

/// One entry's part in a mean.
private struct Term {
    let usage: Trace.Usage
    var value = Exact.zero
    var weight = Exact.one
    var trace: Trace?

    init(
        of entry: GradedEntry, marked mark: Trace.Usage, _ value: (GradedEntry) -> Quantity,
        _ weight: ((GradedEntry) -> Quantity)?
    ) {
        guard mark == .used || entry.run.tracing else {
            usage = mark
            return
        }
        let quantity = value(entry)
        let weighting = weight?(entry)
        if mark != .used {
            usage = mark
        } else if quantity.reason == .excused || entry.status != nil && entry.statusRule.average == .leaves {
            usage = .dropped
        } else if let defined = quantity.value, let factor = weighting.map(\.value) ?? .one, !factor.isZero {
            usage = .used
            (self.value, self.weight) = (defined, factor)
        } else {
            usage = .skipped
        }
        if entry.run.tracing {
            let parts = [quantity.traceOrConstant] + (weighting.map { [$0.traceOrConstant] } ?? [])
            trace = Trace(.term(entry: entry.id), quantity.state, parts, usage: usage)
        }
    }
}
