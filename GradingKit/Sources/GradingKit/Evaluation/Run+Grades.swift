/// Resolves statuses and missing grades. No other code does.
extension Run {
    /// The index of a field's recorded value among those of the record; `nil` if the shape does not have the field.
    @inline(__always)
    func place(of field: NameKey, in index: Int) -> Int? {
        steps += 1
        let node = record.nodes[index]
        return rules.slot(of: field, in: node.kind).map { node.values + $0.slot }
    }

    /// The value of a field under this run's assumption.
    func quantity(of field: Field<Exact>, at index: Int) -> Quantity {
        steps += 1
        guard let (slot, isGrade) = rules.slot(of: field.key, in: record.nodes[index].kind) else {
            return .undefined(.missingField)
        }
        // The fast path of nearly every read: a number that is used as it is.
        if !tracing, !isGrade || (isPlain && status(of: index) == nil),
            case .number(let value) = record.values[record.nodes[index].values + slot]
        {
            return Quantity(value)
        }
        return resolved(slot, isGrade: isGrade, of: index, field)
    }

    @inline(never)
    private func resolved(_ slot: Int, isGrade: Bool, of index: Int, _ field: Field<Exact>) -> Quantity {
        let state = isGrade ? grade(slot, of: index, field) : number(slot, of: index)
        let quantity = traced(state, .input(entry: record.ids[index], field: field.name))
        return isGrade && record.isAdjusted ? adjusted(quantity, of: index, field.name) : quantity
    }

    /// A grade after its adjustments, each with its own line in the trace. A grade that a status sets is not adjusted.
    private func adjusted(_ grade: Quantity, of index: Int, _ field: String) -> Quantity {
        guard let adjustments = record.extra(of: index)?.adjustments, grade.isDefined,
            status(of: index).flatMap({ rules.statuses[$0].average.fixedShare }) == nil
        else { return grade }
        return adjustments.filter { $0.concerns(field) }.reduce(grade) { grade, adjustment in
            grade.mapped(.adjust(adjustment)) { adjustment($0) }
        }
    }

    func traced(_ state: Quantity.State, _ operation: @autoclosure () -> Trace.Operation) -> Quantity {
        guard let recording else { return Quantity(state, trace: nil) }
        let usage: Trace.Usage
        switch state {
        case .value: usage = .used
        case .undefined(.excused): usage = .dropped
        case .undefined: usage = .skipped
        }
        return Quantity(state, trace: recording.trace(operation(), state, usage: usage))
    }

    private func number(_ slot: Int, of index: Int) -> Quantity.State {
        switch record.values[record.nodes[index].values + slot] {
        case .number(let value): return .value(value)
        case .text(let letter):
            let points = rules.kinds[record.nodes[index].kind].grades[slot]?.points[letter]
            return points.map { .value($0) } ?? .undefined(.missingField)
        case .none, .unreadable, .flag: return .undefined(.missingField)
        }
    }

    /// The status that applies to the grades of an entry: its own unless that leaves grades unchanged, otherwise that of
    /// the nearest enclosing entry whose status sets or awaits a grade.
    func status(of index: Int) -> Status? {
        var node = record.nodes[index]
        if let own = node.status, rules.statuses[own].average != .counts { return own }
        while node.parent > 0 {
            node = record.nodes[node.parent]
            guard let status = node.status else { continue }
            let average = rules.statuses[status].average
            if average.fixedShare != nil || average == .pending { return status }
        }
        return nil
    }

    private func grade(_ slot: Int, of index: Int, _ field: Field<Exact>) -> Quantity.State {
        var isPending = false
        if let status = status(of: index) {
            switch rules.statuses[status].average {
            case .leaves: return .undefined(.excused)
            case .minimum: return .value(worst(slot, of: index))
            case .share(let share):
                guard let best = best(slot, of: index) else { return .undefined(.missingField) }
                let worst = worst(slot, of: index)
                return Quantity(worst + share * (best - worst)).state
            case .pending: isPending = true
            case .counts: break
            }
        }
        if !substitutes.isEmpty, let value = substitutes[Leaf(entry: record.ids[index], field: field.name)] {
            return .value(value)
        }
        if !isPending, case .value(let value) = number(slot, of: index), opened?.contains(record.ids[index]) != true {
            return .value(value)
        }
        let rule = rules.kinds[record.nodes[index].kind].grades[slot]
        return assumed(
            Leaf(entry: record.ids[index], field: field.name), best: best(slot, of: index),
            worst: rule?.worst ?? .zero, step: rule?.step ?? GradeRange.scaleStep, letters: rule?.letters ?? [])
            ?? .undefined(isPending ? .pendingGrade : .ungraded)
    }

    /// The worst grade of a field, by its name.
    func worst(of field: NameKey, at index: Int) -> Exact {
        rules.slot(of: field, in: record.nodes[index].kind).map { worst($0.slot, of: index) } ?? .zero
    }

    /// The worst grade of a field; 0 if the field is no grade.
    private func worst(_ slot: Int, of index: Int) -> Exact {
        rules.kinds[record.nodes[index].kind].grades[slot]?.worst ?? .zero
    }

    private func best(_ slot: Int, of index: Int) -> Exact? {
        guard let rule = rules.kinds[record.nodes[index].kind].grades[slot] else { return nil }
        if let best = rule.best { return best }
        guard let slot = rule.bestSlot, case .value(let best) = number(slot, of: index) else { return nil }
        return best
    }

    /// The value that the assumption gives an ungraded leaf; `nil` if it is skipped.
    func assumed(
        _ leaf: @autoclosure () -> Leaf, best: @autoclosure () -> Exact?, worst: @autoclosure () -> Exact,
        step: @autoclosure () -> Exact, letters: @autoclosure () -> [Band] = []
    ) -> Quantity.State? {
        noteUnsettled()
        if opened != nil, let best = best() {
            openings[leaf()] = GradeRange(worst: worst(), best: best, step: step(), letters: letters())
        }
        return switch assumption {
        case .current: nil
        case .floor: .value(worst())
        case .ceiling: best().map { .value($0) }
        }
    }
}
