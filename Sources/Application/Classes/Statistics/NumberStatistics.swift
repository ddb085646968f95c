import GradingKit

/// Statistics of a list of numbers, as exact values.
struct NumberStatistics: Sendable, Equatable {
    /// How many numbers lie between two bounds, the lower one included. The last bar of a scale also includes its end.
    struct Bar: Sendable, Equatable {
        /// `nil` for numbers below the other bars.
        let from: Exact?
        /// `nil` for numbers above the other bars.
        let to: Exact?
        /// The number of numbers.
        var count: Int
    }

    /// The most bars of a histogram: those over the scale, and one on each side for numbers beyond it.
    static let mostBars = 20

    /// The mean.
    let mean: Exact
    /// The least number.
    let least: Exact
    /// The first quartile, interpolated between two numbers.
    let lowerQuartile: Exact
    /// The median, interpolated likewise.
    let median: Exact
    /// The third quartile, interpolated likewise.
    let upperQuartile: Exact
    /// The greatest number.
    let greatest: Exact
    /// The histogram, from the least to the greatest; empty on a scale too long for the widest bars.
    let bars: [Bar]

    /// The statistics of numbers on a scale; without a scale, the bars go from the least number to the greatest. `nil`
    /// without numbers.
    init?(_ numbers: [Exact], on scale: ClosedRange<Exact>? = nil) {
        let sorted = numbers.sorted()
        guard let first = sorted.first, let last = sorted.last,
            let mean = sorted.reduce(.zero, +) / Exact(sorted.count)
        else { return nil }
        self.mean = mean
        least = first
        greatest = last
        lowerQuartile = Self.quantile(1, of: sorted)
        median = Self.quantile(2, of: sorted)
        upperQuartile = Self.quantile(3, of: sorted)
        bars = Self.bars(sorted, on: scale ?? first...last)
    }

    /// The quartile with this number, interpolated.
    private static func quantile(_ quarters: Int, of sorted: [Exact]) -> Exact {
        let (place, rest) = ((sorted.count - 1) * quarters).quotientAndRemainder(dividingBy: 4)
        guard rest > 0, let share = Exact(rest, over: 4) else { return sorted[place] }
        return sorted[place] + (sorted[place + 1] - sorted[place]) * share
    }

    // MARK: - The histogram

    private static func bars(_ sorted: [Exact], on scale: ClosedRange<Exact>) -> [Bar] {
        guard let grid = Grid(over: scale) else { return [] }
        var bars = (0..<grid.count).map { Bar(from: grid.edge($0), to: grid.edge($0 + 1), count: 0) }
        var (below, above) = (0, 0)
        let (start, end) = (grid.edge(0), grid.edge(grid.count))
        for number in sorted {
            if number < start {
                below += 1
            } else if number > end {
                above += 1
            } else if let place = grid.place(of: number) {
                bars[min(place, grid.count - 1)].count += 1
            }
        }
        if below > 0 { bars.insert(Bar(from: nil, to: start, count: below), at: 0) }
        if above > 0 { bars.append(Bar(from: end, to: nil, count: above)) }
        return bars
    }

    /// Bars of the same width that cover a scale. The width is 1, 2 or 5 times a power of ten, the smallest that gives
    /// few enough bars.
    private struct Grid {
        /// 10^-9 to 5 · 10^17.
        private static let widths = -27...53
        private static let most = mostBars - 2

        private let first: Exact
        private let width: Exact
        let count: Int

        init?(over scale: ClosedRange<Exact>) {
            // A scale with a single value gets a bar of width 1.
            let isPoint = scale.lowerBound == scale.upperBound
            var (found, index) = (Self.fit(0, scale), 0)
            while found == nil, index < Self.widths.upperBound {
                index += 1
                found = Self.fit(index, scale)
            }
            while !isPoint, index > Self.widths.lowerBound, let narrower = Self.fit(index - 1, scale) {
                index -= 1
                found = narrower
            }
            guard let found else { return nil }
            (first, width, count) = (found.first, found.width, max(1, found.count))
        }

        /// The bars of a width, unless there are too many.
        private static func fit(_ index: Int, _ scale: ClosedRange<Exact>) -> (first: Exact, width: Exact, count: Int)?
        {
            let (decade, step) = index >= 0 ? (index / 3, index % 3) : ((index - 2) / 3, (index % 3 + 3) % 3)
            let power = (0..<abs(decade)).reduce(Exact.one) { power, _ in power * Exact(10) }
            guard let unit = decade >= 0 ? power : power.reciprocal else { return nil }
            let width = unit * Exact([1, 2, 5][step])
            guard let least = scale.lowerBound / width, let greatest = scale.upperBound / width else { return nil }
            let first = Rounding.floor(least, to: .scale(0))
            guard let count = (Rounding.ceiling(greatest, to: .scale(0)) - first).integer, count <= most else {
                return nil
            }
            return (first, width, count)
        }

        /// The start of a bar.
        func edge(_ place: Int) -> Exact { (first + Exact(place)) * width }

        /// The index of the bar that contains a number.
        func place(of number: Exact) -> Int? {
            (number / width).flatMap { (Rounding.floor($0, to: .scale(0)) - first).integer }
        }
    }
}
