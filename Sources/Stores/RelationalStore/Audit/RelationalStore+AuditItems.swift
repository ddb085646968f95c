public import Accounts
import Database
import Shared

extension RelationalStore {
    /// Returns lines of the audit trails, newest first, with the current names of what they mention.
    public func auditItems(_ query: AuditQuery) async throws -> [AuditItem] {
        let scope: String? =
            switch query.trail {
            case .all: nil
            case .server: AuditEntry.scope(of: nil)
            case .institution(let id): AuditEntry.scope(of: id)
            }
        // Only requested filters become conditions, so that SQLite can use their indexes.
        var conditions = ["audit.seq < ?"]
        var values: [SQLValue] = [.integer(query.before ?? .max)]
        for (column, value) in [("scope", scope), ("subject", query.subject), ("account", query.account?.text)] {
            guard let value else { continue }
            conditions.append("audit.\(column) = ?")
            values.append(.text(value))
        }
        if !query.actions.isEmpty {
            conditions.append("audit.action IN (\(query.actions.map { _ in "?" }.joined(separator: ", ")))")
            values += query.actions.map { .text($0) }
        }
        values.append(.integer(query.limit))
        return try await read { [conditions, values] connection in
            try connection.all(
                """
                SELECT audit.seq, audit.scope, audit.at, audit.account, audit.source, audit.action, audit.subject,
                audit.detail, \(AuditNames.columns) FROM audit \(AuditNames.joins)
                WHERE \(conditions.joined(separator: " AND ")) ORDER BY audit.seq DESC LIMIT ?
                """,
                values
            ) { row in
                AuditItem(
                    number: row.integer(0),
                    entry: AuditEntry(
                        institution: row.text(1).isEmpty ? nil : InstitutionID(row.text(1)),
                        at: Timestamp(microseconds: Int64(row.integer(2))),
                        account: row.optionalText(3).map { AccountID($0) }, source: row.text(4), action: row.text(5),
                        subject: row.text(6), detail: row.optionalBytes(7)),
                    names: AuditNames(row, from: 8))
            }
        }
    }
}

extension AuditNames {
    /// The columns that ``init(_:from:)`` reads, in order.
    fileprivate static let columns = """
        actor.login, actor.display_name, person.login, person.display_name, tenant.title, program.title,
        judged.title, student.display_name, place.title, taught.title
        """

    /// Joins that look up, by identifier, what the columns name. Identifiers of different kinds never coincide.
    fileprivate static let joins = """
        LEFT JOIN accounts actor ON actor.id = audit.account
        LEFT JOIN accounts person ON person.id = audit.subject
        LEFT JOIN institutions tenant ON tenant.id = audit.subject
        LEFT JOIN programs program ON program.id = audit.subject
        LEFT JOIN records record ON record.id = audit.subject
        LEFT JOIN programs judged ON judged.id = record.program
        LEFT JOIN accounts student ON student.id = record.student
        LEFT JOIN institutions place ON place.id = audit.scope
        LEFT JOIN classes taught ON taught.id = audit.subject
        """

    fileprivate init(_ row: borrowing Row, from first: Int32) {
        self.init(
            by: Self.person(row, first), subject: Self.subject(row, from: first + 2),
            institution: row.optionalText(first + 8))
    }

    private static func subject(_ row: borrowing Row, from first: Int32) -> Subject? {
        if let person = person(row, first) { return .account(person) }
        if let title = row.optionalText(first + 2) { return .institution(title: title) }
        if let title = row.optionalText(first + 3) { return .program(title: title) }
        if let title = row.optionalText(first + 7) { return .taughtClass(title: title) }
        return row.optionalText(first + 4).map { .record(program: $0, student: row.optionalText(first + 5)) }
    }

    private static func person(_ row: borrowing Row, _ first: Int32) -> Person? {
        guard let login = row.optionalText(first) else { return nil }
        return Person(login: login, displayName: row.text(first + 1))
    }
}
