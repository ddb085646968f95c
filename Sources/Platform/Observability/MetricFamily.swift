/// The metrics that share a name.
struct MetricFamily: Sendable {
    enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    enum Reading: Sendable {
        case number(Double)
        case distribution(Histogram.Distribution)
    }

    struct Member: Sendable {
        let labels: MetricLabels
        let read: @Sendable () -> Reading
    }

    let name: String
    let help: String
    let kind: Kind
    var members: [Member]

    var text: String {
        let head = "# HELP \(name) \(MetricLabels.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
        return members.reduce(into: head) { text, member in
            switch member.read() {
            case .number(let number):
                text += "\(name)\(member.labels.text()) \(MetricFamily.number(number))\n"
            case .distribution(let distribution):
                text += lines(distribution, member.labels)
            }
        }
    }

    private func lines(_ distribution: Histogram.Distribution, _ labels: MetricLabels) -> String {
        let bounds =
            distribution.buckets.map { (MetricFamily.number($0.bound), $0.count) } + [("+Inf", distribution.count)]
        let buckets = bounds.map { "\(name)_bucket\(labels.text(adding: ("le", $0.0))) \($0.1)\n" }.joined()
        return buckets + "\(name)_sum\(labels.text()) \(MetricFamily.number(distribution.sum))\n"
            + "\(name)_count\(labels.text()) \(distribution.count)\n"
    }

    private static func number(_ value: Double) -> String {
        if let whole = Int(exactly: value) { return String(whole) }
        return value.isNaN ? "NaN" : value.isInfinite ? (value < 0 ? "-Inf" : "+Inf") : "\(value)"
    }
}

/// The labels that distinguish the metrics of one name.
struct MetricLabels: Sendable {
    private let pairs: [(name: String, value: String)]

    init(_ labels: KeyValuePairs<String, String>) { pairs = labels.map { ($0.key, $0.value) } }

    func text(adding pair: (name: String, value: String)? = nil) -> String {
        let all = pairs + (pair.map { [$0] } ?? [])
        if all.isEmpty { return "" }
        return "{" + all.map { "\($0.name)=\"\(MetricLabels.escaped($0.value, quotes: true))\"" }.joined(separator: ",")
            + "}"
    }

    static func escaped(_ text: String, quotes: Bool) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.append(character)
            }
        }
    }
}
