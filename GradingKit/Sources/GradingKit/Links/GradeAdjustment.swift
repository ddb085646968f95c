/// A change of a recorded grade before anything uses it: a deduction for a late work, a curve of a whole column.
///
/// It never turns a better grade into a worse one than a lesser grade gets, so that goals stay provable.
public struct GradeAdjustment: Sendable, Hashable {
    /// Why a grade is adjusted.
    public enum Cause: String, Sendable, CaseIterable {
        /// The work came late.
        case late
        /// The work is missing.
        case missing
        /// The whole column is adjusted.
        case curve
    }

    /// The most that are done to one grade: late, capped and curved work has three.
    public static let mostOfEntry = 8

    /// Whether no number in adjustments is longer than any of a class, before it is read.
    static func holdsShortNumbers(_ json: JSON) -> Bool {
        switch json {
        case .string(let text), .number(let text): text.utf8.count <= 64
        case .array(let elements): elements.allSatisfy(holdsShortNumbers)
        case .object(let members): members.allSatisfy { holdsShortNumbers($0.value) }
        default: true
        }
    }

    /// A recorded value and what becomes of it.
    public typealias Point = Curve.Point

    /// What is done, in the unit of the grade's field.
    public enum Operation: Sendable, Hashable {
        /// Adds so much; a negative number takes away.
        case add(Exact)
        /// Multiplies.
        case scale(Exact)
        /// Lifts what is below.
        case atLeast(Exact)
        /// Caps what is above.
        case atMost(Exact)
        /// Reads the value off straight lines between points; beyond the first and the last point their values hold.
        case table([Point])
    }

    /// What is done.
    public let operation: Operation
    /// Why.
    public let cause: Cause

    /// An adjustment; `nil` for a scale below 0, and for a table that is empty, too long, or does not rise: `from`
    /// strictly, `to` at least never falling.
    public init?(_ operation: Operation, because cause: Cause) {
        switch operation {
        case .add, .atLeast, .atMost: break
        case .scale(let factor): if factor < .zero { return nil }
        case .table(let points):
            guard let curve = Curve(points), curve.rises else { return nil }
        }
        self.operation = operation
        self.cause = cause
    }

    /// The adjusted value.
    public func callAsFunction(_ value: Exact) -> Exact {
        switch operation {
        case .add(let amount): value + amount
        case .scale(let factor): value * factor
        case .atLeast(let bound): max(value, bound)
        case .atMost(let bound): min(value, bound)
        case .table(let points): Curve.read(value, off: points)
        }
    }
}

extension GradeAdjustment {
    private enum Name: String {
        case add, scale, atLeast, atMost, table
    }

    /// `{"op":"add","value":"-5","why":"late"}`; a table has `points` `[["40","50"],…]` in place of `value`.
    public var json: JSON {
        var object: JSONObject = [:]
        func set(_ name: Name, _ value: Exact) {
            object["op"] = .string(name.rawValue)
            object["value"] = .string(value.reduced.description)
        }
        switch operation {
        case .add(let value): set(.add, value)
        case .scale(let value): set(.scale, value)
        case .atLeast(let value): set(.atLeast, value)
        case .atMost(let value): set(.atMost, value)
        case .table(let points):
            object["op"] = .string(Name.table.rawValue)
            object["points"] = points.json
        }
        object["why"] = .string(cause.rawValue)
        return .object(object)
    }

    /// Reads what `json` writes; `nil` for anything else.
    public init?(_ json: JSON) {
        guard let name = json["op"]?.string.flatMap({ Name(rawValue: $0) }),
            let cause = json["why"]?.string.flatMap({ Cause(rawValue: $0) })
        else { return nil }
        if name == .table {
            guard let points = [Point](json["points"] ?? .null) else { return nil }
            self.init(.table(points), because: cause)
            return
        }
        guard let value = json["value"].flatMap({ Exact(givenIn: $0) }) else { return nil }
        switch name {
        case .add: self.init(.add(value), because: cause)
        case .scale: self.init(.scale(value), because: cause)
        case .atLeast: self.init(.atLeast(value), because: cause)
        case .atMost: self.init(.atMost(value), because: cause)
        case .table: return nil
        }
    }
}

extension Exact {
    /// A value written as a decimal or a ratio, in a string or as a number, of at most 4,096 bits.
    init?(givenIn json: JSON) {
        switch json {
        case .string(let text), .number(let text):
            guard text.utf8.count <= 4_096, let value = Exact(ratio: text) ?? DecimalText(text)?.value,
                value.bitWidth <= 4_096
            else { return nil }
            self = value
        default: return nil
        }
    }
}
