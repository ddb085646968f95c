/// A change of a recorded grade before anything uses it, such as a deduction for late work or a curve for a whole
/// column.
///
/// It keeps the order of grades: a better grade never becomes worse than a lesser one, so goals remain provable.
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

    /// The most adjustments of one grade. Late, capped and curved work has three.
    public static let mostOfEntry = 8

    /// Whether all numbers in the adjustments are short enough for a class. Checked before they are read.
    static func holdsShortNumbers(_ json: JSON) -> Bool {
        switch json {
        case .string(let text), .number(let text): text.utf8.count <= 64
        case .array(let elements): elements.allSatisfy(holdsShortNumbers)
        case .object(let members): members.allSatisfy { holdsShortNumbers($0.value) }
        default: true
        }
    }

    /// A recorded value and the value that replaces it.
    public typealias Point = Curve.Point

    /// The change, in the unit of the grade's field.
    public enum Operation: Sendable, Hashable {
        /// Adds a number; a negative one subtracts.
        case add(Exact)
        /// Multiplies.
        case scale(Exact)
        /// Raises lower grades to this value.
        case atLeast(Exact)
        /// Lowers higher grades to this value.
        case atMost(Exact)
        /// Reads the value off a piecewise linear function. Beyond its first and last point it keeps their values.
        case table([Point])
    }

    /// The change.
    public let operation: Operation
    /// The cause.
    public let cause: Cause
    /// The field of the grade; `nil` for every grade of the entry.
    public private(set) var field: String?

    /// An adjustment; `nil` for a negative scale, or a table that is empty, too long, falls, or whose `from` does not
    /// strictly rise.
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

    /// The same change of only one of an entry's grades.
    public func only(of field: String) -> GradeAdjustment {
        var copy = self
        copy.field = field
        return copy
    }

    /// Whether it changes the grade in a field.
    func concerns(_ field: String) -> Bool { self.field.map { $0 == field } ?? true }

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

    /// `{"op":"add","value":"-5","why":"late"}`; a table has `points` `[["40","50"],…]` in place of `value`. One grade
    /// of several has `field`.
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
        if let field { object["field"] = .string(field) }
        return .object(object)
    }

    /// Reads the form of `json`; `nil` for anything else.
    public init?(_ json: JSON) {
        guard let name = json["op"]?.string.flatMap({ Name(rawValue: $0) }),
            let cause = json["why"]?.string.flatMap({ Cause(rawValue: $0) })
        else { return nil }
        if name == .table {
            guard let points = [Point](json["points"] ?? .null) else { return nil }
            self.init(.table(points), because: cause)
        } else {
            guard let value = json["value"].flatMap({ Exact(givenIn: $0) }) else { return nil }
            switch name {
            case .add: self.init(.add(value), because: cause)
            case .scale: self.init(.scale(value), because: cause)
            case .atLeast: self.init(.atLeast(value), because: cause)
            case .atMost: self.init(.atMost(value), because: cause)
            case .table: return nil
            }
        }
        field = json["field"]?.string
    }
}

extension Exact {
    /// A value of at most 4,096 bits, as a number, or as a decimal or ratio in a string.
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
