private import Synchronization

/// A number that only rises.
public final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    /// Starts at 0.
    public init() {}

    /// Adds `amount`, which is not negative.
    public func add(_ amount: Int = 1) { count.wrappingAdd(max(0, amount), ordering: .relaxed) }

    /// The sum so far.
    public var value: Int { count.load(ordering: .relaxed) }
}

/// A number that rises and falls.
public final class Gauge: Sendable {
    private let number = Atomic<Int>(0)

    /// Starts at 0.
    init() {}

    /// Adds `amount`, which may be negative.
    public func add(_ amount: Int) { number.wrappingAdd(amount, ordering: .relaxed) }

    /// Sets the number.
    public func set(_ value: Int) { number.store(value, ordering: .relaxed) }

    /// The number.
    public var value: Int { number.load(ordering: .relaxed) }
}

/// A distribution of durations: how many of them are within each bound.
public final class Histogram: Sendable {
    /// The default bounds, from a tenth of a millisecond to ten seconds.
    public static let defaultBounds: [Duration] = [
        .microseconds(100), .microseconds(250), .microseconds(500), .milliseconds(1), .milliseconds(2),
        .milliseconds(5), .milliseconds(10), .milliseconds(25), .milliseconds(50), .milliseconds(100),
        .milliseconds(250), .seconds(1), .seconds(10),
    ]

    private let bounds: [Int64]
    private let counters: [Counter]
    private let sum = Counter()

    /// Counts durations within these bounds.
    public init(bounds: [Duration] = defaultBounds) {
        self.bounds = bounds.map(\.microseconds).sorted()
        counters = (0...bounds.count).map { _ in Counter() }
    }

    /// Counts one duration.
    public func observe(_ duration: Duration) {
        let microseconds = duration.microseconds
        var index = 0
        while index < bounds.count, bounds[index] < microseconds { index += 1 }
        counters[index].add()
        sum.add(Int(microseconds))
    }

    /// The counts as Prometheus expects them: for each bound, all durations up to it.
    var distribution: Distribution {
        var total = 0
        let counts = counters.map { counter in
            total += counter.value
            return total
        }
        let buckets = zip(bounds, counts).map { (bound: Double($0) / 1_000_000, count: $1) }
        return Distribution(buckets: buckets, sum: Double(sum.value) / 1_000_000, count: total)
    }

    struct Distribution: Sendable {
        let buckets: [(bound: Double, count: Int)]
        let sum: Double
        let count: Int
    }
}

extension Duration {
    /// The duration in whole microseconds, at least zero and at most about a year.
    fileprivate var microseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(max(seconds, 0), 31_536_000) * 1_000_000 + max(attoseconds, 0) / 1_000_000_000_000
    }
}
