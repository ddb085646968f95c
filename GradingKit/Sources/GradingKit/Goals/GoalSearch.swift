/// A search for the lowest grades that suffice. All grades are at the same fraction of their ranges, each on its own
/// grid.
///
/// It assumes that a better grade never worsens a result, as the laws require of schemes. Only fractions at which some
/// grade moves by a step can be the least one, and there are finitely many. Bisection narrows the fractions down until
/// no grade has more than one step left; a search among the few remaining ones finds the least. All arithmetic is
/// exact, and the result has been tried.
struct GoalSearch {
    enum Finding: Equatable {
        case alreadySecured
        case least([Exact])
        case outOfReach
    }

    let ranges: [GradeRange]
    /// Whether the goal is reached with these grades, one for each range.
    let holds: ([Exact]) -> Bool

    /// The greatest number of calls of `holds`: one at each end, one for each bisection down to a cell of the finest
    /// range, and one for each bisection of the remaining fractions, at most two per range.
    var greatestTrialCount: Int {
        var (halvings, width) = (0, Exact.one)
        while width * cells > .one {
            width *= .half
            halvings += 1
        }
        return 2 + halvings + Int.bitWidth - (2 * ranges.count).leadingZeroBitCount
    }

    /// The number of steps in the finest range.
    private var cells: Exact { ranges.map(\.cells).max() ?? .zero }

    func callAsFunction() -> Finding {
        if holds(grades(at: .zero)) { return .alreadySecured }
        guard !ranges.isEmpty, holds(grades(at: .one)) else { return .outOfReach }
        let cells = cells
        var (low, high) = (Exact.zero, Exact.one)
        while (high - low) * cells > .one {
            let middle = (low + high) * .half
            if holds(grades(at: middle)) { high = middle } else { low = middle }
        }
        let steps = Set(ranges.flatMap { $0.steps(above: low, below: high) }).sorted() + [high]
        return .least(grades(at: first(of: steps)))
    }

    /// Returns the first fraction that suffices; the last one is known to.
    private func first(of fractions: [Exact]) -> Exact {
        var (first, last) = (0, fractions.count - 1)
        while first < last {
            let middle = (first + last) / 2
            if holds(grades(at: fractions[middle])) { last = middle } else { first = middle + 1 }
        }
        return fractions[last]
    }

    private func grades(at fraction: Exact) -> [Exact] { ranges.map { $0.value(at: fraction) } }
}
