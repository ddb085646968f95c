import GradingKit

/// Everything a standing says, as facts that can be compared whatever the order of entries.
struct Snapshot: Equatable {
    private struct Key: Hashable, Comparable {
        let subject: LawSubject
        var part = ""

        var text: String { (part.isEmpty ? "" : part + " of ") + "\(subject.name) of \(subject.entry ?? "record")" }

        static func < (left: Key, right: Key) -> Bool { left.text < right.text }
    }

    private var facts: [Key: String] = [:]

    /// Notes what a standing says.
    ///
    /// - Parameter countsPoints: whether it says something of how many points there are; then what is only about the share
    ///   of their maximum is noted alone.
    init(_ standing: Standing, besidePoints countsPoints: Bool = false) {
        add(standing.figures, standing.outcomes, of: nil, countsPoints)
        for entry in standing.entries {
            add(entry.figures, entry.outcomes, of: entry.entry.text, countsPoints)
            if !countsPoints { note("letter", of: entry.entry.text, entry.letter.map(\.label) ?? "none") }
        }
        if countsPoints { return }
        let warnings = standing.warnings.map { "\($0.code) \($0.entry?.text ?? "")" }.sorted()
        note("warnings", of: nil, warnings.joined(separator: ", "))
    }

    private mutating func note(_ name: String, of entry: String?, _ fact: String, part: String = "") {
        facts[Key(subject: LawSubject(name: name, entry: entry), part: part)] = fact
    }

    private mutating func add(
        _ figures: [StandingFigure], _ outcomes: [StandingOutcome], of entry: String?, _ countsPoints: Bool
    ) {
        for figure in figures where !countsPoints || !figure.presentation.countsPoints {
            note(figure.name, of: entry, "\(figure.current) \(figure.display) \(figure.band ?? "")")
            note(figure.name, of: entry, "\(figure.floor)", part: "floor")
            note(figure.name, of: entry, "\(figure.ceiling)", part: "ceiling")
        }
        for outcome in outcomes where !countsPoints {
            note(outcome.name, of: entry, "\(outcome.decision.word), final: \(outcome.isFinal)")
        }
    }

    /// What another standing says differently, if anything, and of what.
    func difference(from other: Snapshot) -> (text: String, subject: LawSubject)? {
        if facts == other.facts { return nil }
        let keys = Set(facts.keys).union(other.facts.keys).sorted()
        guard let key = keys.first(where: { facts[$0] != other.facts[$0] }) else { return nil }
        return ("\(key.text): \(facts[key] ?? "absent") instead of \(other.facts[key] ?? "absent")", key.subject)
    }
}

/// A figure or an outcome of an entry, or of the record where `entry` is `nil`.
struct LawSubject: Hashable {
    let name: String
    let entry: String?
}
