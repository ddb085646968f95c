/// A number in a calculation: a value, or undefined for a reason. It has a trace of its origin only while the run
/// records explanations.
///
/// Only the kit makes quantities from a record (`entry[field]`), so a scheme cannot return a number that it did not
/// build from the record, and every figure can be explained. A literal is a constant.
public struct Quantity: Sendable {
    /// A value, or the reason why it is missing.
    public enum State: Sendable, Hashable {
        case value(Exact)
        case undefined(FaultCode)
    }

    /// The rare parts of a quantity: the reason for a missing value, a trace, a value beyond machine words.
    private final class Background: Sendable {
        let number: Exact
        let cause: FaultCode
        let trace: Trace?

        init(_ number: Exact, _ cause: FaultCode, _ trace: Trace?) {
            self.number = number
            self.cause = cause
            self.trace = trace
        }

        /// Shared, because half of a record's grades may be missing.
        static let ungraded = Background(.zero, .ungraded, nil)
        /// Shared, because a unit may have no grades at all.
        static let noGrades = Background(.zero, .noGrades, nil)

        /// No value, for a reason.
        static func nothing(_ reason: FaultCode, _ trace: Trace?) -> Background {
            if trace == nil, reason == .ungraded { return ungraded }
            return trace == nil && reason == .noGrades ? noGrades : Background(.zero, reason, trace)
        }
    }

    // Three words, which travel in registers and hold one reference that most quantities do not need: formulas pass
    // thousands of them.
    private let numerator: Int64
    /// 0 if there is no value.
    private let denominator: Int64
    private let background: Background?

    @inline(__always)
    init(_ number: Exact, trace: Trace?) {
        if trace == nil, case .small(let numerator, let denominator) = number.form {
            self.init(numerator, denominator, nil)
        } else {
            self.init(1, 1, Background(number, .noGrades, trace))
        }
    }

    init(undefined reason: FaultCode, trace: Trace?) {
        self.init(0, 0, .nothing(reason, trace))
    }

    init(_ state: State, trace: Trace?) {
        switch state {
        case .value(let value): self.init(value, trace: trace)
        case .undefined(let reason): self.init(undefined: reason, trace: trace)
        }
    }

    @inline(__always)
    private init(_ numerator: Int64, _ denominator: Int64, _ background: Background?) {
        self.numerator = numerator
        self.denominator = denominator
        self.background = background
    }

    static let one = Quantity(Exact.one)

    /// A constant.
    public init(_ value: Exact) { self.init(value, trace: nil) }

    /// An undefined quantity, for a reason.
    public static func undefined(_ reason: FaultCode) -> Quantity { Quantity(undefined: reason, trace: nil) }

    /// Whether there is a value.
    public var isDefined: Bool { denominator != 0 }

    /// The value, or zero if there is none.
    @inline(__always)
    var number: Exact { background?.number ?? Exact(small: numerator, over: denominator) }

    /// Why there is no value. Meaningful only if there is none.
    var cause: FaultCode { background?.cause ?? .noGrades }

    var trace: Trace? { background?.trace }

    /// Whether the quantity is more than a value in machine words.
    @inline(__always)
    var hasBackground: Bool { background != nil }

    /// The value, or the reason why it is missing.
    public var state: State { isDefined ? .value(number) : .undefined(cause) }

    /// The value; `nil` when undefined.
    public var value: Exact? { isDefined ? number : nil }

    /// Why there is no value; `nil` if there is one.
    public var reason: FaultCode? { isDefined ? nil : cause }

    /// Whether it is undefined for this reason.
    func isUndefined(because reason: FaultCode) -> Bool { !isDefined && cause == reason }

    /// The quantity without its trace.
    var untraced: Quantity { isDefined ? Quantity(number) : .undefined(cause) }
}

extension FaultCode {
    /// Reason: an ungraded leaf, which the current figure skips.
    public static let ungraded: FaultCode = "ungraded"
    /// Reason: a status takes the entry out of every figure.
    public static let excused: FaultCode = "excused"
    /// Reason: a status says that the grade is still to be decided.
    public static let pendingGrade: FaultCode = "pending"
    /// Reason: a division by zero.
    public static let divisionByZero: FaultCode = "division_by_zero"
    /// Reason: nothing is graded yet.
    public static let noGrades: FaultCode = "no_grades"
    /// Reason: a figure depends on itself. A mistake of the scheme.
    static let circular: FaultCode = "circular"
}

