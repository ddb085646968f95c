public import Forms
public import GradingKit
public import Shared

/// Where a copy of an earlier record comes from: another record of the same student, or a year from elsewhere that staff
/// enter.
public struct EarlierSource: Sendable {
    /// The record to copy; `nil` for a year from elsewhere.
    public let record: RecordID?
    /// Why, in the words of the person who takes it.
    public let reason: String?
    /// The year as the kit takes it, but for its kind; empty for a record to copy.
    private let written: JSONObject
    private let entries: [JSON]

    /// The form of a request to take one.
    public static let form = RequestForm(
        "EarlierRecord",
        example: [
            "figures": ["total": "12.5"], "outcomes": ["diploma": "met"],
            "entries": [["kind": "ue", "fields": ["code": "UE11"], "figures": ["average": "61/5"]]],
            "reason": "Transcript of Lyon 1",
        ]
    ) { form in
        let record = form.text("record")
        let values = JSONSchema.map(to: .any)
        let fields = form.object("fields", as: values)
        let figures = form.object("figures", as: values)
        let outcomes = form.object("outcomes", as: values)
        let entry = JSONSchema.object([
            "kind": .text, "fields?": values.nullable, "figures?": values.nullable, "outcomes?": values.nullable,
        ])
        let entries = form.array("entries", of: entry, most: RecordShape.greatestEntryCount)
        let reason = form.line("reason", max: GivenValues.longestReason)
        if record != nil {
            for (name, isThere) in [
                ("fields", fields != nil), ("figures", figures != nil), ("outcomes", outcomes != nil),
                ("entries", entries != nil),
            ] where isThere { form.refuse(name, .unknownField) }
        }
        return EarlierSource(
            record: record.map { RecordID($0) }, reason: reason,
            written: written(fields, figures, outcomes), entries: entries ?? [])
    }

    private static func written(_ fields: JSONObject?, _ figures: JSONObject?, _ outcomes: JSONObject?) -> JSONObject {
        var given = JSONObject()
        given["figures"] = figures.map { .object($0) }
        given["outcomes"] = outcomes.map { .object($0) }
        return ["fields": fields.map { .object($0) } ?? .null, "given": .object(given)]
    }

    /// The year from elsewhere as a copy of that name.
    ///
    /// - Throws: `FaultList` with the faults of an entry, below `/entries`.
    public func copy(named name: String) throws(FaultList) -> JSON {
        var (object, faults) = (written, FaultList())
        object["kind"] = .string(name)
        var children: [JSON] = []
        for (index, entry) in entries.enumerated() {
            let path = "/entries" + JSONPointer.step(index)
            guard let members = entry.object else {
                faults.add(.wrongType, at: path, ["expected": "object"])
                continue
            }
            let known = ["kind", "fields", "figures", "outcomes"]
            for member in members where !known.contains(member.name) {
                faults.add(unknown: member.name, among: known, at: path)
            }
            guard let kind = members["kind"]?.string else {
                faults.add(
                    members["kind"] == nil ? .missingField : .wrongType, at: path + "/kind", ["expected": "string"])
                continue
            }
            var child = Self.written(
                members["fields"]?.object, members["figures"]?.object, members["outcomes"]?.object)
            child["kind"] = .string("\(name)_\(kind)")
            children.append(.object(child))
        }
        try faults.check()
        object["children"] = .array(children)
        return .object(object)
    }
}

extension RecordEdit {
    /// Puts a copy of an earlier record in place of the one of that name, or with `nil` removes it.
    public static func earlier(_ name: String, _ copy: JSON?, reason: String?) -> RecordEdit {
        RecordEdit(
            [.takeEarlier(name, copy: copy, reason: reason)], answer: .whole, operation: "earlier", reason: reason)
    }
}
