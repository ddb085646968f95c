import GradingKit

/// Everything a standing says, as facts that can be compared whatever the order of entries.
struct Snapshot: Equatable {
    private var facts: [String: String] = [:]

    init(_ standing: Standing) {
        add(standing.figures, standing.outcomes, of: "record")
        for entry in standing.entries {
            add(entry.figures, entry.outcomes, of: entry.entry.text)
            facts["letter of \(entry.entry)"] = entry.letter.map(\.label) ?? "none"
        }
        facts["warnings"] = standing.warnings.map { "\($0.code) \($0.entry?.text ?? "")" }.sorted()
            .joined(separator: ", ")
    }

    private mutating func add(_ figures: [StandingFigure], _ outcomes: [StandingOutcome], of subject: String) {
        for figure in figures {
            facts["\(figure.name) of \(subject)"] = "\(figure.current) \(figure.display) \(figure.band ?? "")"
            facts["floor of \(figure.name) of \(subject)"] = "\(figure.floor)"
            facts["ceiling of \(figure.name) of \(subject)"] = "\(figure.ceiling)"
        }
        for outcome in outcomes {
            facts["\(outcome.name) of \(subject)"] = "\(outcome.decision.word), final: \(outcome.isFinal)"
        }
    }

    /// What another standing says differently, if anything.
    func difference(from other: Snapshot) -> String? {
        if facts == other.facts { return nil }
        let names = Set(facts.keys).union(other.facts.keys).sorted()
        guard let name = names.first(where: { facts[$0] != other.facts[$0] }) else { return nil }
        return "\(name): \(facts[name] ?? "absent") instead of \(other.facts[name] ?? "absent")"
    }
}
