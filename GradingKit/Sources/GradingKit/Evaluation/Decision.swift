/// One reason why an outcome is met, unmet or pending.
public struct DecisionReason: Sendable, Equatable {
    /// The most reasons that one decision tells.
    public static let most = 50

    /// The stable code of the reason.
    public let code: FaultCode
    /// The entry it is about, if it is about one.
    public let entry: EntryID?
    /// The numbers and names that its message mentions.
    public let arguments: JSONObject

    /// A reason.
    public init(_ code: FaultCode, at entry: EntryID? = nil, _ arguments: JSONObject = JSONObject()) {
        self.code = code
        self.entry = entry
        self.arguments = arguments
    }
}

/// The result of an outcome: met, unmet, or pending while something that it needs has no value.
public struct Decision: Sendable, Equatable {
    /// Whether the outcome is met.
    public enum State: String, Sendable {
        case met, unmet, pending

        /// The rank in ``Decision/all(_:)``: the part with the greatest rank decides.
        fileprivate var weight: Int {
            switch self {
            case .met: 0
            case .unmet: 1
            case .pending: 2
            }
        }
    }

    /// Whether the outcome is met.
    public private(set) var state: State
    /// The name of the outcome's value; `nil` if the outcome has no named values or none was decided.
    public private(set) var value: String?
    // Kept outside the list: most decisions have at most one reason, and one reason needs no allocation.
    private var firstReason: DecisionReason?
    private var otherReasons: [DecisionReason] = []

    /// The reasons, each once, at most ``DecisionReason/most`` of them.
    public var reasons: [DecisionReason] { firstReason.map { [$0] + otherReasons } ?? [] }

    /// A decision for any number of reasons.
    public init(_ state: State, _ value: String? = nil, because reasons: [DecisionReason]) {
        self.state = state
        self.value = value
        for reason in reasons { add(reason) }
    }

    /// A decision for one reason, or without a reason.
    public init(_ state: State, _ value: String? = nil, because reason: DecisionReason? = nil) {
        self.state = state
        self.value = value
        firstReason = reason
    }

    /// The decision in one word: its value, otherwise its state.
    public var word: String { value ?? state.rawValue }

    /// Visits the reasons without making a list.
    func forEachReason(_ body: (DecisionReason) -> Void) {
        if let firstReason { body(firstReason) }
        for reason in otherReasons { body(reason) }
    }

    /// Met, without a reason.
    public static let met = Decision(.met)
    /// Met, for these reasons.
    public static func met(because reasons: [DecisionReason]) -> Decision { Decision(.met, because: reasons) }
    /// Met, for this reason.
    public static func met(because reason: DecisionReason) -> Decision { Decision(.met, because: reason) }
    /// Unmet, for these reasons.
    public static func unmet(because reasons: [DecisionReason] = []) -> Decision { Decision(.unmet, because: reasons) }
    /// Unmet, for this reason.
    public static func unmet(because reason: DecisionReason) -> Decision { Decision(.unmet, because: reason) }
    /// Pending, for these reasons.
    public static func pending(because reasons: [DecisionReason]) -> Decision { Decision(.pending, because: reasons) }
    /// Pending, for this reason.
    public static func pending(because reason: DecisionReason) -> Decision { Decision(.pending, because: reason) }

    /// Met when all parts are met. One pending part makes the whole pending, even beside an unmet one: an outcome is
    /// final only when every part is known.
    public static func all(_ parts: [Decision]) -> Decision { parts.reduce(into: .met) { $0.require($1) } }

    /// Adds one more part, like ``all(_:)`` but without a list of the parts.
    public mutating func require(_ part: Decision) {
        if part.state.weight > state.weight {
            self = part
            value = nil
        } else if part.state == state {
            part.forEachReason { add($0) }
        }
    }

    /// Adds a reason, unless the decision has it already.
    private mutating func add(_ reason: DecisionReason) {
        guard let firstReason else {
            firstReason = reason
            return
        }
        guard otherReasons.count + 1 < DecisionReason.most, firstReason != reason, !otherReasons.contains(reason) else {
            return
        }
        otherReasons.append(reason)
    }

    /// Met when more than half of the parts are met; pending while one of them is pending.
    public static func moreThanHalf(_ parts: [Decision]) -> Decision {
        let met = parts.count { $0.state == .met }
        if !parts.contains(where: { $0.state == .pending }), met * 2 > parts.count { return .met }
        // Pending if a part is pending, otherwise unmet: some part is not met, or there are no parts.
        return parts.reduce(into: Decision(.unmet)) { whole, part in if part.state != .met { whole.require(part) } }
    }

    /// The decision, with `entry` as the place of every reason that has none.
    public func at(_ entry: @autoclosure () -> EntryID) -> Decision {
        guard let firstReason, firstReason.entry == nil || otherReasons.contains(where: { $0.entry == nil }) else {
            return self
        }
        let entry = entry()
        let placed = reasons.map { DecisionReason($0.code, at: $0.entry ?? entry, $0.arguments) }
        return Decision(state, value, because: placed)
    }
}
