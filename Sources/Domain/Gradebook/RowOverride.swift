import Classes
public import GradingKit
public import Shared

/// A request to give the total of one row figures or a status beside the computed ones, or to take them back.
public struct RowOverride: Sendable, Equatable {
    /// The enrolment of the row.
    public let enrolment: EnrolmentID
    /// The value for each figure, or `null` to take back a given one.
    public let figures: JSONObject
    /// The given values of these figures that the author saw, `null` for none; figures that are absent have no
    /// condition.
    public let seen: JSONObject
    /// The status of the total; `null` removes it, and `nil` leaves it unchanged.
    public let status: JSON?
    /// The status that the author saw, `null` for none; `nil` for any.
    public let seenStatus: JSON?

    /// Creates a request for one row.
    public init(
        _ enrolment: EnrolmentID, _ figures: JSONObject = JSONObject(), seen: JSONObject = JSONObject(),
        status: JSON? = nil, seenStatus: JSON? = nil
    ) {
        self.enrolment = enrolment
        self.figures = figures
        self.seen = seen
        self.status = status
        self.seenStatus = seenStatus
    }
}

extension RowOverride {
    /// The most figures that one row may name: more than any kind has.
    private static let figureLimit = 64
    private static let members: Set = ["row", "figures", "was", "status", "wasStatus"]

    /// Reads `[{"row","figures"?,"was"?,"status"?,"wasStatus"?}]` with figures or a status, with all faults at once.
    public static func list(_ json: JSON, at path: String) throws(FaultList) -> [RowOverride] {
        guard let elements = json.array else {
            throw FaultList([Fault(json.isNull ? .missingField : .wrongType, at: path, ["expected": "array"])])
        }
        guard elements.count <= ClassLimits.overrides else {
            throw FaultList([Fault(.entryLimit, at: path, ["limit": .number(String(ClassLimits.overrides))])])
        }
        var (overrides, faults) = ([RowOverride](), FaultList())
        for (index, element) in elements.enumerated() {
            let place = path + JSONPointer.step(index)
            guard let object = element.object else {
                faults.add(.wrongType, at: place, ["expected": "object"])
                continue
            }
            for member in object where !members.contains(member.name) {
                faults.add(.unknownField, at: place + JSONPointer.step(member.name))
            }
            let status = element["status"]
            guard let row = element["row"]?.string,
                let figures = element["figures"]?.object ?? (status == nil ? nil : JSONObject())
            else {
                faults.add(.missingField, at: place + (element["row"]?.string == nil ? "/row" : "/figures"))
                continue
            }
            for name in ["status", "wasStatus"] where element[name].map({ $0.string == nil && !$0.isNull }) ?? false {
                faults.add(.wrongType, at: place + "/" + name, ["expected": "string"])
            }
            let seen = element["was"].map(\.object) ?? JSONObject()
            if seen == nil { faults.add(.wrongType, at: place + "/was", ["expected": "object"]) }
            guard figures.count <= figureLimit else {
                faults.add(.entryLimit, at: place + "/figures", ["limit": .number(String(figureLimit))])
                continue
            }
            overrides.append(
                RowOverride(
                    EnrolmentID(row), figures, seen: seen ?? JSONObject(), status: status,
                    seenStatus: element["wasStatus"]))
        }
        try faults.check()
        return overrides
    }
}
