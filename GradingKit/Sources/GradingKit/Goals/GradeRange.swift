/// The grades that a leaf can still get: from the worst to the best, on a grid.
struct GradeRange: Sendable, Equatable {
    let worst: Exact
    let best: Exact
    /// The distance of two grades, above 0.
    let step: Exact

    /// The distance of two neighbours where nothing else is said and a grade is given in points of a maximum.
    static let pointStep: Exact = 1
    /// The same for grades in percent or on a fixed scale.
    static let scaleStep = Exact.powerOfTen(2).reciprocal ?? .one

    /// How many steps lie between worst and best.
    var cells: Exact { (best - worst).magnitude / step ?? .zero }

    /// The grade at a fraction of the way, on the grid in favour of who is graded, and never beyond the best.
    func value(at fraction: Exact) -> Exact {
        guard fraction > .zero else { return worst }
        return rises ? min(best, point(at: fraction)) : max(best, point(at: fraction))
    }

    /// The fractions above `low` and below `high` at which the grade moves by a step, if these are a cell apart or less.
    func steps(above low: Exact, below high: Exact) -> [Exact] {
        let point = point(at: low)
        return [point, rises ? point + step : point - step]
            .compactMap { ($0 - worst) / (best - worst) }
            .filter { $0 > low && $0 < high }
    }

    private var rises: Bool { best >= worst }

    /// The point of the grid at a fraction of the way or next on it.
    private func point(at fraction: Exact) -> Exact {
        let exact = worst + (best - worst) * fraction
        return rises ? Rounding.ceiling(exact, to: .step(step)) : Rounding.floor(exact, to: .step(step))
    }
}
