/// One step of a change to a record, as a request spells it.
public enum RecordChange: Sendable {
    /// Adds an entry as the last among its siblings. `ref` names it for later steps of the same request.
    case add(entry: JSON, parent: String?, ref: String?)
    /// Merges members into an entry: `fields`, `status` and, for staff, `hidden`, and `given` with its `reason`.
    case patch(EntryID, JSONObject)
    /// Deletes an entry with everything in it.
    case delete(EntryID)
    /// Merges members into the record itself: `fields` and, for staff, `given` with its `reason`.
    case record(JSONObject)
    /// Puts a copy of an earlier record in place of the copy with this name, or removes that copy if `copy` is
    /// `nil`. The reason is noted beside its figures and outcomes.
    case takeEarlier(String, copy: JSON?, reason: String?)
    /// Restores a deleted entry at its old place. Only undo makes this step.
    case restore(Entry, parent: EntryID?, position: Int)
    /// Restores an entry's earlier values. Only undo makes this step.
    case revert(Entry)
    /// Restores the earlier record-level fields, in the form of `RecordTree.fieldsMemoir`. Only undo makes this step.
    case revertFields(JSON)

    /// Merges record-level fields.
    public static func fields(_ fields: JSON) -> RecordChange { .record(["fields": fields]) }

    /// Whether the step gives a figure or an outcome, or takes one back.
    public var gives: Bool {
        switch self {
        case .patch(_, let members), .record(let members): members["given"] != nil
        case .takeEarlier: true
        case .add, .delete, .restore, .revert, .revertFields: false
        }
    }

    /// Reads `{"changes":[{"op":…}]}`.
    ///
    /// - Throws: all faults at once.
    public static func list(from json: JSON) throws(FaultList) -> [RecordChange] {
        var faults = FaultList()
        var changes: [RecordChange] = []
        guard let object = json.object else {
            throw FaultList([Fault(.wrongType, at: "", ["expected": "object"])])
        }
        for member in object where member.name != "changes" {
            faults.add(.unknownField, at: JSONPointer.step(member.name))
        }
        if let elements = object["changes"]?.array {
            for (index, element) in elements.enumerated() {
                do {
                    changes.append(try RecordChange(element, at: "/changes/\(index)"))
                } catch {
                    for fault in error.faults { faults.add(fault) }
                }
            }
        } else {
            let code: FaultCode = object["changes"] == nil ? .missingField : .wrongType
            faults.add(code, at: "/changes", ["expected": "array"])
        }
        try faults.check()
        return changes
    }

    private init(_ json: JSON, at path: String) throws(FaultList) {
        guard var object = json.object else {
            throw FaultList([Fault(.wrongType, at: path, ["expected": "object"])])
        }
        var faults = FaultList()
        func text(_ name: String) -> String? {
            guard let value = object[name], !value.isNull else { return nil }
            if value.string == nil { faults.add(.wrongType, at: path + "/" + name, ["expected": "string"]) }
            return value.string
        }
        let operation = text("op")
        let entry = text("entry")
        let parent = text("parent")
        let ref = text("ref")
        for name in ["op", "entry"] { object[name] = nil }
        switch operation {
        case "add":
            object["parent"] = nil
            object["ref"] = nil
            self = .add(entry: .object(object), parent: parent, ref: ref)
        case "patch": self = .patch(EntryID(entry ?? ""), object)
        case "delete": self = .delete(EntryID(entry ?? ""))
        case "fields": self = .record(object)
        default:
            let operations = ["add", "patch", "delete", "fields"]
            faults.add(
                operation == nil ? .missingField : .outOfRange, at: path + "/op",
                operation == nil ? [:] : .allowing(operations))
            throw faults
        }
        if operation == "patch" || operation == "delete", entry == nil {
            faults.add(.missingField, at: path + "/entry")
        }
        if operation == "delete" {
            for member in object { faults.add(.unknownField, at: path + JSONPointer.step(member.name)) }
        }
        try faults.check()
    }
}

/// The entry that a request names does not exist in the record.
public struct EntryNotFound: Error, Equatable, Sendable {
    /// The name in the request.
    public let entry: String

    /// Creates the error for a name.
    public init(entry: String) { self.entry = entry }
}
