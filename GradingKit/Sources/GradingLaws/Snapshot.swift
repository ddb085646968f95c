import GradingKit

/// Everything in a standing.
struct Snapshot: Equatable {
    private var facts = StandingFacts()

    /// Creates a snapshot of a standing.
    ///
    /// - Parameter countsPoints: whether the standing depends on numbers of points; then the snapshot has only the
    ///   parts that depend on shares of maxima.
    init(_ standing: Standing, besidePoints countsPoints: Bool = false) {
        add(standing.figures, standing.outcomes, of: nil, countsPoints)
        for entry in standing.entries {
            add(entry.figures, entry.outcomes, of: entry.entry.text, countsPoints)
            if !countsPoints { facts.note(letter: entry.letter, of: entry.entry.text) }
        }
        if countsPoints { return }
        facts.note(warnings: standing.warnings.map { "\($0.code) \($0.entry?.text ?? "")" })
    }

    private mutating func add(
        _ figures: [StandingFigure], _ outcomes: [StandingOutcome], of entry: String?, _ countsPoints: Bool
    ) {
        for figure in figures where !countsPoints || !figure.presentation.countsPoints {
            facts.note(figure, of: entry)
        }
        for outcome in outcomes where !countsPoints { facts.note(outcome, of: entry) }
    }

    /// What differs in another standing; `nil` if nothing does.
    func difference(from other: Snapshot) -> StandingDifference? { facts.difference(from: other.facts) }
}
