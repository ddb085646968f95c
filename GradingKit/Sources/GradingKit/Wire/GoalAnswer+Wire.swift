extension FaultCode {
    /// The scheme runs in its own process and does not support goals.
    static let goalsUnsupported: FaultCode = "goals_unsupported"
}

extension GoalAnswer {
    func writeWire(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("status", status.rawValue)
            writer.member("inputs") { writer in
                writer.array { writer in
                    for input in inputs {
                        writer.object {
                            $0.member("entry", input.leaf.entry.text)
                            $0.member("field", input.leaf.field)
                            $0.member("value", input.value.description)
                        }
                    }
                }
            }
            writer.member("reached") { reached.writeWire(to: &$0) }
            writer.member("ceiling") { ceiling.writeWire(to: &$0) }
            writer.member("buffer", buffer?.description)
        }
    }

    init(_ wire: WireValue, to goal: Goal, _ reader: StandingReader) throws(SchemeFailure) {
        self.init(
            status: try wire["status"].word(Status.self),
            inputs: try wire["inputs"].map { input throws(SchemeFailure) in
                Input(
                    leaf: Leaf(entry: EntryID(try input["entry"].text()), field: try input["field"].textIfAny()),
                    value: try input["value"].exact())
            },
            reached: try reader.outlook(wire["reached"], on: goal),
            ceiling: try reader.outlook(wire["ceiling"], on: goal),
            buffer: try wire["buffer"].optional { value throws(SchemeFailure) in try value.exact() },
            catalog: reader.rules.catalog)
    }
}

extension GoalAnswer.Outlook {
    fileprivate func writeWire(to writer: inout JSONWriter) {
        writer.object { writer in
            switch self {
            case .figure(let figure): figure.writeWire(to: &writer)
            case .outcome(let decision):
                writer.member("state", decision.state.rawValue)
                writer.member("reasons") { writer in
                    writer.array { for reason in decision.reasons { reason.writeWire(to: &$0) } }
                }
            }
        }
    }
}

extension StandingReader {
    fileprivate func outlook(_ wire: WireValue, on goal: Goal) throws(SchemeFailure) -> GoalAnswer.Outlook {
        guard wire["state"].isNull else { return .outcome(try decision(wire)) }
        let kind = rules.kinds[goal.entry.flatMap { tree.entry($0)?.kind } ?? 0]
        let presentation =
            kind.figures.first { $0.figure.name == goal.figure }?.presentation
            ?? rules.families.first { goal.figure.hasPrefix($0.figure.name + ":") }?.presentation
        guard let presentation else { throw wire.wrong("a figure of the scheme") }
        return .figure(try figure(wire, goal.figure, presentation.withoutRange()))
    }
}
