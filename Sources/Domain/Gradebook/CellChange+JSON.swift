import Classes
public import GradingKit
public import Shared

extension CellChange {
    /// The most fields that one cell may name: more than any kind has.
    private static let fieldLimit = 64
    /// The most faults in one answer, because adding a fault compares it with all earlier ones.
    private static let faultLimit = 100

    /// Reads the change of one cell from a request:
    /// `{"value"?,"mark"?,"status"?,"late"?,"fields"?,"held"?,"was"?,"s"?}`.
    ///
    /// - Parameters:
    ///   - names: further members, which the caller reads.
    public init(
        _ json: JSON, _ enrolment: EnrolmentID, _ line: LineID, at path: String, besides names: Set<String> = []
    ) throws(FaultList) {
        guard let object = json.object else {
            throw FaultList([Fault(.wrongType, at: path, ["expected": "object"])])
        }
        self.init(enrolment, line)
        var faults = FaultList()
        for member in object where !names.contains(member.name) {
            let place = path + JSONPointer.step(member.name)
            switch member.name {
            case "value": value = member.value
            case "mark": mark = member.value
            case "status": status = member.value
            case "late": late = member.value
            case "fields":
                fields = member.value.object ?? JSONObject()
                guard fields.count <= Self.fieldLimit else {
                    throw FaultList([Fault(.entryLimit, at: place, ["limit": .number(String(Self.fieldLimit))])])
                }
                if member.value.object == nil { faults.add(.wrongType, at: place, ["expected": "object"]) }
            case "held":
                isHeldBack = member.value.bool
                if member.value.bool == nil { faults.add(.wrongType, at: place, ["expected": "boolean"]) }
            case "was":
                if member.value.object == nil { faults.add(.wrongType, at: place, ["expected": "object"]) }
                setSeen(member.value, at: place, &faults)
            case "s":
                structure = member.value.integer
                if member.value.integer == nil { faults.add(.wrongType, at: place, ["expected": "integer"]) }
            default: faults.add(.unknownField, at: place)
            }
            guard faults.faults.count < Self.faultLimit else { break }
        }
        try faults.check()
    }

    /// Reads what the author saw. If it has only a delay or fields, the result is no condition.
    private mutating func setSeen(_ was: JSON, at place: String, _ faults: inout FaultList) {
        let (delay, fields) = (was["late"], was["fields"])
        if delay == nil && fields == nil || was["value"] != nil || was["status"] != nil {
            seen = Seen(value: was["value"] ?? .null, status: was["status"]?.string)
        }
        if let fields {
            seenFields = fields.object ?? JSONObject()
            if fields.object == nil { faults.add(.wrongType, at: place + "/fields", ["expected": "object"]) }
            if seenFields.count > Self.fieldLimit {
                faults.add(.entryLimit, at: place + "/fields", ["limit": .number(String(Self.fieldLimit))])
            }
        }
        guard let delay else { return }
        seenDelay = delay.isNull ? 0 : delay.integer
        if seenDelay == nil { faults.add(.wrongType, at: place + "/late", ["expected": "integer"]) }
    }

    /// Reads `[{"row","line",…}]`, with all faults at once.
    public static func list(_ json: JSON, at path: String) throws(FaultList) -> [CellChange] {
        guard let elements = json.array else {
            throw FaultList([Fault(json.isNull ? .missingField : .wrongType, at: path, ["expected": "array"])])
        }
        guard elements.count <= ClassLimits.cells else {
            throw FaultList([Fault(.entryLimit, at: path, ["limit": .number(String(ClassLimits.cells))])])
        }
        var (changes, faults) = ([CellChange](), FaultList())
        for (index, element) in elements.enumerated() where faults.faults.count < faultLimit {
            let place = path + JSONPointer.step(index)
            guard let row = element["row"]?.string, let line = element["line"]?.string else {
                faults.add(.missingField, at: place + (element["row"]?.string == nil ? "/row" : "/line"))
                continue
            }
            do {
                changes.append(
                    try CellChange(element, EnrolmentID(row), LineID(line), at: place, besides: ["row", "line"]))
            } catch {
                for fault in error.faults { faults.add(fault) }
            }
        }
        try faults.check()
        return changes
    }

    /// Reads a row's cells, `{line: {…}}`.
    public static func row(_ json: JSON, of enrolment: EnrolmentID, at path: String) throws(FaultList) -> [CellChange] {
        guard let object = json.object else {
            throw FaultList([Fault(json.isNull ? .missingField : .wrongType, at: path, ["expected": "object"])])
        }
        guard object.count <= ClassLimits.lines else {
            throw FaultList([Fault(.entryLimit, at: path, ["limit": .number(String(ClassLimits.lines))])])
        }
        var (changes, faults) = ([CellChange](), FaultList())
        for member in object where faults.faults.count < faultLimit {
            do {
                changes.append(
                    try CellChange(
                        member.value, enrolment, LineID(member.name), at: path + JSONPointer.step(member.name)))
            } catch {
                for fault in error.faults { faults.add(fault) }
            }
        }
        try faults.check()
        return changes
    }
}

extension CellChange {
    /// The change in the form of requests:
    /// `{"row","line","value"?,"mark"?,"status"?,"late"?,"fields"?,"held"?,"was"?,"s"?}`.
    var json: JSON {
        var object: JSONObject = ["row": .string(enrolment.text), "line": .string(line.text)]
        object["value"] = value
        object["mark"] = mark
        object["status"] = status
        object["late"] = late
        if !fields.isEmpty { object["fields"] = .object(fields) }
        object["held"] = isHeldBack.map { .bool($0) }
        var was = JSONObject()
        if let seen {
            was["value"] = seen.value
            was["status"] = seen.status.map { JSON.string($0) } ?? JSON.null
        }
        was["late"] = seenDelay.map { JSON.number(String($0)) }
        if !seenFields.isEmpty { was["fields"] = .object(seenFields) }
        if !was.isEmpty { object["was"] = .object(was) }
        object["s"] = structure.map { .number(String($0)) }
        return .object(object)
    }
}
