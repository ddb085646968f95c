import GradingKit

/// Laws about how figures react when the record changes in a way that should not matter.
extension LawSuite {
    func checkEmpty(_ found: inout LawFindings) {
        guard let standing = try? rules.standing(of: rules.emptyRecord) else {
            return found.add(.emptyIsUndefined, "the empty record has no standing", .empty)
        }
        // Figures without floor and ceiling count something, and so do figures of points. Those may be 0.
        for figure in standing.figures where figure.presentation.hasRange && !figure.presentation.countsPoints {
            for state in [figure.current, figure.floor, figure.ceiling] {
                guard case .value(let value) = state else { continue }
                let finding = LocalizedText(
                    "“{figure}” is {value}", fr: "« {figure} » vaut {value}", zh: "“{figure}”为 {value}")
                found.add(
                    .emptyIsUndefined,
                    finding.filled(["figure": figure.presentation.label.json, "value": .string("\(value)")]), .empty,
                    about: LawSubject(name: figure.name, entry: nil))
            }
        }
        for outcome in standing.outcomes where outcome.decision.state == .met {
            let finding = LocalizedText("“{outcome}” is met", fr: "« {outcome} » est acquis", zh: "“{outcome}”已达成")
            found.add(
                .emptyIsUndefined, finding.filled(["outcome": rules.label(of: outcome.name, in: .record).json]), .empty,
                about: LawSubject(name: outcome.name, entry: nil))
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
            found.add(.orderIsIrrelevant, words(of: difference, in: record), record, about: difference.subject)
        }
    }

    /// Doubles points and maxima of all entries, not only of one category, because categories may be weighted by
    /// points.
    func checkScale(_ record: GeneratedRecord, _ standing: Standing, _ found: inout LawFindings) {
        let lists = [record.entries] + record.places.map { $0.entry["children"]?.array ?? [] }
        guard lists.allSatisfy(isScalable) else { return }
        let scaled = record.places.reduce(record) { record, place in
            guard let points = pointsField(of: place.entry), let maximum = points.bestGradeField else { return record }
            return [points.name, maximum].reduce(record) { $0.doubling($1, at: place.pointer) }
        }
        guard let tree = try? rules.tree(of: scaled), let other = try? rules.standing(of: tree) else { return }
        let countsPoints = rules.countsPoints
        let before = Snapshot(standing, besidePoints: countsPoints)
        if let difference = Snapshot(other, besidePoints: countsPoints).difference(from: before) {
            found.add(.scaleIsIrrelevant, words(of: difference, in: record), record, about: difference.subject)
        }
    }

    /// The field of an entry's points, if they have a maximum.
    private func pointsField(of entry: JSON) -> FieldShape? {
        rules.shape.kinds.first { $0.kind.name == entry.kindName }?.fields.first { $0.bestGradeField != nil }
    }

    /// Whether all siblings with points have a maximum, none is in percent, and weights are all explicit or all
    /// default.
    private func isScalable(_ siblings: [JSON]) -> Bool {
        let names = Set(siblings.map(\.kindName))
        for kind in rules.shape.kinds where names.contains(kind.kind.name) {
            guard let points = kind.fields.first(where: { $0.bestGradeField != nil }) else { continue }
            let siblings = siblings.filter { $0.kindName == kind.kind.name }
            for field in kind.fields where field.name != points.name {
                let given = siblings.count { $0.value(field) != nil }
                if field.name == points.bestGradeField, given != siblings.count { return false }
                if field.isGrade, given > 0 { return false }
                if field.content == .number, given > 0, given < siblings.count { return false }
            }
        }
        return true
    }

    func checkRange(of standing: Standing, isBeyond: Bool, _ record: GeneratedRecord, _ found: inout LawFindings) {
        let entries = standing.entries.map { (entry: String?.some($0.entry.text), $0.figures, $0.traces) }
        for (entry, figures, traces) in [(nil, standing.figures, standing.traces)] + entries {
            for figure in figures where figure.presentation.hasRange {
                guard case .value(let floor) = figure.floor, case .value(let ceiling) = figure.ceiling else { continue }
                let kind = entry.flatMap { entry in record.places.first { $0.entry["id"]?.string == entry } }
                func finding(_ current: Exact? = nil) -> LocalizedText {
                    LawWords.range(
                        of: figure, in: kind.map { rules.label(of: Kind($0.entry.kindName)) }, floor, ceiling, current)
                }
                let subject = LawSubject(name: figure.name, entry: entry)
                let better = figure.presentation.rule.better
                if !better.reaches(ceiling, floor) { found.add(.floorBelowCeiling, finding(), record, about: subject) }
                guard !isBeyond, case .value(let current) = figure.current else { continue }
                if !better.reaches(current, floor) || !better.reaches(ceiling, current) {
                    let trace = traces.first { $0.figure == figure.name }?.trace
                    if trace.map({ leavesOut($0, of: record) }) ?? false { continue }
                    found.add(.currentInRange, finding(current), record, about: subject)
                }
            }
        }
    }

    func checkDeterminism(
        _ tree: RecordTree, _ snapshot: Snapshot, _ record: GeneratedRecord, _ found: inout LawFindings
    ) {
        func compare(_ circumstances: LocalizedText, _ tree: RecordTree?) {
            func add(_ detail: LocalizedText, about subject: LawSubject? = nil) {
                let words = LocalizedText(
                    "{circumstances}, {detail}", fr: "{circumstances}, {detail}", zh: "{circumstances}，{detail}")
                let finding = words.filled(["circumstances": circumstances.json, "detail": detail.json])
                found.add(.isDeterministic, finding, record, about: subject)
            }
            guard let tree, let standing = try? rules.standing(of: tree) else {
                return add(LocalizedText("there is no standing", fr: "il n’y a pas de résultat", zh: "没有结果"))
            }
            if let difference = Snapshot(standing).difference(from: snapshot) {
                add(words(of: difference, in: record), about: difference.subject)
            }
        }
        compare(LocalizedText("without explanations", fr: "sans explications", zh: "不作解释时"), tree)
        compare(LocalizedText("read back", fr: "à la relecture", zh: "重新读取后"), stored(tree))
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

extension GeneratedRecord {
    /// The record with one number of an entry doubled.
    fileprivate func doubling(_ field: String, at pointer: String) -> GeneratedRecord {
        replacing(at: pointer + "/fields" + JSONPointer.step(field)) { $0?.exact.map { ($0 * 2).json } ?? $0 }
    }
}