extension Quantity: ExpressibleByIntegerLiteral {
    /// A constant.
    public init(integerLiteral value: Int) { self.init(Exact(value)) }
}

extension Quantity {
    /// The sum; undefined when either is.
    public static func + (left: Quantity, right: Quantity) -> Quantity { combine(.add, left, right) { $0 + $1 } }
    /// The difference; undefined when either is.
    public static func - (left: Quantity, right: Quantity) -> Quantity { combine(.subtract, left, right) { $0 - $1 } }
    /// The product; undefined when either is.
    public static func * (left: Quantity, right: Quantity) -> Quantity { combine(.multiply, left, right) { $0 * $1 } }
    /// The quotient; undefined when either is, or when the divisor is zero.
    public static func / (left: Quantity, right: Quantity) -> Quantity {
        combine(.divide, left, right) { $0 / $1 }
    }

    /// The smaller of two; undefined when either is.
    public static func min(_ left: Quantity, _ right: Quantity) -> Quantity {
        combine(.minimum, left, right) { Swift.min($0, $1) }
    }

    /// The greater of two; undefined when either is.
    public static func max(_ left: Quantity, _ right: Quantity) -> Quantity {
        combine(.maximum, left, right) { Swift.max($0, $1) }
    }

    /// This quantity if it is defined, otherwise the other.
    public func or(_ other: @autoclosure () -> Quantity) -> Quantity { isDefined ? self : other() }

    /// This quantity if it is defined or excused, otherwise undefined for `reason`.
    public func because(_ reason: FaultCode) -> Quantity {
        isDefined || cause == .excused ? self : withheld(reason)
    }

    /// Undefined, although there may be a value, which the explanation still shows.
    public func withheld(_ reason: FaultCode) -> Quantity {
        let state = State.undefined(reason)
        return Quantity(state, trace: trace.flatMap { $0.recording.trace(.withheld, state, [$0]) })
    }

    @inline(__always)
    private static func combine(
        _ operation: Trace.Operation, _ left: Quantity, _ right: Quantity, _ compute: (Exact, Exact) -> Exact?
    ) -> Quantity {
        let result: Quantity
        if left.isDefined, right.isDefined {
            result = Quantity(bounded: compute(left.number, right.number))
        } else {
            result = .undefined(left.isDefined ? right.cause : left.cause)
        }
        guard let recording = (left.trace ?? right.trace)?.recording else { return result }
        return recording.quantity(operation, result.state, of: left, right)
    }

    /// A computed value within the bounds of ``bounded(_:)``.
    @inline(__always)
    private init(bounded value: Exact?) {
        if let value, case .small = value.form {
            self.init(value, trace: nil)
        } else {
            self.init(Self.bounded(value), trace: nil)
        }
    }

    /// A value beyond 4,096 bits is no grade: it becomes undefined, and the change that caused it is refused.
    static func bounded(_ value: Exact?) -> State {
        guard let value else { return .undefined(.divisionByZero) }
        if case .wide = value.form, value.bitWidth > 4096 { return .undefined(.tooPrecise) }
        return .value(value)
    }

    func mapped(_ operation: @autoclosure () -> Trace.Operation, _ compute: (Exact) -> Exact) -> Quantity {
        let result = isDefined ? Quantity(bounded: compute(number)) : untraced
        guard let trace else { return result }
        let state = result.state
        return Quantity(state, trace: trace.recording.trace(operation(), state, [trace]))
    }

    /// The quantity after one rounding step, which has its own line in the trace.
    public func rounded(_ step: RoundingStep) -> Quantity { mapped(.round(step)) { step($0) } }
}

extension Quantity {
    /// The number for which this quantity stands, such as a cell of a table for a letter. The explanation goes through
    /// `bands`, which give the same number and are made only if an explanation needs them.
    public func standing(for number: Exact, in bands: @autoclosure () -> Bands) -> Quantity {
        guard let trace, isDefined else { return Quantity(number) }
        let bands = bands()
        guard bands.points(for: self.number) == number else { return Quantity(number) }
        let state = State.value(number)
        return Quantity(state, trace: trace.recording.trace(.bands(bands), state, [trace]))
    }
}

extension Quantity {
    /// Whether the bar is reached; pending while there is no value.
    public func reaches(_ bar: Bar, orReason reason: FaultCode? = nil) -> Decision {
        switch state {
        case .value(let value):
            bar.rule.reaches(value, bar.value)
                ? .met : Decision(.unmet, because: reason.map { DecisionReason($0) })
        case .undefined(let why): .pending(because: DecisionReason(why))
        }
    }
}
