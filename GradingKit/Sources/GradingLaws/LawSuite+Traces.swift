import GradingKit

/// Laws about explanations.
extension LawSuite {
    func checkTraces(of standing: Standing, _ record: GeneratedRecord, _ found: inout LawFindings) {
        let leaves = leaves(of: record)
        let subjects =
            [(id: "", standing.figures, standing.traces)]
            + standing.entries.map { (id: $0.entry.text, $0.figures, $0.traces) }
        let gradeFields = Set(rules.shape.kinds.flatMap { $0.fields.filter(\.isGrade).map(\.name) })
        for (id, figures, traces) in subjects {
            let inside = leaves.filter { id.isEmpty || $0.ancestors.contains(id) }
            let known = Dictionary(figures.map { ($0.name, $0) }) { first, _ in first }
            for (name, trace) in traces {
                // The trace is computed once more and walked twice.
                meter.add(Self.stepsOfTrace)
                guard hasTime else { return }
                let subject = LawSubject(name: name, entry: id.isEmpty ? nil : id)
                guard let figure = known[name] else {
                    found.add(.tracesReevaluate, "\(name) is explained and not there", record, about: subject)
                    continue
                }
                if let detail = Self.contradiction(of: trace, with: figure) {
                    found.add(.tracesReevaluate, detail, record, about: subject)
                }
                let family = name.contains(":")
                if let finding = miscount(in: trace, of: figure, at: id, among: inside, gradeFields, isWhole: !family) {
                    found.add(.gradesCountOnce, finding, record, about: subject)
                }
            }
        }
    }

    private static let stepsOfTrace = 300

    /// How a trace contradicts its figure.
    static func contradiction(of trace: Trace, with figure: StandingFigure) -> String? {
        let again = trace.reevaluated()
        return again == figure.current ? nil : "\(figure.name) is \(figure.current), its trace gives \(again)"
    }

    /// Finds a grade that a figure's own formula counts twice, or not at all although the formula uses its field. Of
    /// two alternative grades one may count: a formula uses the part after `otherwise` and a branch that it did not
    /// take, and both count once together with the part that it took. A formula that mentions another grade of the
    /// entry, or the entry as a term, has used the entry. Other figures answer for their own grades: two averages may
    /// use the same grades, and a third may combine both. A figure of one of several groups need not mention the
    /// others.
    private func miscount(
        in trace: Trace, of figure: StandingFigure, at id: String, among leaves: [GradedLeaf],
        _ gradeFields: Set<String>, isWhole: Bool
    ) -> LocalizedText? {
        let grades = Set(leaves.map(\.grade))
        var own: [GradeField: (nodes: [Trace], ways: Int)] = [:]
        trace.walk(intoFigures: false) { node, ways in
            guard case .input(let entry, let field) = node.operation else { return }
            let grade = GradeField(entry: entry.text, field: field)
            guard grades.contains(grade) else { return }
            let known = own[grade] ?? ([], 0)
            let (sum, overflow) = known.ways.addingReportingOverflow(ways)
            own[grade] = (known.nodes + [node], overflow ? .max : sum)
        }
        let several = own.filter { $0.value.ways > 1 }.sorted { $0.key.entry < $1.key.entry }
        for (grade, mentions) in several {
            let count = trace.uses(of: mentions.nodes)
            guard count > 1, let leaf = leaves.first(where: { $0.grade == grade }) else { continue }
            return LawWords.twice(figure, words(of: leaf, at: id), count)
        }
        guard isWhole else { return nil }
        var (seen, looked): (Set<GradeField>, Set<String>) = ([], [])
        trace.walk { node, _ in
            switch node.operation {
            case .input(let entry, let field) where gradeFields.contains(field):
                seen.insert(GradeField(entry: entry.text, field: field))
                looked.insert(entry.text)
            case .term(let entry): looked.insert(entry.text)
            default: break
            }
        }
        let places = Set(leaves.filter { seen.contains($0.grade) }.map(\.place))
        guard let lost = leaves.first(where: { places.contains($0.place) && !looked.contains($0.grade.entry) }) else {
            return nil
        }
        return LawWords.unseen(figure, words(of: lost, at: id))
    }

    /// A grade in words, as a figure of the entry `id` sees it.
    private func words(of leaf: GradedLeaf, at id: String) -> LocalizedText {
        let kind = rules.shape.kinds.first { $0.kind.name == leaf.kind }
        let field = kind?.fields.first { $0.name == leaf.grade.field }
        let label = field?.label ?? LocalizedText(verbatim: leaf.grade.field)
        return LawWords.thing(label, in: leaf.grade.entry == id ? nil : rules.label(of: Kind(leaf.kind)))
    }

    /// Whether a figure leaves out an entry with a recorded grade because it needs others that are still to come. The
    /// guaranteed figure may count that grade and so be better than the current one.
    func leavesOut(_ trace: Trace, of record: GeneratedRecord) -> Bool {
        let graded = leaves(of: record).reduce(into: Set<String>()) { $0.formUnion($1.ancestors) }
        var isFound = false
        trace.walk { node, _ in
            guard case .term(let entry) = node.operation, node.usage == .skipped, graded.contains(entry.text),
                case .undefined? = node.children.first?.state
            else { return }
            isFound = true
        }
        return isFound
    }

    /// Every recorded grade with the entries that contain it, its own entry included.
    private func leaves(of record: GeneratedRecord) -> [GradedLeaf] {
        // Parents come before their children, so the ancestors of an entry are the last ones whose pointers are
        // prefixes of its own.
        var around: [(pointer: String, id: String)] = []
        return record.places.flatMap { place -> [GradedLeaf] in
            while let last = around.last, !place.pointer.hasPrefix(last.pointer + "/") { around.removeLast() }
            around.append((place.pointer, place.entry["id"]?.string ?? ""))
            guard let kind = rules.shape.kinds.first(where: { $0.kind.name == place.entry.kindName }) else { return [] }
            let ancestors = Set(around.map(\.id))
            return kind.fields.filter { $0.isGrade && place.entry.value($0) != nil }.map { field in
                GradedLeaf(
                    grade: GradeField(entry: place.entry["id"]?.string ?? "", field: field.name), kind: kind.kind.name,
                    ancestors: ancestors)
            }
        }
    }
}

/// A grade field of an entry.
private struct GradeField: Hashable {
    let entry: String
    let field: String
}

/// A recorded grade and the entries that contain it.
private struct GradedLeaf {
    let grade: GradeField
    let kind: String
    let ancestors: Set<String>

    /// The field of the kind.
    var place: [String] { [kind, grade.field] }
}
