import Database
import GradingKit
import Shared

/// The upgrade that adds to existing records which staff member entered which value, as far as their history shows.
///
/// A record was changed by its student or by staff. The author of a value is the account that last changed it, or that
/// created the record from a template. Documents change without a new version, so the epoch changes.
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

/// Who of the staff entered what in one record, collected from its history.
private struct AuthorshipMarks {
    /// Who created the record with its initial values; `nil` for the student.
    var maker: String?
    /// The author of each value, by entry (`""` is the record) and by field (`nil` is the status).
    private var entered: [String: [String?: String?]] = [:]
    /// The same for what the student still sees of hidden entries.
    private var shown: [String: [String?: String?]] = [:]

    /// Includes one step of a change. The depth limit of the JSON reader bounds the recursion.
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

    /// Returns a record, or an entry of one, with its authors added.
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

    /// Returns the authors of an entry's fields and status as its member `enteredBy`; `nil` if no member of staff entered
    /// any. What is not marked is the work of the record's maker.
    private func authors(of json: JSON, by marks: [String?: String?]?) -> JSON? {
        /// Returns the author of a field, or of the status, whose name is `nil`; `nil` for a student.
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
