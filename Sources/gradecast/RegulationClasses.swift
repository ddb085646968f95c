import Application
import GradingKit
import GradingLaws
import Regulations

/// Which entries of a document a class could grade, as while a document is being written.
struct RegulationClasses {
    /// A kind of entries with columns, and what keeps a class from grading them.
    struct Root {
        let kind: Kind
        let label: LocalizedText
        /// What keeps a class from it; `nil` if nothing does.
        let message: LocalizedText?
        /// Where the figure or outcome is declared that does.
        let place: RegulationPlace?
    }

    /// The kinds that stand in the record itself, in the order of the document. One for which it takes too much work to
    /// find out is left out.
    let roots: [Root]

    /// - Parameter work: the most work for all kinds together, in steps.
    init(_ regulation: Regulation, work: Int, counting meter: WorkMeter = WorkMeter()) {
        guard let rules = regulation.rulebook else {
            roots = []
            return
        }
        let laws = LawSuite(rules, records: RegulationDesk.records, work: work, meter: meter)
        let kinds = rules.shape.kinds.filter { $0.parent == .record && $0.copies == nil }.map(\.kind)
        roots = kinds.filter { MountingObstacle.misplacement(of: $0, under: rules) == nil }.compactMap { kind in
            let label = rules.label(of: kind)
            guard let found = laws.counterexample(toMounting: kind) else {
                return Root(kind: kind, label: label, message: nil, place: nil)
            }
            guard let figure = found.figure else { return nil }
            let fault = MountingObstacle(figure: figure, of: found.figureKind).fault(of: kind, under: rules)
            return Root(
                kind: kind, label: label, message: fault.wording,
                place: regulation.place(of: figure, in: found.figureKind))
        }
    }

    /// Each kind with its label, and if there is one, what keeps a class from it in the reader's language.
    func json(in language: Language) -> JSON {
        .array(
            roots.map { root in
                var item: JSONObject = ["kind": .string(root.kind.name), "label": root.label.json]
                item["message"] = root.message.map { .string($0(language)) }
                for member in root.place?.members ?? [:] { item[member.name] = member.value }
                return .object(item)
            })
    }
}
