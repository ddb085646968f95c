/// How ungraded leaves are taken.
public enum Assumption: Sendable, CaseIterable {
    /// As they are: skipped. Gives the current figure.
    case current
    /// At their least. Gives the guaranteed figure.
    case floor
    /// At their best. Gives the best reachable figure.
    case ceiling
}

/// A leaf whose grade a goal or a what-if sets: a field of an entry, or (without field) an empty group.
public struct Leaf: Hashable, Sendable {
    /// The entry.
    public let entry: EntryID
    /// The grade field; `nil` for a category or unit in which nothing counts yet.
    public let field: String?

    /// A leaf.
    public init(entry: EntryID, field: String?) {
        self.entry = entry
        self.field = field
    }
}

/// One evaluation of one record under one assumption. Lives for that evaluation only.
final class Run {
    /// An entry in breadth-first order, so that siblings lie side by side.
    struct Flat {
        let id: EntryID
        let kind: Int
        let status: Status?
        let values: [FieldValue]
        let parent: Int
        var children = 0..<0
        /// Where its figures stand in `memo`.
        let figures: Int
    }

    enum Memo {
        case open
        case computing
        case done(Quantity)
    }

    let rules: CompiledScheme
    let assumption: Assumption
    let tracing: Bool
    let substitutes: [Leaf: Exact]
    /// The current run, for one that assumes something; a run that assumes nothing is its own.
    let reference: Run?
    private(set) var flats: [Flat] = []
    private var memo: [Memo] = []
    private(set) var overflowed = false

    init(
        _ tree: RecordTree, by rules: CompiledScheme, under assumption: Assumption, tracing: Bool = false,
        substituting substitutes: [Leaf: Exact] = [:], besides reference: Run? = nil
    ) {
        self.rules = rules
        self.assumption = assumption
        self.tracing = tracing
        self.substitutes = substitutes
        self.reference = reference
        flatten(tree.root)
    }

    private func flatten(_ root: Entry) {
        var queue = [root]
        append(root, in: 0)
        var next = 0
        while next < queue.count {
            let children = queue[next].children
            flats[next].children = flats.count..<(flats.count + children.count)
            for child in children {
                append(child, in: next)
                queue.append(child)
            }
            next += 1
        }
        memo = [Memo](repeating: .open, count: figureCount)
    }

    private var figureCount = 0

    private func append(_ entry: Entry, in parent: Int) {
        flats.append(
            Flat(
                id: entry.id, kind: entry.kind, status: entry.status, values: entry.values, parent: parent,
                figures: figureCount))
        figureCount += rules.figures[entry.kind].count
    }

    /// The record.
    var root: GradedEntry { GradedEntry(run: self, index: 0) }

    /// A figure of an entry, computed when first asked for.
    func figure(_ slot: Int, of index: Int) -> Quantity {
        let place = flats[index].figures + slot
        switch memo[place] {
        case .done(let quantity): return quantity
        case .computing: return .undefined(.circular)
        case .open: break
        }
        memo[place] = .computing
        let figure = rules.figures[flats[index].kind][slot]
        let quantity = finished(
            figure.formula(GradedEntry(run: self, index: index)), figure.presentation, figure.figure.name, of: index)
        memo[place] = .done(quantity)
        return quantity
    }

    /// Applies the configured stages and gives the figure its own line in the trace.
    private func finished(
        _ result: Quantity, _ presentation: Presentation?, _ name: String, of index: Int
    ) -> Quantity {
        var quantity = result
        for step in presentation?.rule.stages ?? [] { quantity = quantity.rounded(step) }
        if quantity.reason == .tooPrecise { overflowed = true }
        guard tracing else { return quantity }
        return Quantity(
            quantity.state,
            trace: Trace(.figure(name, entry: flats[index].id), quantity.state, [quantity.traceOrConstant]))
    }

    /// The members of a family, by their whole names.
    func members(of family: CompiledFamily) -> [(name: String, quantity: Quantity)] {
        family.formulas(root).map { key, value in
            let name = "\(family.figure.name):\(key)"
            return (name, finished(value, family.presentation, name, of: 0))
        }
    }

    /// The value of a field as this run takes it: statuses and missing grades are resolved here and nowhere else.
    func quantity<Value>(of field: Field<Value>, at index: Int) -> Quantity {
        let flat = flats[index]
        let shape = rules.shape.kinds[flat.kind]
        guard let slot = shape.slot(of: field.key) else { return .undefined(.missingField) }
        let state: Quantity.State
        if shape.fields[slot].isGrade {
            state = grade(shape.fields[slot], slot: slot, of: flat, at: index)
        } else if case .number(let value) = flat.values[slot] {
            state = .value(value)
        } else {
            state = .undefined(.missingField)
        }
        return traced(state, .input(entry: flat.id, field: field.name))
    }

    func traced(_ state: Quantity.State, _ operation: @autoclosure () -> Trace.Operation) -> Quantity {
        guard tracing else { return Quantity(state, trace: nil) }
        let usage: Trace.Usage
        switch state {
        case .value: usage = .used
        case .undefined(.excused): usage = .dropped
        case .undefined: usage = .skipped
        }
        return Quantity(state, trace: Trace(operation(), state, usage: usage))
    }

    private func grade(_ field: FieldShape, slot: Int, of flat: Flat, at index: Int) -> Quantity.State {
        if let status = flat.status {
            switch rules.statuses[status].average {
            case .leaves: return .undefined(.excused)
            case .minimum: return .value(.zero)
            case .pending: return assumed(best: best(field, at: index)) ?? .undefined(.pendingGrade)
            case .counts: break
            }
        }
        if !substitutes.isEmpty, let value = substitutes[Leaf(entry: flat.id, field: field.name)] {
            return .value(value)
        }
        if case .number(let value) = flat.values[slot] { return .value(value) }
        return assumed(best: best(field, at: index)) ?? .undefined(.ungraded)
    }

    private func best(_ field: FieldShape, at index: Int) -> Exact? {
        if let best = field.bestGrade { return best }
        return field.bestGradeField.flatMap { quantity(of: Field<Exact>($0), at: index).value }
    }

    /// What the assumption makes of an ungraded leaf; `nil` when it is skipped.
    func assumed(best: Exact?) -> Quantity.State? {
        switch assumption {
        case .current: nil
        case .floor: .value(.zero)
        case .ceiling: best.map { .value($0) }
        }
    }
}
