/// An entry as calculators see it: its fields, figures and children as quantities under the run's assumption.
///
/// Valid only while the calculation that handed it out is running.
public struct GradedEntry {
    let run: Run
    let index: Int

    private var flat: Run.Flat { run.flats[index] }
    private var kindShape: KindShape { run.rules.shape.kinds[flat.kind] }

    /// Which entry it is.
    public var id: EntryID { flat.id }
    /// Its status.
    public var status: Status? { flat.status }
    /// Whether its status says that the grade is still to be decided, in a run that assumes nothing.
    public var awaitsGrade: Bool { run.assumption == .current && statusRule.average == .pending }
    /// What its status counts for.
    public var statusRule: StatusRule { run.rules.statuses[flat.status] }
    /// The entry in which it stands; the record stands in itself.
    public var parent: GradedEntry { GradedEntry(run: run, index: flat.parent) }

    /// The same entry as it stands now, whatever the run assumes: for rules such as repeats, which are decided once.
    public var current: GradedEntry { GradedEntry(run: run.reference ?? run, index: index) }

    /// A number field, as the run takes it.
    public subscript(field: Field<Exact>) -> Quantity { run.quantity(of: field, at: index) }
    /// A whole-number field; `nil` when there is no value.
    public subscript(field: Field<Int>) -> Int? { stored(field) }
    /// A text field; `nil` when there is no value.
    public subscript(field: Field<String>) -> String? { stored(field) }
    /// A yes-or-no field; no value is no.
    public subscript(field: Field<Bool>) -> Bool { stored(field) ?? false }

    /// Whether a value is recorded in the field, whatever the run assumes.
    public func has(_ field: Field<Exact>) -> Bool { stored(field) != nil }

    private func stored<Value>(_ field: Field<Value>) -> Value? {
        guard let slot = kindShape.slot(of: field.key) else { return nil }
        return Value(stored: flat.values[slot])
    }

    /// Another figure of this entry.
    public func figure(_ figure: Figure) -> Quantity {
        guard let slot = run.rules.figures[flat.kind].firstIndex(where: { $0.figure.key == figure.key }) else {
            return .undefined(.unknownField)
        }
        return run.figure(slot, of: index)
    }

    /// The children of one kind, in their order.
    public func children(_ kind: Kind) -> GradedEntries {
        guard let number = run.rules.shape.index(of: kind) else { return GradedEntries(run: run, parent: index, []) }
        let range = flat.children
        if range.allSatisfy({ run.flats[$0].kind == number }) {
            return GradedEntries(run: run, parent: index, contiguous: range)
        }
        return GradedEntries(run: run, parent: index, range.filter { run.flats[$0].kind == number })
    }

    /// Takes a category, unit or course in which nothing counts yet as one ungraded leaf, at best `best`.
    public func orUngraded(_ quantity: Quantity, best: Exact) -> Quantity {
        guard let reason = quantity.reason, reason != .tooPrecise else { return quantity }
        if let value = run.substitutes[Leaf(entry: id, field: nil)] {
            return run.traced(.value(value), .assumed(entry: id))
        }
        guard let state = run.assumed(best: best) else { return quantity }
        return run.traced(state, .assumed(entry: id))
    }

    /// Takes a missing grade as the least one in the current figure. Floor and ceiling take it as ungraded anyway.
    public func whenMissing(_ field: Field<Exact>, takesLeast: Bool) -> Quantity {
        let quantity = self[field]
        guard takesLeast, quantity.reason == .ungraded else { return quantity }
        return run.traced(.value(.zero), .input(entry: id, field: field.name))
    }
}

/// Several entries of one kind, some of which a rule may have taken out.
public struct GradedEntries: Sequence {
    private enum Members {
        case contiguous(Range<Int>)
        case listed([Int])
    }

    let run: Run
    private let parent: Int
    private let members: Members
    /// Entries that stay in the explanation but count nothing, each with what became of it.
    private var marks: [Int: Trace.Usage] = [:]

    init(run: Run, parent: Int, contiguous range: Range<Int>) {
        self.run = run
        self.parent = parent
        members = .contiguous(range)
    }

    init(run: Run, parent: Int, _ indices: [Int]) {
        self.run = run
        self.parent = parent
        members = .listed(indices)
    }

    private var indices: [Int] {
        switch members {
        case .contiguous(let range): Array(range)
        case .listed(let indices): indices
        }
    }

    private func forEachIndex(_ body: (Int) -> Void) {
        switch members {
        case .contiguous(let range): for index in range { body(index) }
        case .listed(let indices): for index in indices { body(index) }
        }
    }

    /// The entries that count, in order.
    public func makeIterator() -> IndexingIterator<[GradedEntry]> {
        indices.filter { marks[$0] == nil }.map { GradedEntry(run: run, index: $0) }.makeIterator()
    }

    /// Whether there is no entry at all, not even one taken out.
    public var isEmpty: Bool {
        switch members {
        case .contiguous(let range): range.isEmpty
        case .listed(let indices): indices.isEmpty
        }
    }

    /// Takes out the entries that do not satisfy a condition.
    public func keeping(as usage: Trace.Usage = .dropped, where condition: (GradedEntry) -> Bool) -> GradedEntries {
        var copy = self
        forEachIndex { index in
            if copy.marks[index] == nil, !condition(GradedEntry(run: run, index: index)) { copy.marks[index] = usage }
        }
        return copy
    }

    /// Takes out entries whose status keeps them from the GPA.
    public var inGPA: GradedEntries { keeping { $0.statusRule.inGPA } }

    /// Keeps the best `count` by a quantity; of equal ones the earlier. Undefined ones stay: they count nothing.
    public func keeping(best count: Int, by quantity: (GradedEntry) -> Quantity) -> GradedEntries {
        let ranked = compactMap { entry in quantity(entry).value.map { (entry.index, $0) } }
            .sorted { ($1.1, $0.0) < ($0.1, $1.0) }
        let excess = Set(ranked.dropFirst(Swift.max(0, count)).map(\.0))
        return keeping { !excess.contains($0.index) }
    }

    /// Drops the lowest `count` by a quantity.
    public func droppingLowest(_ count: Int, by quantity: (GradedEntry) -> Quantity) -> GradedEntries {
        let defined = self.filter { quantity($0).isDefined }.count
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
        indices.filter { marks[$0] == .superseded }.map { GradedEntry(run: run, index: $0) }
    }

    /// The entries by a key, groups in the order of their first entry; those without key are groups of one.
    public func grouped<Key: Hashable>(by key: (GradedEntry) -> Key?) -> [GradedEntries] {
        var groups: [[Int]] = []
        var places: [Key: Int] = [:]
        forEachIndex { index in
            guard marks[index] == nil else { return }
            if let key = key(GradedEntry(run: run, index: index)) {
                if let place = places[key] { return groups[place].append(index) }
                places[key] = groups.count
            }
            groups.append([index])
        }
        return groups.map { GradedEntries(run: run, parent: parent, $0) }
    }

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
        forEachIndex { index in
            let entry = GradedEntry(run: run, index: index)
            let term = Term(of: entry, marked: marks[index], value, weight)
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
        if let mean = total.value.divided(by: weights.value) {
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
        forEachIndex { index in
            let entry = GradedEntry(run: run, index: index)
            let quantity = value(entry)
            let usage = marks[index] ?? .used
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
        of entry: GradedEntry, marked mark: Trace.Usage?, _ value: (GradedEntry) -> Quantity,
        _ weight: ((GradedEntry) -> Quantity)?
    ) {
        let quantity = value(entry)
        let weighting = weight?(entry)
        if let mark {
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
