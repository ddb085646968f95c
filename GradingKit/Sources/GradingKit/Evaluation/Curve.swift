/// A piecewise linear function. Beyond its first and last point it keeps their values.
public struct Curve: Sendable, Hashable {
    /// A value and the value that the curve gives for it.
    public struct Point: Sendable, Hashable {
        /// The value.
        public let from: Exact
        /// The value that the curve gives for it.
        public let to: Exact

        /// A value and the value that the curve gives for it.
        public init(from: Exact, to: Exact) {
            self.from = from
            self.to = to
        }
    }

    /// The most points that a curve may have.
    public static let most = 200

    /// The points, `from` strictly rising.
    public let points: [Point]

    /// A curve; `nil` without points, with too many, if `from` does not strictly rise, or if `to` both rises and falls.
    public init?(_ points: [Point]) {
        let pairs = zip(points, points.dropFirst())
        guard (1...Self.most).contains(points.count), pairs.allSatisfy({ $0.from < $1.from }),
            pairs.allSatisfy({ $0.to <= $1.to }) || pairs.allSatisfy({ $0.to >= $1.to })
        else { return nil }
        self.points = points
    }

    /// Whether the curve never falls.
    public var rises: Bool { (points.first?.to ?? 0) <= (points.last?.to ?? 0) }

    /// The curve's value at `value`.
    public func callAsFunction(_ value: Exact) -> Exact { Self.read(value, off: points) }

    /// The value at `value` of the curve through points whose `from` strictly rises.
    static func read(_ value: Exact, off points: [Point]) -> Exact {
        guard let upper = points.firstIndex(where: { $0.from >= value }) else { return points.last?.to ?? value }
        guard upper > 0 else { return points[upper].to }
        let (low, high) = (points[upper - 1], points[upper])
        // `from` strictly rises, so the divisor is not zero.
        let share = (value - low.from) / (high.from - low.from) ?? .zero
        return low.to + share * (high.to - low.to)
    }

    /// The curve's value at a quantity, as a step of its own in the trace.
    public func callAsFunction(_ quantity: Quantity) -> Quantity { quantity.mapped(.curve(self)) { self($0) } }
}

extension [Curve.Point] {
    /// The points as `[["40","50"],…]`.
    var json: JSON { .array(map { [.string($0.from.reduced.description), .string($0.to.reduced.description)] }) }

    /// Reads what `json` writes; `nil` for anything else.
    init?(_ json: JSON) {
        self = []
        for point in json.array ?? [] {
            guard let pair = point.array, pair.count == 2, let from = Exact(givenIn: pair[0]),
                let to = Exact(givenIn: pair[1])
            else { return nil }
            append(Curve.Point(from: from, to: to))
        }
    }
}
