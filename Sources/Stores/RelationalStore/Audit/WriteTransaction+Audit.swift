import Database
public import Shared

extension WriteTransaction {
    /// Appends a line to the audit trail of an institution or of the server, chained to the previous line.
    public func audit(_ entry: AuditEntry) throws {
        try hold(.trails)
        let scope = entry.scope
        let end = try connection.first("SELECT number, chain FROM audit_heads WHERE scope = ?", .text(scope)) { row in
            AuditHead(number: row.integer(0), link: row.bytes(1))
        }
        let (line, seal, head) = entry.next(after: end)
        try connection.run(
            """
            INSERT INTO audit (scope, number, at, account, source, action, subject, detail, digest, chain)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .text(scope), .integer(line.number), .integer(entry.at.microseconds), .text(entry.account?.text),
            .text(entry.source), .text(entry.action), .text(entry.subject), .utf8(entry.detail), .blob(seal.digest),
            .blob(seal.link))
        try connection.run(
            """
            INSERT INTO audit_heads (scope, number, chain) VALUES (?, ?, ?)
            ON CONFLICT (scope) DO UPDATE SET number = excluded.number, chain = excluded.chain
            """,
            .text(scope), .integer(head.number), .blob(head.link))
    }

    /// Erases the details of all lines about a subject; the chains stay valid.
    public func eraseAuditDetails(about subject: String) throws {
        try connection.run("UPDATE audit SET erased = 1, detail = NULL WHERE subject = ?", .text(subject))
    }
}
