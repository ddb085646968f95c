import GradingKit
import SQLite
import Shared

/// Notes in the records of before who of staff entered which value, as far as their history tells.
///
/// A record was changed by its student or by staff. A value's author is the account that last changed it, or that
/// made the record from a template. Documents change under their versions, so the epoch is rotated.
enum AuthorshipUpgrade {
    private static let slice = 100

    static func run(on connection: Connection) throws {
        var (last, changed) = ("", false)
        while true {
            let page = try connection.all(
                "SELECT id, student, last_change FROM records WHERE id > ? AND student IS NOT NULL ORDER BY id LIMIT ?",
                .text(last), .integer(slice)
            ) { (id: $0.text(0), student: $0.text(1), change: $0.integer(2)) }
            guard let end = page.last else { break }
            for record in page {
                if try upgrade(record.id, of: record.student, from: record.change, on: connection) { changed = true }
            }
            last = end.id
        }
        if changed { try StoreIdentity.rotateEpoch(on: connection) }
    }

    private static func upgrade(
        _ record: String, of student: String, from last: Int, on connection: Connection
    ) throws -> Bool {
        var places: [Int] = []
        var hasStaff = false
        try Trail(connection: connection).walk(from: last, "account") { seq, row in
            places.append(seq)
            if row.text(1) != student { hasStaff = true }
            return .onward
        }
        guard hasStaff else { return false }
        var marks = AuthorshipMarks()
        for place in places.reversed() {
            try connection.first(
                "SELECT account, operation, entry, before, after FROM changes WHERE seq = ?", .integer(place)
            ) { row in
                let author = row.text(0) == student ? nil : row.text(0)
                let (before, after) = (parsed(row.optionalBytes(3)), parsed(row.optionalBytes(4)))
                if row.text(1) == "create" { marks.maker = author }
                guard let steps = after?.array else {
                    return marks.note(row.optionalText(2), before, after, by: author)
                }
                for step in steps { marks.note(step["entry"]?.string, step["before"], step["after"], by: author) }
            }
        }
        return try rewrite(record, with: marks, on: connection)
    }

    private static func rewrite(_ record: String, with marks: AuthorshipMarks, on connection: Connection) throws -> Bool
    {
        let found = try connection.first("SELECT tree, released_tree FROM records WHERE id = ?", .text(record)) {
            (full: $0.bytes(0), released: $0.optionalBytes(1))
        }
        guard let found, let tree = parsed(found.full) else { return false }
        let full = marks.written(into: tree, seesHidden: true).bytes
        let released = found.released.map { text in
            parsed(text).map { marks.written(into: $0, seesHidden: false).bytes } ?? text
        }
        guard full != found.full || released != found.released else { return false }
        try connection.run(
            "UPDATE records SET tree = ?, released_tree = ? WHERE id = ?", .utf8(full), .utf8(released), .text(record))
        return true
    }

    private static func parsed(_ text: [UInt8]?) -> JSON? { text.flatMap { try? JSON.parse($0) } }
}

/// Who of staff entered what in one record, gathered from its history.
private struct AuthorshipMarks {
    /// Who made the record with what was in it from the start; `nil` for the student.
    var maker: String?
    /// By entry (`""` is the record) and by field, or `nil` for the status: who entered what stands there.
    private var entered: [String: [String?: String?]] = [:]
    /// The same of what the student goes on seeing of hidden entries.
    private var shown: [String: [String?: String?]] = [:]

    /// Takes in one step of a change. Recursion is bounded by the depth of the JSON reader.
    mutating func note(_ entry: String?, _ before: JSON?, _ after: JSON?, by author: String?) {
        guard let after, !after.isNull else { return }
        let id = entry ?? ""
        let old = before?.isNull == false ? before : nil
        if old?["shown"] == nil, after["shown"] != nil { shown[id] = entered[id] }
        mark(&entered[id, default: [:]], from: old, to: after, by: author)
        if let now = after["shown"] {
            if let then = old?["shown"] { mark(&shown[id, default: [:]], from: then, to: now, by: author) }
        } else {
            shown[id] = nil
        }
        for child in after["children"]?.array ?? [] where old == nil {
            note(child["id"]?.string, nil, child, by: author)
        }
    }

    private func mark(
        _ marks: inout [String?: String?], from before: JSON?, to after: JSON, by author: String?
    ) {
        for member in after["fields"]?.object ?? [:] where before?["fields"]?[member.name] ?? .null != member.value {
            marks.updateValue(author, forKey: member.name)
        }
        let status = after["status"] ?? .null
        if before?["status"] ?? .null != status { marks.updateValue(author, forKey: nil) }
    }

    /// A record, or an entry of one, that says who of staff entered what in it.
    func written(into json: JSON, seesHidden: Bool) -> JSON {
        guard let object = json.object else { return json }
        let id = object["entries"] == nil ? object["id"]?.string ?? "" : ""
        let seen = seesHidden ? entered[id] : shown[id] ?? entered[id]
        var written = JSONObject()
        for member in object {
            switch member.name {
            case "shown": written["shown"] = marked(member.value, by: shown[id])
            case "children", "entries":
                written["enteredBy"] = authors(of: json, by: seen)
                let children = (member.value.array ?? []).map { self.written(into: $0, seesHidden: seesHidden) }
                written[member.name] = .array(children)
            default: written[member.name] = member.value
            }
        }
        return .object(written)
    }

    private func marked(_ json: JSON, by marks: [String?: String?]?) -> JSON {
        guard var object = json.object else { return json }
        object["enteredBy"] = authors(of: json, by: marks)
        return .object(object)
    }

    private func authors(of json: JSON, by marks: [String?: String?]?) -> JSON? {
        func author(_ name: String?, of value: JSON) -> String? {
            if value.isNull { return nil }
            guard let known = marks?[name] else { return maker }
            return known
        }
        var fields = JSONObject()
        for member in json["fields"]?.object ?? [:] {
            fields[member.name] = author(member.name, of: member.value).map { .string($0) }
        }
        let status = author(nil, of: json["status"] ?? .null)
        guard !fields.isEmpty || status != nil else { return nil }
        var authors: JSONObject = ["fields": .object(fields)]
        authors["status"] = status.map { .string($0) }
        return .object(authors)
    }
}
