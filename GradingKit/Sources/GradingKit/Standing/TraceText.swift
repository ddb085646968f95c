/// The nodes of explanations in written form: each once, operands before the nodes that use them, and every scale once.
struct TraceText: Sendable {
    /// The JSON array of nodes.
    private var nodes: [UInt8] = Array("[]".utf8)
    /// The JSON array of scales to which nodes refer.
    private var scales: [UInt8] = Array("[]".utf8)
    /// The written number of each recorded node; -1 for a node that is not written.
    private var numbers: [Int] = []

    /// Writes the nodes that make up the given traces of one recording; `nil` when that exceeds `limit` bytes.
    ///
    /// - Parameter article: returns the article that a figure of an entry implements.
    init?(of traces: [Trace], within limit: Int, citing article: (String, EntryID) -> String? = { _, _ in nil }) {
        guard let recording = traces.first?.recording else { return }
        let reached = recording.reached(from: traces.map(\.number))
        numbers = Array(repeating: -1, count: reached.count)
        var places: [Bands: Int] = [:]
        var list: [Bands] = []
        var writer = JSONWriter(capacity: min(limit, reached.count * 64))
        var count = 0
        let isWhole = writer.array { writer in
            for number in reached.indices where reached[number] {
                let node = recording.node(number)
                var scale: Int?
                if case .bands(let bands) = node.operation {
                    scale = places[bands] ?? list.count
                    if places.updateValue(scale ?? 0, forKey: bands) == nil { list.append(bands) }
                }
                var cited: String?
                if case .figure(let name, let entry) = node.operation { cited = article(name, entry) }
                node.write(
                    to: &writer, of: recording.children(of: number).map { numbers[$0] }, scale: scale, citing: cited)
                numbers[number] = count
                count += 1
                if writer.bytes.count > limit { return false }
            }
            return true
        }
        guard isWhole else { return nil }
        nodes = writer.bytes
        scales = JSON.array(list.map(\.described)).bytes
        if nodes.count + scales.count > limit { return nil }
    }

    /// Writes the members `nodes` and `scales`.
    func write(to writer: inout JSONWriter) {
        writer.member("nodes") { $0.raw(nodes) }
        writer.member("scales") { $0.raw(scales) }
    }

    /// Returns the written number of a trace's node.
    func number(of trace: Trace) -> Int { numbers[trace.number] }
}

extension TraceRecording.Node {
    /// Writes the node: `op`, `value` (exact, or `null` with `reason`), `state` unless it is used, and `of`, the
    /// numbers of its children; for a figure also the `article` that it implements, if one is named.
    fileprivate func write(to writer: inout JSONWriter, of children: [Int], scale: Int?, citing article: String?) {
        writer.object { writer in
            writer.member("op", operation.name)
            switch state {
            case .value(let value): writer.member("value", value.description)
            case .undefined(let reason):
                writer.member("value", nil as String?)
                writer.member("reason", reason.text)
            }
            if usage != .used { writer.member("state", usage.rawValue) }
            switch operation {
            case .input(let entry, let field):
                writer.member("entry", entry == .record ? nil : entry.text)
                writer.member("field", field)
            case .assumed(let entry), .term(let entry):
                writer.member("entry", entry == .record ? nil : entry.text)
            case .given(let entry, let note):
                writer.member("entry", entry == .record ? nil : entry.text)
                note?.write(to: &writer)
            case .adjust(let adjustment): writer.member("adjust", adjustment.json)
            case .figure(let name, let entry):
                writer.member("figure", name)
                writer.member("entry", entry == .record ? nil : entry.text)
                if let article { writer.member("article", article) }
            case .round(let step): writer.member("rounding", .object(step.json))
            case .bands: writer.member("scale", scale)
            case .mode(.lower): writer.member("better", Direction.lower.rawValue)
            case .curve(let curve): writer.member("points", curve.points.json)
            default: break
            }
            if !children.isEmpty {
                writer.member("of") { writer in writer.array { for child in children { $0.integer(child) } } }
            }
        }
    }
}

extension Trace.Operation {
    fileprivate var name: String {
        switch self {
        case .input: "input"
        case .assumed: "assumed"
        case .given: "given"
        case .adjust: "adjust"
        case .constant: "constant"
        case .add: "add"
        case .subtract: "subtract"
        case .multiply: "multiply"
        case .divide: "divide"
        case .minimum: "min"
        case .maximum: "max"
        case .least: "least"
        case .greatest: "greatest"
        case .median: "median"
        case .mode: "mode"
        case .curve: "curve"
        case .sum: "sum"
        case .mean: "mean"
        case .term: "term"
        case .round: "round"
        case .bands: "bands"
        case .withheld: "withheld"
        case .choice: "choice"
        case .figure: "figure"
        }
    }
}
