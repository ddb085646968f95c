import GradingKit

/// Laws about what figures do when the record changes in a way that should not matter.
extension LawSuite {
    func checkEmpty(_ found: inout LawFindings) {
        guard let standing = try? rules.standing(of: rules.emptyRecord) else {
            return found.add(.emptyIsUndefined, "the empty record has no standing", .empty)
        }
        // A figure without floor and ceiling counts something, and nothing can be counted.
        for figure in standing.figures where figure.presentation.hasRange {
            for state in [figure.current, figure.floor, figure.ceiling] {
                guard case .value(let value) = state else { continue }
                found.add(.emptyIsUndefined, "\(figure.name) is \(value)", .empty)
            }
        }
        for outcome in standing.outcomes where outcome.decision.state == .met {
            found.add(.emptyIsUndefined, "\(outcome.name) is met", .empty)
        }
    }

    func checkOrder(
        _ record: GeneratedRecord, _ snapshot: Snapshot, _ dice: inout SeededGenerator, _ found: inout LawFindings
    ) {
        let other = record.shuffled(using: &dice)
        guard let tree = try? rules.tree(of: other), let standing = try? rules.standing(of: tree) else {
            return found.add(.orderIsIrrelevant, "another order is refused", record)
        }
        if let difference = Snapshot(standing).difference(from: snapshot) {
            found.add(.orderIsIrrelevant, difference, record)
        }
    }

    /// Doubles points and maximum of all children of one parent that the law is about.
    func checkScale(
        _ record: GeneratedRecord, _ snapshot: Snapshot, _ dice: inout SeededGenerator, _ found: inout LawFindings
    ) {
        let lists =
            [("/entries", record.entries)]
            + record.places.map { ($0.pointer + "/children", $0.entry["children"]?.array ?? []) }
        let candidates = lists.compactMap { pointer, siblings in
            scalable(siblings).map { (pointer: pointer, siblings: siblings, fields: $0) }
        }
        guard let (pointer, siblings, fields) = dice.pick(candidates) else { return }
        let scaled = record.replacing(at: pointer) { _ in
            .array(siblings.map { sibling in fields.reduce(sibling) { $0.doubled($1) } })
        }
        guard let tree = try? rules.tree(of: scaled), let standing = try? rules.standing(of: tree),
            let difference = Snapshot(standing).difference(from: snapshot)
        else { return }
        found.add(.scaleIsIrrelevant, difference, record)
    }

    /// The fields for points and maximum of siblings, if all have a maximum, none is in percent, and weights are
    /// explicit or all default.
    private func scalable(_ siblings: [JSON]) -> [String]? {
        let names = Set(siblings.map(\.kindName))
        guard names.count == 1, let kind = rules.shape.kinds.first(where: { names.contains($0.kind.name) }),
            let points = kind.fields.first(where: { $0.bestGradeField != nil }), let maximum = points.bestGradeField
        else { return nil }
        for field in kind.fields where field.name != points.name {
            let given = siblings.count { $0.value(field) != nil }
            if field.name == maximum, given != siblings.count { return nil }
            if field.isGrade, given > 0 { return nil }
            if field.content == .number, given > 0, given < siblings.count { return nil }
        }
        return [points.name, maximum]
    }

    func checkRange(of standing: Standing, isBeyond: Bool, _ record: GeneratedRecord, _ found: inout LawFindings) {
        let subjects = [("the record", standing.figures)] + standing.entries.map { ($0.entry.text, $0.figures) }
        for (subject, figures) in subjects {
            for figure in figures where figure.presentation.hasRange {
                guard case .value(let floor) = figure.floor, case .value(let ceiling) = figure.ceiling else { continue }
                let range = "\(figure.name) of \(subject): \(floor)…\(ceiling)"
                let better = figure.presentation.rule.better
                if !better.reaches(ceiling, floor) { found.add(.floorBelowCeiling, range, record) }
                guard !isBeyond, case .value(let current) = figure.current else { continue }
                if !better.reaches(current, floor) || !better.reaches(ceiling, current) {
                    found.add(.currentInRange, "\(range), \(current)", record)
                }
            }
        }
    }

    func checkDeterminism(
        _ tree: RecordTree, _ snapshot: Snapshot, _ record: GeneratedRecord, _ found: inout LawFindings
    ) {
        func compare(_ name: String, _ tree: RecordTree?) {
            guard let tree, let standing = try? rules.standing(of: tree) else {
                return found.add(.isDeterministic, "\(name): no standing", record)
            }
            if let difference = Snapshot(standing).difference(from: snapshot) {
                found.add(.isDeterministic, "\(name): \(difference)", record)
            }
        }
        compare("without traces", tree)
        compare("read back", stored(tree))
    }

    private func stored(_ tree: RecordTree) -> RecordTree? {
        var (fields, entries) = (JSONWriter(), JSONWriter())
        tree.writeFields(to: &fields)
        tree.writeEntries(to: &entries)
        guard let fields = try? JSON.parse(fields.bytes), let entries = try? JSON.parse(entries.bytes) else {
            return nil
        }
        return try? rules.storedRecord(fields: fields, entries: entries)
    }
}

extension JSON {
    /// An entry with one of its numbers doubled.
    fileprivate func doubled(_ field: String) -> JSON {
        replacing(at: "/fields" + JSONPointer.step(field)) { $0?.exact.map { ($0 * 2).json } ?? $0 }
    }
}
