/// An entry as calculators see it: its fields, figures and children as quantities under the run's assumption.
///
/// Valid only while the calculation that handed it out is running.
public struct GradedEntry {
    // Not counted, because entries come and go by the thousand. `Run.at` keeps the run alive while a formula has an entry
    // of it, and no entry outlives the formula: entries are not `Sendable` and formulas are `@Sendable` functions whose
    // results hold none, so that there is no place where one could be kept.
    private let reference: Unmanaged<Run>
    let index: Int

    fileprivate init(_ reference: Unmanaged<Run>, index: Int) {
        self.reference = reference
        self.index = index
    }

    /// Asks the run something, without counting a reference to it.
    @inline(__always)
    func asking<Answer>(_ question: (Run) -> Answer) -> Answer { reference._withUnsafeGuaranteedRef(question) }

    /// Another entry of the same run.
    @inline(__always)
    func other(_ index: Int) -> GradedEntry { GradedEntry(reference, index: index) }

    private var node: RecordNode { asking { $0.record.nodes[index] } }

    /// Which entry it is; of a group that of its member with the least identifier.
    public var id: EntryID { asking { $0.record.ids[index] } }
    /// Its status.
    public var status: Status? { node.status }
    /// What its status counts for.
    public var statusRule: StatusRule { asking { $0.rules.statuses[node.status] } }
    /// The entry in which it stands; the record stands in itself.
    public var parent: GradedEntry { other(node.parent) }

    /// Returns the copy of an earlier record of a kind that the record holds; `nil` while none was taken.
    public func earlier(_ kind: Kind) -> GradedEntry? {
        asking { run in
            let number = run.rules.index(of: kind)
            return run.record.copies.first { run.record.nodes[$0].kind == number }.map { other($0) }
        }
    }

    /// Whether its status, or that of an entry in which it stands, says that the grade is still to be decided, in a run
    /// that assumes nothing.
    public var awaitsGrade: Bool {
        asking { run in
            guard let status = run.status(of: index), run.rules.statuses[status].average == .pending else {
                return false
            }
            run.noteUnsettled()
            return run.assumption == .current && !run.substitutes.keys.contains { $0.entry == id }
        }
    }

    /// Whether that is so of the entry or of anything that stands in it.
    public var awaitsGradeInside: Bool {
        asking { run in
            if let group = run.record.groups?.group(index) {
                return group.members.contains { other($0).awaitsGradeInside }
            }
            return (index..<run.record.nodes[index].end).contains { other($0).awaitsGrade || run.awaitsGivenGrade($0) }
        }
    }

    /// The same entry as it stands now, whatever the run assumes: for rules such as repeats, which are decided once.
    public var current: GradedEntry {
        asking { run in run.reference.map { GradedEntry(Unmanaged.passUnretained($0), index: index) } ?? self }
    }

    /// A number field, as the run takes it.
    public subscript(field: Field<Exact>) -> Quantity { asking { $0.quantity(of: field, at: index) } }
    /// A whole-number field; `nil` when there is no value.
    public subscript(field: Field<Int>) -> Int? { stored(field) }
    /// A text field; `nil` when there is no value.
    public subscript(field: Field<String>) -> String? { stored(field) }
    /// A yes-or-no field; no value is no.
    public subscript(field: Field<Bool>) -> Bool { stored(field) ?? false }

    /// Whether a value is recorded in the field, whatever the run assumes.
    public func has<Value>(_ field: Field<Value>) -> Bool { stored(field) != nil }

    @inline(__always)
    private func stored<Value>(_ field: Field<Value>) -> Value? {
        asking { run in run.place(of: field.key, in: index).flatMap { Value(stored: run.record.values[$0]) } }
    }

    /// Another figure of this entry.
    public func figure(_ figure: Figure) -> Quantity {
        asking { run in
            guard let slot = run.rules.slot(ofFigure: figure.key, in: run.record.nodes[index].kind) else {
                return .undefined(.unknownField)
            }
            return run.figure(slot, of: index)
        }
    }

    /// The children of one kind, in their order; of a group its members, and the groups of a grouping in this entry.
    public func children(_ kind: Kind) -> GradedEntries {
        asking { run in
            let number = run.rules.index(of: kind)
            if let groups = run.record.groups, let number {
                if let group = groups.group(index) {
                    return GradedEntries(group.members.filter { run.record.nodes[$0].kind == number }, besides: self)
                }
                if number >= run.rules.shape.kinds.count {
                    return GradedEntries(groups.groups(of: number, in: index), besides: self)
                }
            }
            return GradedEntries(childrenOf: self, ofKind: number)
        }
    }

