/// Straight lines between points, off which values are read. Beyond the first and the last point their values hold.
public struct Curve: Sendable, Hashable {
    /// A value and what becomes of it.
    public struct Point: Sendable, Hashable {
        /// The value.
        public let from: Exact
        /// What becomes of it.
        public let to: Exact

        /// A value and what becomes of it.
        public init(from: Exact, to: Exact) {
            self.from = from
            self.to = to
        }
    }

    /// The most points.
    public static let most = 200

    /// The points, `from` strictly rising.
    public let points: [Point]

    /// A curve; `nil` for no point or too many, and where `from` does not strictly rise, or `to` both rises and falls.
    public init?(_ points: [Point]) {
        let pairs = zip(points, points.dropFirst())
        guard (1...Self.most).contains(points.count), pairs.allSatisfy({ $0.from < $1.from }),
            pairs.allSatisfy({ $0.to <= $1.to }) || pairs.allSatisfy({ $0.to >= $1.to })
        else { return nil }
        self.points = points
    }

    /// Whether a greater value gives no lesser one.
    public var rises: Bool { (points.first?.to ?? 0) <= (points.last?.to ?? 0) }

    /// What becomes of a value.
    public func callAsFunction(_ value: Exact) -> Exact { Self.read(value, off: points) }

    /// What becomes of a value off points whose `from` strictly rises.
    static func read(_ value: Exact, off points: [Point]) -> Exact {
        guard let upper = points.firstIndex(where: { $0.from >= value }) else { return points.last?.to ?? value }
        guard upper > 0 else { return points[upper].to }
        let (low, high) = (points[upper - 1], points[upper])
        // `from` strictly rises, so there is a quotient.
        let share = (value - low.from) / (high.from - low.from) ?? .zero
        return low.to + share * (high.to - low.to)
    }

    /// What becomes of a quantity, a line of its own in the trace.
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
