/// Why an outcome is as it is.
public struct DecisionReason: Sendable, Equatable {
    /// What the reason is.
    public let code: FaultCode
    /// The entry it is about, if it is about one.
    public let entry: EntryID?
    /// The numbers and names its message mentions.
    public let arguments: JSONObject

    /// A reason.
    public init(_ code: FaultCode, at entry: EntryID? = nil, _ arguments: JSONObject = JSONObject()) {
        self.code = code
        self.entry = entry
        self.arguments = arguments
    }
}

/// An outcome: met, unmet, or pending while something it needs has no value.
public struct Decision: Sendable, Equatable {
    /// How it stands.
    public enum State: String, Sendable {
        case met, unmet, pending
    }

    /// How it stands.
    public let state: State
    /// Why.
    public let reasons: [DecisionReason]

    /// A decision.
    public init(_ state: State, because reasons: [DecisionReason] = []) {
        self.state = state
        self.reasons = reasons
    }

    /// Met, for no particular reason.
    public static let met = Decision(.met)
    /// Met, and why.
    public static func met(because reasons: [DecisionReason]) -> Decision { Decision(.met, because: reasons) }
    /// Unmet, and why.
    public static func unmet(because reasons: [DecisionReason] = []) -> Decision { Decision(.unmet, because: reasons) }
    /// Pending, and on what.
    public static func pending(because reasons: [DecisionReason]) -> Decision { Decision(.pending, because: reasons) }

    /// Met when all are. Something pending makes the whole pending, even beside something unmet: an outcome is
    /// pronounced once everything it looks at is known.
    public static func all(_ parts: [Decision]) -> Decision {
        var state = State.met
        for part in parts where state != .pending && part.state != .met { state = part.state }
        return Decision(state, because: reasons(of: parts, that: state))
    }

    /// Met when more than half of the parts are; pending while one of them is.
    public static func moreThanHalf(_ parts: [Decision]) -> Decision {
        if parts.contains(where: { $0.state == .pending }) {
            return .pending(because: reasons(of: parts, that: .pending))
        }
        let met = parts.count { $0.state == .met }
        return met * 2 > parts.count ? .met : .unmet(because: reasons(of: parts, that: .unmet))
    }

    private static func reasons(of parts: [Decision], that state: State) -> [DecisionReason] {
        var reasons: [DecisionReason] = []
        for part in parts where part.state == state && !part.reasons.isEmpty { reasons += part.reasons }
        return reasons
    }

    /// The decision with its reasons placed at an entry, where they name none.
    public func at(_ entry: EntryID) -> Decision {
        Decision(state, because: reasons.map { DecisionReason($0.code, at: $0.entry ?? entry, $0.arguments) })
    }
}
