/// An entry as calculators see it: its fields, figures and children as quantities under the run's assumption.
///
/// Valid only during the calculation that provides it.
public struct GradedEntry {
    // Not reference-counted, because a calculation makes thousands of entries. `Run.at` keeps the run alive while a
    // formula uses its entries. No entry outlives the formula: entries are not `Sendable`, and formulas are `@Sendable`
    // functions whose results hold none, so no code can keep one.
    private let reference: Unmanaged<Run>
    let index: Int

    fileprivate init(_ reference: Unmanaged<Run>, index: Int) {
        self.reference = reference
        self.index = index
    }

    /// Reads from the run without counting a reference to it.
    @inline(__always)
    func asking<Answer>(_ question: (Run) -> Answer) -> Answer { reference._withUnsafeGuaranteedRef(question) }

    /// Another entry of the same run.
    @inline(__always)
    func other(_ index: Int) -> GradedEntry { GradedEntry(reference, index: index) }

    private var node: RecordNode { asking { $0.record.nodes[index] } }

    /// The entry's identifier; for a group, the smallest identifier of its members.
    public var id: EntryID { asking { $0.record.ids[index] } }
    /// Its status.
    public var status: Status? { node.status }
    /// How its status counts.
    public var statusRule: StatusRule { asking { $0.rules.statuses[node.status] } }
    /// The entry that contains it; the record contains itself.
    public var parent: GradedEntry { other(node.parent) }

    /// Returns the record's copy of an earlier record, by its kind; `nil` if there is none.
    public func earlier(_ kind: Kind) -> GradedEntry? {
        asking { run in
            let number = run.rules.index(of: kind)
            return run.record.copies.first { run.record.nodes[$0].kind == number }.map { other($0) }
        }
    }

    /// Whether its grade is still to be decided, by its own status or that of an entry that contains it. Only in a run
    /// without assumptions.
    public var awaitsGrade: Bool {
        asking { run in
            guard let status = run.status(of: index), run.rules.statuses[status].average == .pending else {
                return false
            }
            run.noteUnsettled()
            return run.assumption == .current && !run.substitutes.keys.contains { $0.entry == id }
        }
    }

    /// Whether ``awaitsGrade`` holds for the entry or for anything inside it.
    public var awaitsGradeInside: Bool {
        asking { run in
            if let group = run.record.groups?.group(index) {
                return group.members.contains { other($0).awaitsGradeInside }
            }
            return (index..<run.record.nodes[index].end).contains { other($0).awaitsGrade || run.awaitsGivenGrade($0) }
        }
    }

    /// The same entry in the run without assumptions, for rules such as repeats that are decided once.
    public var current: GradedEntry {
        asking { run in run.reference.map { GradedEntry(Unmanaged.passUnretained($0), index: index) } ?? self }
    }

    /// Looks at the entry as it is recorded, whatever the run assumes. A grade that is not recorded stays undefined.
    public func asRecorded<Result>(_ look: (GradedEntry) -> Result) -> Result {
        asking { $0.asRecorded(index, look) }
    }

    /// A number field under the run's assumption.
    public subscript(field: Field<Exact>) -> Quantity { asking { $0.quantity(of: field, at: index) } }
    /// A whole-number field; `nil` when there is no value.
    public subscript(field: Field<Int>) -> Int? { stored(field) }
    /// A text field; `nil` when there is no value.
    public subscript(field: Field<String>) -> String? { stored(field) }
    /// A yes-or-no field; no value means no.
    public subscript(field: Field<Bool>) -> Bool { stored(field) ?? false }

    /// Whether the field has a recorded value, whatever the run assumes.
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

    /// The children of one kind, in order. In a group its members; for a grouping, its groups in this entry.
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

    /// Every entry of a kind inside this one, at any depth, in order. In a group: its members and what is inside them.
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

    /// In a group, the member with the smallest identifier, which has the values that all members share; otherwise the
    /// entry itself.
    public var representative: GradedEntry {
        asking { run in run.record.groups?.group(index).map { other($0.least) } ?? self }
    }

    /// The group that contains the entry under a grouping; `nil` if the entry is of another kind.
    public func group(_ grouping: Kind) -> GradedEntry? {
        asking { run in
            run.rules.index(of: grouping).flatMap { run.record.groups?.group(of: $0, with: index) }.map { other($0) }
        }
    }

    /// Treats a category, unit or course in which nothing counts yet as one ungraded leaf between `worst` and `best`.
    /// If its status sets a grade, the result is that grade.
    public func orUngraded(_ quantity: Quantity, best: Exact, worst: Exact = 0) -> Quantity {
        guard !quantity.isDefined, quantity.cause != .tooPrecise else { return quantity }
        return asking { run in
            if let share = run.status(of: index).flatMap({ run.rules.statuses[$0].average.fixedShare }) {
                return run.traced(Quantity(worst + share * (best - worst)).state, .assumed(entry: id))
            }
            // A function, because only some calls need the entry's name.
            func leaf() -> Leaf { Leaf(entry: id, field: nil) }
            let substitute = run.substitutes.isEmpty ? nil : run.substitutes[leaf()].map { Quantity.State.value($0) }
            let state = substitute ?? run.assumed(leaf(), best: best, worst: worst, step: GradeRange.scaleStep)
            guard let state else { return quantity }
            return run.traced(state, .assumed(entry: id))
        }
    }

    /// The grade expected of an entry that does not exist yet: `worst` in the current figure and the floor, `best` at
    /// the ceiling. If this entry's status sets a grade, the result is that grade.
    public func expectedGrade(best: Exact, worst: Exact) -> Quantity {
        asking { run in
            if let share = run.status(of: index).flatMap({ run.rules.statuses[$0].average.fixedShare }) {
                return run.traced(Quantity(worst + share * (best - worst)).state, .assumed(entry: id))
            }
            run.noteUnsettled()
            return run.traced(.value(run.assumption == .ceiling ? best : worst), .assumed(entry: id))
        }
    }

    /// Takes one of the quantities between which a formula chooses. The others are computed only if explanations show
    /// them.
    @inline(__always)
    public func taking(_ quantity: Quantity, besides others: () -> [Quantity]) -> Quantity {
        guard let recording = asking({ $0.recording }), recording.showsAlternatives else { return quantity }
        let trace = recording.trace(.choice, quantity.state, of: [quantity] + others())
        return Quantity(quantity.state, trace: trace)
    }

    /// In the current figure, counts a missing grade as the lowest one. Floor and ceiling treat it as ungraded.
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
    /// Lets a formula use an entry, and keeps the run alive meanwhile.
    @inline(__always)
    func at<Result>(_ index: Int, _ formula: (GradedEntry) -> Result) -> Result {
        withExtendedLifetime(self) { formula(GradedEntry(Unmanaged.passUnretained(self), index: index)) }
    }
}
