import GradingKit

/// How much a document asks of the greatest record, found before anything is computed.
///
/// Figures are computed once an entry. A fold over what stands in the entry at hand visits each of these once for each
/// time the entry is visited; one over what stands in an entry around visits all of those again and again.
extension Checker {
    /// Where the formula of an entry's figure, outcome or check begins.
    func root(_ kind: Int, scale: ScaleModel? = nil) -> Scope {
        var scope = Scope(kind, scale: scale)
        scope.visits = most(of: kind, in: 0)
        return scope
    }

    /// How often a fold or a quantifier visits entries of a kind.
    func visits(of kind: Int, by entries: Formula.Entries, _ scope: Scope) -> Double {
        let owner = entries.owner.flatMap { word in kinds.firstIndex { $0.name == word.text } }
        let here = max(most(of: scope.kind, in: 0), 1)
        if let owner, let way = wayIfAny(to: owner, from: scope), way.isOwn || way.steps > 0 {
            return scope.visits * most(of: kind, in: owner)
        }
        return scope.visits / here * most(of: kind, in: 0)
    }

    /// The most entries of a kind that stand in one entry of another, or in the record.
    private func most(of kind: Int, in outer: Int) -> Double {
        let limit = Double(RecordShape.greatestEntryCount)
        var (place, product) = (kind, 1.0)
        while place != outer, place != 0 {
            product *= kinds[place].declaration?.most.map { Double(max($0, 1)) } ?? limit
            guard let parent = kinds[place].parent else { break }
            place = parent
        }
        return min(product, limit)
    }
}
