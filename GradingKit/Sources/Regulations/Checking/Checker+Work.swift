import GradingKit

/// How often something happens at most, for records of several sizes: see `WorkBound.sizes`.
typealias Visits = SIMD4<Double>

/// Computes the cost of records under a document before anything is evaluated.
///
/// Figures and outcomes are computed once for each entry. A fold over children of the current entry visits each child
/// once per visit of the entry; one over children of an enclosing entry visits all of them again and again.
extension Checker {
    /// The most parts of formulas that the greatest record may cost: 2,500 for each entry.
    static let greatestWork = 2_500_000.0
    /// The most figures and outcomes that a record may show.
    private static let greatestShown = 20_000.0
    /// The cost of ranking an entry among others, in parts of formulas.
    static let workOfRanking = 32.0

    private static let sizes = Visits(WorkBound.sizes.map(Double.init))

    /// The scope at the start of the formula of an entry's figure, outcome or check.
    func root(_ kind: Int, scale: ScaleModel? = nil) -> Scope {
        var scope = Scope(kind, scale: scale)
        scope.visits = most(of: kind, in: 0)
        return scope
    }

    /// How often a fold or a quantifier visits entries of a kind.
    func visits(of kind: Int, by entries: Formula.Entries, _ scope: Scope) -> Visits {
        if isCopied(entries) { return scope.visits * most(of: kind, in: 0) }
        if let owner = ownerAround(of: entries, scope) { return scope.visits * most(of: kind, in: owner) }
        return scope.visits / here(scope) * most(of: kind, in: 0)
    }

    /// How many entries are searched for those of the kind.
    func looks(by entries: Formula.Entries, _ scope: Scope) -> Visits {
        if isCopied(entries) { return scope.visits * 2 }
        if let owner = ownerAround(of: entries, scope) { return scope.visits * most(inside: owner) }
        return scope.visits / here(scope) * Self.sizes
    }

    /// How many entries inside an enclosing entry, or the current one, are searched.
    func looks(inside way: Way, _ kind: Int, _ scope: Scope) -> Visits {
        return !way.isHere ? scope.visits * most(inside: kind) : scope.visits / here(scope) * Self.sizes
    }

    /// Whether the entries are in a copy of an earlier record, which is found immediately.
    private func isCopied(_ entries: Formula.Entries) -> Bool {
        kinds.contains { $0.name == entries.owner?.text && $0.isCopy }
    }

    private func ownerAround(of entries: Formula.Entries, _ scope: Scope) -> Int? {
        guard let word = entries.owner, let owner = kinds.firstIndex(where: { $0.name == word.text }),
            let way = wayIfAny(to: owner, from: scope), !way.isHere
        else { return nil }
        return owner
    }

    private func here(_ scope: Scope) -> Visits { pointwiseMax(most(of: scope.kind, in: 0), Visits(repeating: 1)) }

    /// The most entries of a kind in one entry of another kind, or in the record.
    private func most(of kind: Int, in outer: Int) -> Visits {
        // There may be as many groups as entries, and one group may contain all siblings.
        var (place, product) = (kinds[kind].base ?? kind, Visits(repeating: 1))
        let outer = kinds[outer].base.flatMap { kinds[$0].parent } ?? outer
        while place != outer, place != 0 {
            var most = kinds[place].declaration?.most.map { Visits(repeating: Double(max($0, 1))) } ?? Self.sizes
            // All levels of a kind nested in itself.
            var level = most
            for _ in 1..<max(min(kinds[place].levels, KindShape.mostNested), 1) {
                level = pointwiseMin(level * most, Self.sizes)
            }
            if kinds[place].levels > 1 { most = pointwiseMin(level * 2, Self.sizes) }
            product = pointwiseMin(product * most, Self.sizes)
            guard let parent = kinds[place].parent else { break }
            place = parent
        }
        return product
    }

    /// The most entries inside one of a kind at any depth, itself included.
    private func most(inside outer: Int) -> Visits {
        if outer == 0 { return Self.sizes }
        let inside = kinds.indices.filter { isInside($0, outer) }
        return pointwiseMin(
            inside.reduce(Visits(repeating: 1)) { $0 + most(of: $1, in: outer) }, Self.sizes)
    }

    /// Refuses a document whose records could show more than an answer should contain.
    func checkShown() {
        var counts = [Int](repeating: 0, count: kinds.count)
        var last: [Int: Formula.Word] = [:]
        func note(_ heading: RegulationDocument.Heading, _ word: Formula.Word?) {
            guard let kind = kinds.firstIndex(where: { $0.name == word?.text ?? "record" }) else { return }
            counts[kind] += 1
            last[kind] = heading.name
        }
        for figure in document.figures where !figure.isHidden { note(figure.heading, figure.kind) }
        for outcome in document.outcomes { note(outcome.heading, outcome.kind) }
        for kind in kinds.indices {
            // Together, the entries cannot exceed those of a record.
            if let name = last[kind], Double(counts[kind]) * most(of: kind, in: 0)[3] > Self.greatestShown {
                faults.add(.tooMuchShown, name.range)
            }
        }
    }

    /// The counted bound.
    var workBound: WorkBound {
        WorkBound(
            parts: WorkBound.sizes.indices.map { Int(min(work[$0], 1e12)) },
            // A closure with its captures, and the text with its tokens, labels and wordings.
            memory: (64 << 10) + total * 400 + faults.source.bytes.count * 6
                + tables.values.reduce(0) { $0 + $1.memory })
    }
}
