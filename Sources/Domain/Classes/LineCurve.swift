public import GradingKit

/// A change of all results of a column, in the unit of its grade. The entered results stay.
public struct LineCurve: Sendable, Equatable {
    /// The most points of a table.
    public static let greatestTable = 50
    /// The greatest absolute value of an addition, and of the results and values of a table.
    static let greatest: Exact = 999_999_999
    /// The greatest factor.
    static let greatestFactor: Exact = 100

    /// The operation: `add`, `scale` or `table`.
    public let operation: GradeAdjustment.Operation
    /// Whether no result counts for more than the best result of the line.
    public let isCapped: Bool

    private init(_ operation: GradeAdjustment.Operation, isCapped: Bool) {
        self.operation = operation
        self.isCapped = isCapped
    }

    /// The adjustments of each result, in this order.
    ///
    /// - worst: the worst result of the line, which may be the greater number.
    ///   - best: the best result; `nil` if there is none, and nothing is capped.
    ///   - best: its best one; `nil` if it has none, and nothing is capped.
    public func adjustments(from worst: Exact?, to best: Exact?) -> [GradeAdjustment] {
        var steps = [operation]
        if isCapped, let worst, let best { steps.append(best < worst ? .atLeast(best) : .atMost(best)) }
        return steps.compactMap { GradeAdjustment($0, because: .curve) }
    }
}

// MARK: - As it is stored, shown and asked for

extension LineCurve {
    /// `{"op":"add","value":"5","cap":true}`; a table has `points` `[["40","50"],…]` in place of `value`.
    public var json: JSON {
        func text(_ value: Exact) -> JSON { .string(value.decimalText ?? value.description) }
        var object: JSONObject = [:]
        switch operation {
        case .scale(let factor):
            object["op"] = "scale"
            object["value"] = text(factor)
        case .table(let points):
            object["op"] = "table"
            object["points"] = .array(points.map { [text($0.from), text($0.to)] })
        case .add(let value), .atLeast(let value), .atMost(let value):
            object["op"] = "add"
            object["value"] = text(value)
        }
        object["cap"] = .bool(isCapped)
        return .object(object)
    }

    /// Reads the form of `json`, also from a request, with all faults at once. Without `cap` nothing is capped.
    public init(_ json: JSON, at path: String) throws(FaultList) {
        var reader = CurveReader(json, at: path)
        let operation = reader.operation()
        let isCapped = reader.flag("cap") ?? false
        reader.finish()
        try reader.faults.check()
        guard let operation else { throw FaultList([Fault(.missingField, at: path + "/op")]) }
        self.init(operation, isCapped: isCapped)
    }
}

/// Reads the members of a curve.
private struct CurveReader {
    private var members: JSONObject
    private let path: String
    private(set) var faults = FaultList()

    init(_ json: JSON, at path: String) {
        self.path = path
        members = json.object ?? JSONObject()
        if json.object == nil { faults.add(.wrongType, at: path, ["expected": "object"]) }
    }

    mutating func operation() -> GradeAdjustment.Operation? {
        guard let name = take("op") else {
            if faults.faults.isEmpty { faults.add(.missingField, at: path + "/op") }
            return nil
        }
        switch name.string {
        case "add": return value("value", -LineCurve.greatest...LineCurve.greatest).map { .add($0) }
        case "scale":
            guard let factor = value("value", .zero...LineCurve.greatestFactor) else { return nil }
            if factor > .zero { return .scale(factor) }
            // With a factor of 0, all results would count the same.
            faults.add(.outOfRange, at: path + "/value", Self.bounds(.zero...LineCurve.greatestFactor))
            return nil
        case "table": return points().map { .table($0) }
        default:
            faults.add(.outOfRange, at: path + "/op", .allowing(["add", "scale", "table"]))
            return nil
        }
    }

    mutating func flag(_ name: String) -> Bool? {
        guard let json = take(name) else { return nil }
        if json.bool == nil { faults.add(.wrongType, at: path + "/" + name, ["expected": "boolean"]) }
        return json.bool
    }

    mutating func finish() {
        // Adding a fault compares it with all earlier ones.
        for member in members.prefix(16) { faults.add(.unknownField, at: path + JSONPointer.step(member.name)) }
    }

    private mutating func take(_ name: String) -> JSON? {
        defer { members[name] = nil }
        guard let value = members[name], !value.isNull else { return nil }
        return value
    }

    private mutating func value(_ name: String, _ range: ClosedRange<Exact>) -> Exact? {
        guard let json = take(name) else {
            faults.add(.missingField, at: path + "/" + name)
            return nil
        }
        return number(json, in: range, at: path + "/" + name)
    }

    private mutating func number(_ json: JSON, in range: ClosedRange<Exact>, at place: String) -> Exact? {
        guard let text = json.numberText, let decimal = DecimalText(text), decimal.decimals <= 4 else {
            faults.add(.notANumber, at: place)
            return nil
        }
        guard range.contains(decimal.value) else {
            faults.add(.outOfRange, at: place, Self.bounds(range))
            return nil
        }
        return decimal.value
    }

    private static func bounds(_ range: ClosedRange<Exact>) -> JSONObject {
        ["min": .number(range.lowerBound.description), "max": .number(range.upperBound.description)]
    }

    /// Reads at least two points: results in rising order, where no better result counts for less.
    private mutating func points() -> [GradeAdjustment.Point]? {
        guard let list = take("points") else {
            faults.add(.missingField, at: path + "/points")
            return nil
        }
        guard let pairs = list.array else {
            faults.add(.wrongType, at: path + "/points", ["expected": "array"])
            return nil
        }
        guard (2...LineCurve.greatestTable).contains(pairs.count) else {
            faults.add(
                .outOfRange, at: path + "/points",
                ["min": 2, "max": .number(String(LineCurve.greatestTable))])
            return nil
        }
        let range = -LineCurve.greatest...LineCurve.greatest
        var points: [GradeAdjustment.Point] = []
        for (index, pair) in pairs.enumerated() {
            let place = path + "/points" + JSONPointer.step(index)
            guard let pair = pair.array, pair.count == 2 else {
                faults.add(.wrongType, at: place, ["expected": "array"])
                continue
            }
            guard let from = number(pair[0], in: range, at: place + "/0"),
                let to = number(pair[1], in: range, at: place + "/1")
            else { continue }
            if let last = points.last, from <= last.from || to < last.to { faults.add(.curveFalls, at: place) }
            points.append(GradeAdjustment.Point(from: from, to: to))
        }
        return points
    }
}
