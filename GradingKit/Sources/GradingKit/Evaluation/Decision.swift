/// Why an outcome is as it is.
public struct DecisionReason: Sendable, Equatable {
    /// The most reasons that one decision tells.
    public static let most = 50

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

        /// How much it weighs in a whole that is met when all its parts are.
        fileprivate var weight: Int {
            switch self {
            case .met: 0
            case .unmet: 1
            case .pending: 2
            }
        }
    }

    /// How it stands.
    public private(set) var state: State
    /// The name of its value; `nil` for an outcome that names none, and where none of them was decided.
    public private(set) var value: String?
    // Kept outside the list: most decisions have at most one reason, which then needs no allocation.
    private var firstReason: DecisionReason?
    private var otherReasons: [DecisionReason] = []

    /// Why, each reason once and at most ``DecisionReason/most`` of them.
    public var reasons: [DecisionReason] { firstReason.map { [$0] + otherReasons } ?? [] }

    /// A decision for any number of reasons.
    public init(_ state: State, _ value: String? = nil, because reasons: [DecisionReason]) {
        self.state = state
        self.value = value
        for reason in reasons { add(reason) }
    }

    /// A decision for one reason, or for none in particular.
    public init(_ state: State, _ value: String? = nil, because reason: DecisionReason? = nil) {
        self.state = state
        self.value = value
        firstReason = reason
    }

    /// What was decided, in one word: the value, else the state.
    public var word: String { value ?? state.rawValue }

    /// Visits its reasons, without a list of them.
    func forEachReason(_ body: (DecisionReason) -> Void) {
        if let firstReason { body(firstReason) }
        for reason in otherReasons { body(reason) }
    }

    /// Met, for no particular reason.
    public static let met = Decision(.met)
    /// Met, and why.
    public static func met(because reasons: [DecisionReason]) -> Decision { Decision(.met, because: reasons) }
    /// Met, and why.
    public static func met(because reason: DecisionReason) -> Decision { Decision(.met, because: reason) }
    /// Unmet, and why.
    public static func unmet(because reasons: [DecisionReason] = []) -> Decision { Decision(.unmet, because: reasons) }
    /// Unmet, and why.
    public static func unmet(because reason: DecisionReason) -> Decision { Decision(.unmet, because: reason) }
    /// Pending, and on what.
    public static func pending(because reasons: [DecisionReason]) -> Decision { Decision(.pending, because: reasons) }
    /// Pending, and on what.
    public static func pending(because reason: DecisionReason) -> Decision { Decision(.pending, because: reason) }

    /// Met when all parts are. One pending part makes the whole pending, even beside an unmet one: an outcome is final
    /// only when every part is known.
    public static func all(_ parts: [Decision]) -> Decision { parts.reduce(into: .met) { $0.require($1) } }

    /// Makes it depend on one more part: the same as ``all(_:)``, part by part and without a list of them.
    public mutating func require(_ part: Decision) {
        if part.state.weight > state.weight {
            self = part
            value = nil
        } else if part.state == state {
            part.forEachReason { add($0) }
        }
    }

    /// Adds a reason: what several parts wait for is one.
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

    /// Met when more than half of the parts are; pending while one of them is.
    public static func moreThanHalf(_ parts: [Decision]) -> Decision {
        let met = parts.count { $0.state == .met }
        if !parts.contains(where: { $0.state == .pending }), met * 2 > parts.count { return .met }
        // Pending if a part is, else unmet: there is a part that is not met, or none at all.
        return parts.reduce(into: Decision(.unmet)) { whole, part in if part.state != .met { whole.require(part) } }
    }

    /// The decision with its reasons placed at an entry, where they name none.
    public func at(_ entry: @autoclosure () -> EntryID) -> Decision {
        guard let firstReason, firstReason.entry == nil || otherReasons.contains(where: { $0.entry == nil }) else {
            return self
        }
        let entry = entry()
        let placed = reasons.map { DecisionReason($0.code, at: $0.entry ?? entry, $0.arguments) }
        return Decision(state, value, because: placed)
    }
}
