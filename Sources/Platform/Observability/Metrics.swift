private import Synchronization

/// The metrics of a server, and their text for Prometheus.
///
/// Each part of the program registers its metrics once, at start, and keeps the results; changing a number afterwards
/// is one atomic addition. Nothing here is global: the composition root makes one registry and passes it on.
public final class Metrics: Sendable {
    private let families = Mutex<[MetricFamily]>([])

    /// Creates an empty registry.
    public init() {}

    /// Registers a number that only rises; its name ends in `_total`.
    public func counter(
        _ name: String, _ help: String, labels: KeyValuePairs<String, String> = [:]
    ) -> Counter {
        let counter = Counter()
        add(name, help, .counter, MetricLabels(labels)) { .number(Double(counter.value)) }
        return counter
    }

    /// Registers a number that rises and falls.
    public func gauge(_ name: String, _ help: String, labels: KeyValuePairs<String, String> = [:]) -> Gauge {
        let gauge = Gauge()
        add(name, help, .gauge, MetricLabels(labels)) { .number(Double(gauge.value)) }
        return gauge
    }

    /// Registers a number that is kept elsewhere and read for each report; `read` must be quick and may run on any
    /// thread.
    public func gauge(
        _ name: String, _ help: String, labels: KeyValuePairs<String, String> = [:],
        read: @escaping @Sendable () -> Double
    ) {
        add(name, help, .gauge, MetricLabels(labels)) { .number(read()) }
    }

    /// Registers a number that only rises and is kept elsewhere.
    public func counter(
        _ name: String, _ help: String, labels: KeyValuePairs<String, String> = [:],
        read: @escaping @Sendable () -> Double
    ) {
        add(name, help, .counter, MetricLabels(labels)) { .number(read()) }
    }

    /// Registers a distribution of durations; its name ends in `_seconds`.
    public func histogram(
        _ name: String, _ help: String, labels: KeyValuePairs<String, String> = [:],
        bounds: [Duration] = Histogram.defaultBounds
    ) -> Histogram {
        let histogram = Histogram(bounds: bounds)
        show(histogram, as: name, help, labels: labels)
        return histogram
    }

    /// Registers a distribution that is kept elsewhere.
    public func show(
        _ histogram: Histogram, as name: String, _ help: String, labels: KeyValuePairs<String, String> = [:]
    ) {
        add(name, help, .histogram, MetricLabels(labels)) { .distribution(histogram.distribution) }
    }

    /// Returns all metrics, in the Prometheus text format 0.0.4.
    public func text() -> [UInt8] {
        let families = families.withLock { $0 }
        return Array(families.map(\.text).joined().utf8)
    }

    private func add(
        _ name: String, _ help: String, _ kind: MetricFamily.Kind, _ labels: MetricLabels,
        read: @escaping @Sendable () -> MetricFamily.Reading
    ) {
        let member = MetricFamily.Member(labels: labels, read: read)
        families.withLock { families in
            if let index = families.firstIndex(where: { $0.name == name && $0.kind == kind }) {
                families[index].members.append(member)
            } else {
                families.append(MetricFamily(name: name, help: help, kind: kind, members: [member]))
            }
        }
    }
}
