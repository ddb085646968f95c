public import Shared
import SQLite

extension WriteTransaction {
    /// Writes a line of the audit trail of an institution, or of the server, chained to the one before.
    public func audit(_ entry: AuditEntry) throws {
        let scope = AuditScope.text(entry.institution)
        let head = try connection.first("SELECT number, chain FROM audit_heads WHERE scope = ?", .text(scope)) { row in
            (number: row.integer(0), chain: row.bytes(1))
        }
        let line = AuditLine(number: (head?.number ?? 0) + 1, entry: entry)
        let digest = chain.digest(line.particulars)
        let link = chain.link(after: head?.chain ?? AuditChain.origin, digest: digest, line.metadata)
        try connection.run(
            """
            INSERT INTO audit (scope, number, at, account, source, action, subject, detail, digest, chain)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .text(scope), .integer(line.number), .integer(entry.at.microseconds), .text(entry.account?.text),
            .text(entry.source), .text(entry.action), .text(entry.subject), .utf8(entry.detail), .blob(digest),
            .blob(link))
        try connection.run(
            """
            INSERT INTO audit_heads (scope, number, chain) VALUES (?, ?, ?)
            ON CONFLICT (scope) DO UPDATE SET number = excluded.number, chain = excluded.chain
            """,
            .text(scope), .integer(line.number), .blob(link))
    }
}
