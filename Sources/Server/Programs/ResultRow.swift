import Forms
import GradingKit
import Records
import Storage

/// One row of imported results: whose record, which entry, and what is to stand there.
struct ResultRow: Sendable {
    /// Whose record.
    enum Owner: Sendable, Hashable {
        case record(RecordID)
        /// A login or an account's identifier.
        case student(String)
    }

    /// Where in the record.
    enum Place: Sendable {
        case entry(EntryID)
        case path([String])
    }

    let owner: Owner
    let place: Place
    /// The kind of a new entry in that place; `nil` for a change of the entry there.
    let kind: String?
    /// `fields`, `status`, `hidden`.
    let members: JSONObject

    /// Reads `{"record"|"student","entry"|"path","kind"?,"fields"?,"status"?,"hidden"?}`.
    init(_ json: JSON, hidden: Bool?) throws(FaultList) {
        var form = Form(json)
        let record = form.text("record")
        let student = form.text("student")
        let entry = form.text("entry")
        let path = Self.path(&form)
        kind = form.text("kind")
        var members = JSONObject()
        members["fields"] = form.object("fields").map { .object($0) }
        if form.has("status") { members["status"] = form.json("status") ?? .null }
        members["hidden"] = (form.flag("hidden") ?? hidden).map { .bool($0) }
        if record == nil, student == nil { form.refuse("record", .missingField) }
        if record != nil, student != nil { form.refuse("student", .unknownField) }
        if entry == nil, path == nil, kind == nil { form.refuse("entry", .missingField) }
        if entry != nil, path != nil { form.refuse("path", .unknownField) }
        if members.isEmpty { form.refuse("fields", .missingField) }
        try form.finish()
        owner = record.map { .record(RecordID($0)) } ?? .student(student ?? "")
        place = entry.map { .entry(EntryID($0)) } ?? .path(path ?? [])
        self.members = members
    }

    /// A list of names, or one text with slashes between them.
    private static func path(_ form: inout Form) -> [String]? {
        guard let json = form.json("path") else { return nil }
        if let text = json.string { return text.split(separator: "/").map(String.init) }
        guard let steps = json.array, steps.allSatisfy({ $0.string != nil }) else {
            form.refuse("path", .wrongType, ["expected": "array"])
            return nil
        }
        return steps.compactMap(\.string)
    }

    /// The change of the record.
    var edit: RecordEdit {
        switch place {
        case .entry(let entry): .result(at: entry, members, kind: kind)
        case .path(let path): .result(at: path, members, kind: kind)
        }
    }
}
