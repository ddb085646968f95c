/// An entry as calculators see it: its fields, figures and children as quantities under the run's assumption.
///
/// Valid only while the calculation that handed it out is running.
public struct GradedEntry {
    let run: Run
    let index: Int

    private var node: RecordNode { run.record.nodes[index] }

    /// Which entry it is.
    public var id: EntryID { run.record.ids[index] }
    /// Its status.
    public var status: Status? { node.status }
    /// What its status counts for.
    public var statusRule: StatusRule { run.rules.statuses[node.status] }
    /// The entry in which it stands; the record stands in itself.
    public var parent: GradedEntry { GradedEntry(run: run, index: node.parent) }

    /// Whether its status, or that of an entry in which it stands, says that the grade is still to be decided, in a run that assumes nothing.
    public var awaitsGrade: Bool {
        guard let status = run.status(of: index), run.rules.statuses[status].average == .pending else { return false }
        run.noteUnsettled()
        return run.assumption == .current && !run.substitutes.keys.contains { $0.entry == id }
    }

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
        run.stored(field.key, of: index).flatMap { Value(stored: $0) }
    }

    /// Another figure of this entry.
    public func figure(_ figure: Figure) -> Quantity {
        guard let slot = run.rules.slot(ofFigure: figure.key, in: node.kind) else {
            return .undefined(.unknownField)
        }
        return run.figure(slot, of: index)
    }

    /// The children of one kind, in their order.
    public func children(_ kind: Kind) -> GradedEntries {
        GradedEntries(run: run, childrenOf: index, ofKind: run.rules.index(of: kind))
    }

    /// Takes a category, unit or course in which nothing counts yet as one ungraded leaf, from `worst` to `best`.
    public func orUngraded(_ quantity: Quantity, best: Exact, worst: Exact = 0) -> Quantity {
        guard let reason = quantity.reason, reason != .tooPrecise else { return quantity }
        if !run.substitutes.isEmpty, let value = run.substitutes[Leaf(entry: id, field: nil)] {
            return run.traced(.value(value), .assumed(entry: id))
        }
        let leaf = Leaf(entry: id, field: nil)
        let assumed = run.assumed(leaf, best: best, worst: worst, step: GradeRange.scaleStep)
        guard let state = assumed else { return quantity }
        return run.traced(state, .assumed(entry: id))
    }

    /// Takes a missing grade as the least one in the current figure. Floor and ceiling take it as ungraded anyway.
    public func whenMissing(_ field: Field<Exact>, takesLeast: Bool) -> Quantity {
        let quantity = self[field]
        guard takesLeast, quantity.reason == .ungraded else { return quantity }
        return run.traced(.value(run.worst(of: field.key, at: index)), .input(entry: id, field: field.name))
    }
}
