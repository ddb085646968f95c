public import Classes
public import GradingKit
public import Shared

/// A student to be put into another section, or into none.
public struct SectionChange: Sendable, Equatable {
    /// The student in the class.
    public let enrolment: EnrolmentID
    /// The section; `nil` for none.
    public let section: SectionID?
    /// The section that the author saw, `.some(nil)` for none; `nil` for any.
    public let seen: SectionID??

    /// Creates a change for a student.
    public init(_ enrolment: EnrolmentID, to section: SectionID?, seen: SectionID?? = nil) {
        self.enrolment = enrolment
        self.section = section
        self.seen = seen
    }
}

extension SectionChange {
    /// Reads `[{"row","section","was"?}]`, with all faults at once.
    public static func list(_ json: JSON, at path: String) throws(FaultList) -> [SectionChange] {
        guard let elements = json.array else {
            throw FaultList([Fault(json.isNull ? .missingField : .wrongType, at: path, ["expected": "array"])])
        }
        guard elements.count <= ClassLimits.students else {
            throw FaultList([Fault(.entryLimit, at: path, ["limit": .number(String(ClassLimits.students))])])
        }
        var (changes, faults) = ([SectionChange](), FaultList())
        // Adding a fault compares it with all earlier ones.
        for (index, element) in elements.enumerated() where faults.faults.count < 100 {
            let place = path + JSONPointer.step(index)
            guard let object = element.object else {
                faults.add(.wrongType, at: place, ["expected": "object"])
                continue
            }
            for member in object.prefix(16) where !["row", "section", "was"].contains(member.name) {
                faults.add(.unknownField, at: place + JSONPointer.step(member.name))
            }
            for name in ["section", "was"] where object[name].map({ !$0.isNull && $0.string == nil }) ?? false {
                faults.add(.wrongType, at: place + JSONPointer.step(name), ["expected": "string"])
            }
            guard let row = object["row"]?.string, let section = object["section"] else {
                faults.add(.missingField, at: place + (object["row"]?.string == nil ? "/row" : "/section"))
                continue
            }
            changes.append(
                SectionChange(
                    EnrolmentID(row), to: section.string.map { SectionID($0) },
                    seen: object["was"].map { $0.string.map { SectionID($0) } }))
        }
        try faults.check()
        return changes
    }
}
