public import Classes
import Database
public import Gradebook
import GradingKit
public import Shared

extension RelationalStore {
    /// A comment with its number; see ``GradebookStore``.
    public func comment(_ id: CommentID) async throws -> (number: Int, comment: CellComment)? {
        try await read { try $0.comments("WHERE m.id = ?", [.text(id.text)]).first }
    }

    /// Comments below a number, newest first; see ``GradebookStore``.
    public func comments(
        _ list: CommentList, before number: Int?, limit: Int
    ) async throws -> [(number: Int, comment: CellComment)] {
        try await read { connection in
            let (condition, values) = list.condition
            return try connection.comments(
                "WHERE \(condition) AND m.number < ? ORDER BY m.number DESC LIMIT ?",
                values + [.integer(number ?? .max), .integer(max(0, limit))])
        }
    }

    /// How many comments the cells of a row have; see ``GradebookStore``.
    public func commentCounts(of row: EnrolmentID) async throws -> [Int: CommentCount] {
        try await read { connection in
            let number = try connection.first(
                "SELECT number FROM enrolments WHERE id = ?", .text(row.text)
            ) { $0.integer(0) }
            return try number.map { try connection.commentCounts(of: $0) } ?? [:]
        }
    }
}

extension CommentList {
    fileprivate var condition: (sql: String, values: [SQLValue]) {
        switch self {
        case .row(let id, let lines, let isStudent):
            let places = lines.isEmpty ? "NULL" : lines.map { _ in "?" }.joined(separator: ", ")
            let audience = isStudent ? " AND m.audience = 'student'" : ""
            return (
                "e.id = ? AND m.line IN (\(places))\(audience)", [.text(id.text)] + lines.map { .integer($0) }
            )
        case .written(let account): return ("m.account = ?", [.text(account.text)])
        case .about(let account): return ("e.student = ? AND m.audience = 'student'", [.text(account.text)])
        }
    }
}

extension Connection {
    /// The comments on a cell without their texts, the oldest first.
    func comments(on enrolment: Int, line: Int) throws -> [CellComment] {
        try comments(
            "WHERE m.enrolment = ? AND m.line = ? ORDER BY m.number", [.integer(enrolment), .integer(line)], text: "''"
        ).map(\.comment)
    }

    /// Comments with their numbers.
    ///
    /// - Parameter text: the column in which texts stand, or what is read in their place.
    fileprivate func comments(
        _ condition: String, _ values: [SQLValue], text: String = "m.text"
    ) throws -> [(number: Int, comment: CellComment)] {
        let sql = """
            SELECT m.number, m.id, c.id, e.id, m.line, m.account, m.at, m.audience, \(text) FROM class_comments AS m
            JOIN classes AS c ON c.number = m.class JOIN enrolments AS e ON e.number = m.enrolment \(condition)
            """
        return try all(sql, values) { ($0.integer(0), CellComment($0)) }
    }

    /// How many comments the cells of a row have, by the numbers of lines.
    func commentCounts(of enrolment: Int) throws -> [Int: CommentCount] {
        let sql = """
            SELECT line, count(*), CAST(sum(iif(audience = 'student', 1, 0)) AS BIGINT),
            max(iif(audience = 'student', number, 0)) FROM class_comments WHERE enrolment = ? GROUP BY line
            """
        let found = try all(sql, .integer(enrolment)) { row in
            (
                line: row.integer(0),
                count: CommentCount(all: row.integer(1), forStudent: row.integer(2), newest: row.integer(3))
            )
        }
        return Dictionary(found.map { ($0.line, $0.count) }, uniquingKeysWith: { first, _ in first })
    }
}

extension WriteTransaction {
    /// Stores a comment that is new, and tells its student if it is seen, or deletes one.
    func put(
        _ change: ActPlan.CommentChange, of row: EnrolledRow?, in found: StoredClassHead, by context: ActContext
    ) throws {
        switch change {
        case .written(let comment, let isSeen):
            let enrolment = try connection.first(
                "SELECT number FROM enrolments WHERE id = ?", .text(comment.enrolment.text)
            ) { $0.integer(0) }
            guard let enrolment else { throw StoreError.moved }
            try connection.run(
                """
                INSERT INTO class_comments (id, class, enrolment, line, account, at, audience, text)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                .text(comment.id.text), .integer(found.number), .integer(enrolment), .integer(comment.line),
                .text(comment.account?.text), .integer(comment.at.microseconds), .text(comment.audience.rawValue),
                .text(comment.text))
            guard isSeen, let student = row?.enrolment.student else { return }
            let act = AuditContext(by: context.account, from: context.source, at: context.at)
            let detail: JSON = ["comment": .string(comment.id.text), "program": .string(found.head.program.text)]
            try audit(
                act.entry("comment.written", of: student.text, in: found.head.institution, detail: detail.bytes))
        case .deleted(let id):
            try connection.run("DELETE FROM class_comments WHERE id = ?", .text(id.text))
            guard try connection.changes == 1 else { throw StoreError.moved }
        }
    }
}

extension CellComment {
    /// Nine columns; the first is the number.
    fileprivate init(_ row: borrowing Row) {
        self.init(
            id: CommentID(row.text(1)), classID: ClassID(row.text(2)), enrolment: EnrolmentID(row.text(3)),
            line: row.integer(4), account: row.optionalText(5).map { AccountID($0) },
            at: Timestamp(microseconds: Int64(row.integer(6))),
            audience: Audience(rawValue: row.text(7)) ?? .staff, text: row.text(8))
    }
}
