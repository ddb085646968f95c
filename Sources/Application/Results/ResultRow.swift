public import Forms
import GradingKit
import Records
import Shared

/// One row of imported results: the record, the entry, and the values to enter.
public struct ResultRow: Sendable {
    /// The record that the row names.
    enum Owner: Sendable, Hashable {
        case record(RecordID)
        /// Of the student of a name, which is of one kind, or of any where `nil`.
        case student(String, NameKind?)

        /// The member of a row that says it.
        var pointer: String {
            switch self {
            case .record: "/record"
            case .student(_, let kind): "/\(kind?.rawValue ?? "student")"
            }
        }
    }

    /// By what a row names a student, as its member is called.
    enum NameKind: String, Sendable, Hashable, CaseIterable {
        case studentNumber
        case login
        /// An account's identifier.
        case account
    }

    /// The entry that the row names.
    enum Place: Sendable, Hashable {
        case entry(EntryID)
        case path([String])
    }

    let owner: Owner
    let place: Place
    /// The kind of a new entry to create there; `nil` to change the existing entry.
    let kind: String?
    /// The members `fields`, `status` and `hidden`.
    let members: JSONObject

    /// The schema of a row, for the API's description.
    public static var schema: JSONSchema { form.schema }

    private static let form = RequestForm(
        "ResultRow", example: ["student": "ada", "path": ["Algorithms"], "fields": ["credits": 4]]
    ) { form in
        (
            owners: owners(&form), entry: form.text("entry"), path: path(&form),
            kind: form.text("kind"), fields: form.object("fields"), hasStatus: form.has("status"),
            status: form.json("status", as: .text), hidden: form.flag("hidden")
        )
    }

    /// Returns every name that a row gives its record by. A valid row gives one.
    private static func owners(_ form: inout Form) -> [Owner] {
        let record = form.text("record").map { Owner.record(RecordID($0)) }
        let student = form.text("student").map { Owner.student($0, nil) }
        return [record, student].compactMap(\.self)
            + NameKind.allCases.compactMap { kind in form.text(kind.rawValue).map { .student($0, kind) } }
    }

    /// Reads `{"record"|"student"|"studentNumber"|"login"|"account","entry"|"path","kind"?,"fields"?,"status"?,"hidden"?}`.
    init(_ json: JSON, hidden: Bool?) throws(FaultList) {
        var (form, row) = Self.form.open(json)
        kind = row.kind
        var members = JSONObject()
        members["fields"] = row.fields.map { .object($0) }
        if row.hasStatus { members["status"] = row.status ?? .null }
        members["hidden"] = (row.hidden ?? hidden).map { .bool($0) }
        if row.owners.isEmpty { form.refuse("record", .missingField) }
        for extra in row.owners.dropFirst() { form.refuse(String(extra.pointer.dropFirst()), .unknownField) }
        if row.entry == nil, row.path == nil, row.kind == nil { form.refuse("entry", .missingField) }
        if row.entry != nil, row.path != nil { form.refuse("path", .unknownField) }
        if members.isEmpty { form.refuse("fields", .missingField) }
        try form.finish()
        owner = row.owners.first ?? .student("", nil)
        place = row.entry.map { .entry(EntryID($0)) } ?? .path(row.path ?? [])
        self.members = members
    }

    /// Reads a path: a list of names, or one text with names separated by slashes.
    private static func path(_ form: inout Form) -> [String]? {
        let schema = JSONSchema.one(of: [.text, .array(of: .text)])
        guard let json = form.json("path", as: schema) else { return nil }
        if let text = json.string { return text.split(separator: "/").map(String.init) }
        guard let steps = json.array, steps.allSatisfy({ $0.string != nil }) else {
            form.refuse("path", .wrongType, ["expected": "array"])
            return nil
        }
        return steps.compactMap(\.string)
    }

    /// The row as a change of the record.
    var edit: RecordEdit {
        switch place {
        case .entry(let entry): .result(at: entry, members, kind: kind)
        case .path(let path): .result(at: path, members, kind: kind)
        }
    }
}
