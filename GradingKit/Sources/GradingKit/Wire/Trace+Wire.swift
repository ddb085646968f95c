extension Trace {
    /// Reads an explanation.
    convenience init(_ wire: WireValue) throws(SchemeFailure) {
        var children: [Trace] = []
        for child in wire["children"].isNull ? [] : try wire["children"].list() { children.append(try Trace(child)) }
        self.init(
            try Self.operation(wire), try Quantity.State(value: wire["value"], reason: wire["reason"]), children,
            usage: wire["state"].isNull ? .used : try wire["state"].word(Usage.self))
    }

    private static func operation(_ wire: WireValue) throws(SchemeFailure) -> Operation {
        let entry = EntryID(try wire["entry"].textIfAny() ?? "")
        switch try wire["op"].text() {
        case "input": return .input(entry: entry, field: try wire["field"].text())
        case "assumed": return .assumed(entry: entry)
        case "constant": return .constant
        case "add": return .add
        case "subtract": return .subtract
        case "multiply": return .multiply
        case "divide": return .divide
        case "min": return .minimum
        case "sum": return .sum
        case "mean": return .mean
        case "term": return .term(entry: entry)
        case "round":
            let rule = try FigureRule(wire["rounding"])
            return .round(rule.shown)
        case "bands": return .bands(try Bands(wire))
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
