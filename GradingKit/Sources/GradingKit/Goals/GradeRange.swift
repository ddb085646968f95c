/// The grades that a leaf can still get: from the worst to the best, on a grid.
struct GradeRange: Sendable, Equatable {
    let worst: Exact
    let best: Exact
    /// The distance between neighbouring grades, above 0.
    let step: Exact
    /// The letters, best first, if the grade is a letter: only their points can be reached.
    var letters: [Band] = []

    /// The default step for a grade in points of a maximum.
    static let pointStep: Exact = 1
    /// The default step for a grade in percent or on a fixed scale.
    static let scaleStep = Exact.powerOfTen(2).reciprocal ?? .one

    /// The number of steps between worst and best.
    var cells: Exact {
        let way = (best - worst).magnitude
        if letters.isEmpty { return way / step ?? .zero }
        let gaps = zip(points, points.dropFirst()).map { ($1 - $0).magnitude }.filter { !$0.isZero }
        return gaps.min().flatMap { way / $0 } ?? .zero
    }

    /// The points of the letters, from the worst to the best.
    private var points: [Exact] { letters.reversed().compactMap(\.points) }

    /// The letter of a grade; of several with the same points, the last.
    func letter(of grade: Exact) -> String? { letters.last { $0.points == grade }?.label }

    /// Returns the grade at a fraction of the way, rounded on the grid towards the best, and never beyond it.
    func value(at fraction: Exact) -> Exact {
        guard fraction > .zero else { return worst }
        if !letters.isEmpty {
            let sought = worst + (best - worst) * fraction
            return points.first { rises ? $0 >= sought : $0 <= sought } ?? best
        }
        return rises ? min(best, point(at: fraction)) : max(best, point(at: fraction))
    }

    /// Returns the fractions between `low` and `high` at which the grade moves by a step, given that these are at most
    /// a cell apart.
    func steps(above low: Exact, below high: Exact) -> [Exact] {
        if !letters.isEmpty {
            return points.compactMap { ($0 - worst) / (best - worst) }.filter { $0 > low && $0 < high }
        }
        let point = point(at: low)
        return [point, rises ? point + step : point - step]
            .compactMap { ($0 - worst) / (best - worst) }
            .filter { $0 > low && $0 < high }
    }

    private var rises: Bool { best >= worst }

    /// Returns the grid point at a fraction of the way, or the next one towards the best.
    private func point(at fraction: Exact) -> Exact {
        let exact = worst + (best - worst) * fraction
        return rises ? Rounding.ceiling(exact, to: .step(step)) : Rounding.floor(exact, to: .step(step))
    }
}
