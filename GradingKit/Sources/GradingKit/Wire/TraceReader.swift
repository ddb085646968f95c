/// A reader of the explanations in an answer of a scheme in its own process: a list of nodes to which figures refer by
/// number (wire 2), or a tree for each figure (wire 1).
struct TraceReader {
    private let recording = TraceRecording()
    private let limits = TraceLimits()
    private var nodes: [Trace] = []

    /// Reads the nodes of an answer, if there are any.
    init(_ wire: WireValue) throws(SchemeFailure) {
        var scales: [Bands] = []
        if !wire["scales"].isNull {
            scales = try wire["scales"].map { scale throws(SchemeFailure) in try Bands(scale) }
        }
        guard !wire["nodes"].isNull else { return }
        for node in try wire["nodes"].list(atMost: limits.nodes) {
            let children = try node["of"].optional { list throws(SchemeFailure) in
                try list.map(atMost: limits.nodes) { child throws(SchemeFailure) in try self.node(child) }
            }
            nodes.append(
                try record(node, children ?? []) { scale throws(SchemeFailure) in
                    let number = try scale["scale"].integer()
                    guard scales.indices.contains(number) else { throw scale["scale"].wrong("the number of a scale") }
                    return scales[number]
                })
        }
    }

    /// Reads the explanation of a figure: the number of a node, or a tree.
    func trace(_ wire: WireValue) throws(SchemeFailure) -> Trace {
        guard wire.json.object != nil else { return try node(wire) }
        var children: [Trace] = []
        // The depth limit of the JSON reader bounds the recursion.
        for child in wire["children"].isNull ? [] : try wire["children"].list() { children.append(try trace(child)) }
        return try record(wire, children) { scale throws(SchemeFailure) in try Bands(scale) }
    }

    /// Computes every node again and compares the explained figures with the results.
    func check(_ traces: [(trace: Trace, figure: StandingFigure)]) throws(SchemeFailure) {
        guard !traces.isEmpty else { return }
        let values = recording.reevaluated(upTo: recording.count - 1)
        for (trace, figure) in traces where values[trace.number] != figure.current {
            throw SchemeFailure("the explanation of \(figure.name) does not give its value")
        }
    }

    /// Returns the node that a number refers to, which must be an earlier one.
    private func node(_ wire: WireValue) throws(SchemeFailure) -> Trace {
        let number = try wire.integer()
        guard nodes.indices.contains(number) else { throw wire.wrong("the number of an earlier node") }
        return nodes[number]
    }

    private func record(
        _ wire: WireValue, _ children: [Trace], scale: (WireValue) throws(SchemeFailure) -> Bands
    ) throws(SchemeFailure) -> Trace {
        let trace = recording.trace(
            try Self.operation(wire, scale), try Quantity.State(value: wire["value"], reason: wire["reason"]), children,
            usage: wire["state"].isNull ? .used : try wire["state"].word(Trace.Usage.self))
        guard let trace else {
            throw SchemeFailure("the explanations have more than \(limits.nodes) nodes or \(limits.links) links")
        }
        return trace
    }

    private static func operation(
        _ wire: WireValue, _ scale: (WireValue) throws(SchemeFailure) -> Bands
    ) throws(SchemeFailure) -> Trace.Operation {
        let entry = EntryID(try wire["entry"].textIfAny() ?? "")
        switch try wire["op"].text() {
        case "input": return .input(entry: entry, field: try wire["field"].text())
        case "assumed": return .assumed(entry: entry)
        case "given": return .given(entry: entry, nil)
        case "adjust":
            guard let adjustment = GradeAdjustment(wire["adjust"].json) else {
                throw wire["adjust"].wrong("an adjustment of a grade")
            }
            return .adjust(adjustment)
        case "constant": return .constant
        case "add": return .add
        case "subtract": return .subtract
        case "multiply": return .multiply
        case "divide": return .divide
        case "min": return .minimum
        case "max": return .maximum
        case "least": return .least
        case "greatest": return .greatest
        case "median": return .median
        case "mode": return .mode(try wire["better"].isNull ? .higher : wire["better"].word(Direction.self))
        case "curve":
            guard let points = [Curve.Point](wire["points"].json), let curve = Curve(points) else {
                throw wire["points"].wrong("points that rise, with values that rise or fall")
            }
            return .curve(curve)
        case "sum": return .sum
        case "mean": return .mean
        case "term": return .term(entry: entry)
        case "round":
            let rule = try FigureRule(wire["rounding"])
            return .round(rule.shown)
        case "bands": return .bands(try scale(wire))
        case "withheld": return .withheld
        case "figure": return .figure(try wire["figure"].text(), entry: entry)
        default: throw wire["op"].wrong("an operation")
        }
    }
}

extension Quantity.State {
    /// Reads a value, or the reason why there is none.
    init(value: WireValue, reason: WireValue) throws(SchemeFailure) {
        if value.isNull {
            self = .undefined(try reason.code())
        } else {
            self = .value(try value.exact())
        }
    }
}