    /// Every entry of a kind that stands in this one, at whatever depth, in their order; in a group those that are members or
    /// stand in one.
    public func inside(_ kind: Kind) -> GradedEntries {
        asking { run in
            let number = run.rules.index(of: kind)
            guard let groups = run.record.groups, let number else { return GradedEntries(inside: self, ofKind: number) }
            let nodes = run.record.nodes
            if let group = groups.group(index) {
                let found = group.members.flatMap { member in
                    (member..<nodes[member].end).filter { nodes[$0].kind == number }
                }
                return GradedEntries(found, besides: self)
            }
            guard number >= run.rules.shape.kinds.count else { return GradedEntries(inside: self, ofKind: number) }
            let found = (groups.entryCount..<nodes.count).filter { place in
                nodes[place].kind == number && (index..<nodes[index].end).contains(nodes[place].parent)
            }
            return GradedEntries(found, besides: self)
        }
    }

    /// The member of a group with the least identifier, which has what all members share; of an entry itself.
    public var representative: GradedEntry {
        asking { run in run.record.groups?.group(index).map { other($0.least) } ?? self }
    }

    /// The group in which a grouping puts the entry; `nil` for an entry of another kind.
    public func group(_ grouping: Kind) -> GradedEntry? {
        asking { run in
            run.rules.index(of: grouping).flatMap { run.record.groups?.group(of: $0, with: index) }.map { other($0) }
        }
    }

    /// Takes a category, unit or course in which nothing counts yet as one ungraded leaf, from `worst` to `best`. A
    /// status that sets a grade makes it that one.
    public func orUngraded(_ quantity: Quantity, best: Exact, worst: Exact = 0) -> Quantity {
        guard !quantity.isDefined, quantity.cause != .tooPrecise else { return quantity }
        return asking { run in
            if let share = run.status(of: index).flatMap({ run.rules.statuses[$0].average.fixedShare }) {
                return run.traced(Quantity(worst + share * (best - worst)).state, .assumed(entry: id))
            }
            // The entry's name is made only where it is asked for.
            func leaf() -> Leaf { Leaf(entry: id, field: nil) }
            let substitute = run.substitutes.isEmpty ? nil : run.substitutes[leaf()].map { Quantity.State.value($0) }
            let state = substitute ?? run.assumed(leaf(), best: best, worst: worst, step: GradeRange.scaleStep)
            guard let state else { return quantity }
            return run.traced(state, .assumed(entry: id))
        }
    }

    /// A grade that is expected of an entry that is not there yet: `worst` in the current figure and the floor, `best` at the
    /// ceiling. A status of this entry that sets a grade makes it that one.
    public func expectedGrade(best: Exact, worst: Exact) -> Quantity {
        asking { run in
            if let share = run.status(of: index).flatMap({ run.rules.statuses[$0].average.fixedShare }) {
                return run.traced(Quantity(worst + share * (best - worst)).state, .assumed(entry: id))
            }
            run.noteUnsettled()
            return run.traced(.value(run.assumption == .ceiling ? best : worst), .assumed(entry: id))
        }
    }

    /// Takes one of the quantities that a formula chooses from. The others are computed where explanations show them.
    @inline(__always)
    public func taking(_ quantity: Quantity, besides others: () -> [Quantity]) -> Quantity {
        guard let recording = asking({ $0.recording }), recording.showsAlternatives else { return quantity }
        let trace = recording.trace(.choice, quantity.state, of: [quantity] + others())
        return Quantity(quantity.state, trace: trace)
    }

    /// Counts a missing grade as the lowest grade in the current figure. Floor and ceiling treat it as ungraded anyway.
    public func whenMissing(_ field: Field<Exact>, takesLeast: Bool) -> Quantity {
        let quantity = self[field]
        guard takesLeast, quantity.isUndefined(because: .ungraded) else { return quantity }
        return asking { run in
            run.traced(.value(run.worst(of: field.key, at: index)), .input(entry: id, field: field.name))
        }
    }
}

@available(*, unavailable)
extension GradedEntry: Sendable {}

extension Run {
    /// Lets a formula look at an entry, and stays alive meanwhile.
    @inline(__always)
    func at<Result>(_ index: Int, _ formula: (GradedEntry) -> Result) -> Result {
        withExtendedLifetime(self) { formula(GradedEntry(Unmanaged.passUnretained(self), index: index)) }
    }
}
