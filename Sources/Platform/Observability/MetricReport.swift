/// Metrics as a server reports them, in the Prometheus text format 0.0.4.
public struct MetricReport: Sendable {
    /// A number of the report, with the metric's name and labels.
    public struct Sample: Sendable {
        /// The metric's name; for a histogram, the name of a part, such as `…_bucket`.
        public let name: String
        /// The labels, by name.
        public let labels: [String: String]
        /// The number.
        public let value: Double
    }

    private let samples: [String: [Sample]]

    /// Reads a report. Lines that are not samples are skipped.
    public init(_ text: some StringProtocol) {
        self.init(text.split(separator: "\n").compactMap { Self.sample(String($0)) })
    }

    private init(_ all: [Sample]) { samples = Dictionary(grouping: all, by: \.name) }

    /// Returns the numbers of a metric, in the order of the report.
    public func samples(of name: String) -> [Sample] { samples[name] ?? [] }

    /// Splits the numbers into reports, by the key that `part` returns for a number's labels.
    public func split(by part: ([String: String]) -> String) -> [String: MetricReport] {
        Dictionary(grouping: samples.values.joined()) { part($0.labels) }.mapValues { MetricReport($0) }
    }

    private static func sample(_ line: String) -> Sample? {
        guard line.first != "#", let end = line.lastIndex(of: " "), let value = Double(line[line.index(after: end)...])
        else { return nil }
        let series = line[..<end]
        guard let brace = series.firstIndex(of: "{"), series.last == "}" else {
            return Sample(name: String(series), labels: [:], value: value)
        }
        var labels: [String: String] = [:]
        var rest = series[series.index(after: brace)...].dropLast()
        while let equals = rest.firstIndex(of: "=") {
            let name = String(rest[..<equals])
            // A quotation mark follows the equals sign.
            rest = rest[equals...].dropFirst(2)
            var text = ""
            while let character = rest.popFirst(), character != "\"" {
                guard character == "\\", let escaped = rest.popFirst() else {
                    text.append(character)
                    continue
                }
                text.append(escaped == "n" ? "\n" : escaped)
            }
            labels[name] = text
            if rest.first == "," { rest.removeFirst() }
        }
        return Sample(name: String(series[..<brace]), labels: labels, value: value)
    }

    /// Returns the sum of a metric over its series, or over those whose labels `isMeant` accepts; `nil` if the report
    /// has none.
    public func total(_ name: String, where isMeant: ([String: String]) -> Bool = { _ in true }) -> Double? {
        let found = samples(of: name).filter { isMeant($0.labels) }
        return found.isEmpty ? nil : found.reduce(0) { $0 + $1.value }
    }

    /// Returns how much a metric that only rises has risen since an earlier report. After a restart of the server,
    /// counts from 0.
    public func rise(
        _ name: String, since earlier: MetricReport, where isMeant: ([String: String]) -> Bool = { _ in true }
    ) -> Double {
        let (now, before) = (total(name, where: isMeant) ?? 0, earlier.total(name, where: isMeant) ?? 0)
        return now < before ? now : now - before
    }

    /// Returns the upper bound, in seconds, of the first bucket whose cumulative count since an earlier report reaches
    /// a share: infinite beyond the last finite bound, and `nil` if nothing was counted.
    public func bound(
        of share: Double, in name: String, since earlier: MetricReport,
        where isMeant: ([String: String]) -> Bool = { _ in true }
    ) -> Double? {
        let bounds = Set(samples(of: name + "_bucket").compactMap { $0.labels["le"] })
            .map { (text: $0, bound: $0 == "+Inf" ? .infinity : Double($0) ?? .infinity) }
            .sorted { $0.bound < $1.bound }
        let counts = bounds.map { text, bound in
            (bound, rise(name + "_bucket", since: earlier) { $0["le"] == text && isMeant($0) })
        }
        guard let all = counts.last?.1, all > 0 else { return nil }
        return counts.first { $0.1 >= share * all }?.0
    }
}
