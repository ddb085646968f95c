extension Standing {
    /// Writes only what the scheme alone can know: values, bands and texts. The host derives displayed texts, letters
    /// and wording from the scheme's description.
    func writeWire(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("figures") { write(figures, traces, to: &$0) }
            writer.member("entries") { writer in
                writer.object { writer in
                    for entry in entries {
                        writer.member(entry.entry.text) { writer in
                            writer.object { writer in
                                writer.member("figures") { write(entry.figures, entry.traces, to: &$0) }
                                writer.member("outcomes") { Self.write(entry.outcomes, to: &$0) }
                            }
                        }
                    }
                }
            }
            writer.member("outcomes") { Self.write(outcomes, to: &$0) }
            writer.member("warnings") { writer in
                writer.array { for warning in warnings { warning.writeWire(to: &$0) } }
            }
            if let explanation, !explanation.roots.isEmpty { explanation.text.write(to: &writer) }
            writer.member("steps", steps)
        }
    }

    private func write(
        _ figures: [StandingFigure], _ traces: [(figure: String, trace: Trace)], to writer: inout JSONWriter
    ) {
        writer.object { writer in
            for figure in figures {
                writer.member(figure.name) { writer in
                    writer.object { writer in
                        figure.writeWire(to: &writer)
                        if let (_, trace) = traces.first(where: { $0.figure == figure.name }) {
                            writer.member("trace", explanation?.text.number(of: trace))
                        }
                    }
                }
            }
        }
    }

    private static func write(_ outcomes: [StandingOutcome], to writer: inout JSONWriter) {
        writer.object { writer in
            for outcome in outcomes {
                writer.member(outcome.name) { writer in
                    writer.object { writer in
                        writer.member("state", outcome.decision.state.rawValue)
                        if let value = outcome.decision.value { writer.member("value", value) }
                        writer.member("final", outcome.isFinal)
                        writer.member("reasons") { writer in
                            writer.array { for reason in outcome.decision.reasons { reason.writeWire(to: &$0) } }
                        }
                    }
                }
            }
        }
    }
}

extension StandingFigure {
    /// Writes the members of a figure.
    func writeWire(to writer: inout JSONWriter) {
        writer.member("exact", value(current)?.description)
        if case .undefined(let reason) = current { writer.member("reason", reason.text) }
        if presentation.hasRange {
            writer.member("floor", value(floor)?.description)
            writer.member("ceiling", value(ceiling)?.description)
        }
        if let band { writer.member("band", band) }
        if let words = presentation.text(text(current)) { writer.member("text", words.json) }
    }
}

extension DecisionReason {
    func writeWire(to writer: inout JSONWriter) {
        writer.object {
            $0.member("code", code.text)
            $0.member("entry", entry?.text)
            $0.member("args", .object(arguments))
        }
    }

    init(_ wire: WireValue) throws(SchemeFailure) {
        self.init(
            try wire["code"].code(), at: try wire["entry"].textIfAny().map { EntryID($0) },
            try wire["args"].arguments())
    }
}
