/// Finds the least that works: the same fraction of every range, each grade on its own grid.
///
/// Takes it that a better grade never makes anything worse, as the laws ask of schemes. Only fractions at which some
/// grade moves by a step can be the least one, and those are finite: bisection first narrows the fractions down until
/// no grade has more than a step left, then picks among the few that remain. Everything is exact, and what is found
/// has been tried.
struct GoalSearch {
    enum Finding: Equatable {
        case alreadySecured
        case least([Exact])
        case outOfReach
    }

    let ranges: [GradeRange]
    /// Whether the goal holds with these grades, one a range.
    let holds: ([Exact]) -> Bool

    /// How often `holds` is asked at most: at both ends, once for each halving of the fractions down to a cell of the
    /// finest range, and once for each halving of the two steps of every range that remain.
    var greatestTrialCount: Int {
        var (halvings, width) = (0, Exact.one)
        while width * cells > .one {
            width *= .half
            halvings += 1
        }
        return 2 + halvings + Int.bitWidth - (2 * ranges.count).leadingZeroBitCount
    }

    /// How many steps the finest range has.
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

    /// The first fraction that works; the last one is known to.
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
