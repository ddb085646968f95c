import GradingKit

/// Checking that what is only missing so far is not decided for good.
extension Checker {
    /// Warns of a `needs` that compares a sum or a count over entries from below with a number: while entries are to come
    /// it is false, and says that nothing still open can change that. Where the outcome awaits a sum or a count, all entries
    /// are there once it decides.
    func checkNeeds(of outcome: RegulationDocument.Outcome) {
        for case .awaits(let formula, _) in outcome.clauses where comparesTotal(formula) { return }
        for case .needs(let formula, _) in outcome.clauses {
            if let place = totalFromBelow(formula) { faults.add(.needsGrows, place) }
        }
    }

    private func comparesTotal(_ formula: Formula) -> Bool {
        switch formula.node {
        case .all(let parts), .any(let parts): parts.contains { comparesTotal($0) }
        case .comparison(let left, _, let right, _): isTotal(left) || isTotal(right)
        default: false
        }
    }

    /// The comparison that a total must reach.
    private func totalFromBelow(_ formula: Formula) -> Range<Int>? {
        switch formula.node {
        case .all(let parts), .any(let parts): return parts.lazy.compactMap { self.totalFromBelow($0) }.first
        case .comparison(let left, .greater, let right, _), .comparison(let left, .greaterOrEqual, let right, _),
            .comparison(let left, .reaches, let right, _):
            return isTotal(left) && !holdsTotal(right) ? formula.range : nil
        case .comparison(let left, .less, let right, _), .comparison(let left, .lessOrEqual, let right, _):
            return isTotal(right) && !holdsTotal(left) ? formula.range : nil
        default: return nil
        }
    }

    /// Whether a formula is a sum or a count over entries, or a name for one.
    private func isTotal(_ formula: Formula, depth: Int = 0) -> Bool {
        switch formula.node {
        case .fold(let fold): return fold.operation == .sum || fold.operation == .count
        case .sum(let first, let terms):
            return isTotal(first, depth: depth) || terms.contains { isTotal($0.term, depth: depth) }
        case .otherwise(let first, _): return isTotal(first, depth: depth)
        case .product(let first, let factors) where factors.allSatisfy(\.isUnit): return isTotal(first, depth: depth)
        case .name(let words):
            guard depth < 8, let name = words.last?.text else { return false }
            let meant =
                document.abbreviations.filter { $0.heading.name.text == name }.map(\.formula)
                + document.figures.filter { $0.heading.name.text == name }.map(\.formula)
            return meant.contains { isTotal($0, depth: depth + 1) }
        default: return false
        }
    }

    /// Whether a total stands anywhere in a formula: what it is compared with grows, too.
    private func holdsTotal(_ formula: Formula) -> Bool {
        switch formula.node {
        case .product(let first, let factors):
            return isTotal(first) || factors.contains { $0.formula.map { isTotal($0) } ?? false }
        default: return isTotal(formula)
        }
    }
}

extension Formula.Factor {
    fileprivate var isUnit: Bool { formula == nil }

    fileprivate var formula: Formula? {
        switch self {
        case .times(let formula), .over(let formula): formula
        case .converted, .said, .through: nil
        }
    }
}
