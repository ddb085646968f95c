import GradingKit

/// Checks that nothing is decided for good only because it is still missing.
extension Checker {
    /// Warns of a `needs` that compares a sum or count over entries with a lower bound: while entries are still to come
    /// it is false, and claims that nothing open can change that. If the outcome awaits a sum or count, all entries
    /// exist once it decides.
    func checkNeeds(of outcome: RegulationDocument.Outcome) {
        let kind = outcome.kind?.text ?? "record"
        for case .awaits(let formula, _) in outcome.clauses where comparesTotal(formula, of: kind) { return }
        for case .needs(let formula, _) in outcome.clauses {
            if let place = totalFromBelow(formula, of: kind) { faults.add(.needsGrows, place) }
        }
    }

    private func comparesTotal(_ formula: Formula, of kind: String) -> Bool {
        switch formula.node {
        case .all(let parts), .any(let parts): parts.contains { comparesTotal($0, of: kind) }
        case .comparison(let left, _, let right, _): isTotal(left, of: kind) || isTotal(right, of: kind)
        default: false
        }
    }

    /// The comparison that a total must reach. If both sides grow, the comparison is not one with a bound.
    private func totalFromBelow(_ formula: Formula, of kind: String) -> Range<Int>? {
        switch formula.node {
        case .all(let parts), .any(let parts): return parts.lazy.compactMap { self.totalFromBelow($0, of: kind) }.first
        case .comparison(let left, .greater, let right, _), .comparison(let left, .greaterOrEqual, let right, _),
            .comparison(let left, .reaches, let right, _):
            return isTotal(left, of: kind) && !isTotal(right, of: kind) ? formula.range : nil
        case .comparison(let left, .less, let right, _), .comparison(let left, .lessOrEqual, let right, _):
            return isTotal(right, of: kind) && !isTotal(left, of: kind) ? formula.range : nil
        default: return nil
        }
    }

    /// Whether a formula of a kind's entry is a sum or count over entries, a part or multiple of one, or a name for
    /// one.
    private func isTotal(_ formula: Formula, of kind: String) -> Bool {
        faults.spend(10)
        switch formula.node {
        case .fold(let fold): return fold.operation == .sum || fold.operation == .count
        case .sum(let first, let terms):
            return isTotal(first, of: kind) || terms.contains { isTotal($0.term, of: kind) }
        case .otherwise(let first, _): return isTotal(first, of: kind)
        case .product(let first, let factors):
            return isTotal(first, of: kind)
                || factors.contains { if case .times(let factor) = $0 { isTotal(factor, of: kind) } else { false } }
        case .name(let words):
            guard let name = words.last?.text else { return false }
            return isTotal(name, of: words.count == 1 ? kind : words[0].text)
        case .call(let name, _): return isTotal(name.text, of: kind)
        default: return false
        }
    }

    /// Whether a figure or a `let` of a kind is a total. Found once; `false` while it is being found.
    private func isTotal(_ name: String, of kind: String) -> Bool {
        let key = "\(kind).\(name)"
        if let known = totals[key] { return known }
        totals[key] = false
        guard let model = kinds.first(where: { $0.name == kind }) else { return false }
        let formula =
            model.abbreviations[name].map { document.abbreviations[$0].formula }
            ?? model.figures[name].map { document.figures[$0].formula }
        let found = formula.map { isTotal($0, of: kind) } ?? false
        totals[key] = found
        return found
    }
}
