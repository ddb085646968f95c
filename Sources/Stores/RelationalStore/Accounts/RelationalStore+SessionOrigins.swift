public import Accounts
import Cryptography
import Database
public import Shared

extension RelationalStore {
    /// Ends the sessions that a provider's logout notice names.
    public func end(by notice: LogoutNotice, as act: AuditContext) async throws {
        // Anyone can send notices that need no signature, so a notice that ends nothing must not cost a write.
        let found = try await read { try $0.opened(notice) }
        guard try !SessionPlans.logout(notice, found: found, as: act).changes.isEmpty else { return }
        try await write { transaction in
            try transaction.apply(
                SessionPlans.logout(notice, found: try transaction.connection.opened(notice), as: act))
        }
    }
}

extension Connection {
    fileprivate func opened(_ notice: LogoutNotice) throws -> SessionPlans.Opened {
        let isUsed = try notice.once.flatMap { once in
            try first("SELECT 1 FROM used_assertions WHERE digest = ?", .blob(once.digest.bytes)) { $0.boolean(0) }
        }
        let (column, value) =
            switch notice.target {
            case .session(let name, _): ("name", name)
            case .person(let subject): ("subject", subject)
            }
        let sessions = try all(
            """
            SELECT session_origins.issuer, subject, name, sessions.id, sessions.account FROM session_origins
            JOIN sessions ON sessions.id = session WHERE session_origins.issuer = ? AND \(column) = ?
            """,
            .text(notice.issuer), .blob(value)
        ) { row in
            (SessionID(row.text(3)), AccountID(row.text(4)), SessionOriginRow.origin(row))
        }
        let challenges = try all(
            "SELECT issuer, subject, name, token FROM sign_in_challenges WHERE issuer = ? AND \(column) = ?",
            .text(notice.issuer), .blob(value)
        ) { (TokenDigest(bytes: $0.bytes(3)), SessionOriginRow.origin($0)) }
        return SessionPlans.Opened(
            isUsed: isUsed ?? false, sessions: sessions.map { (session: $0.0, account: $0.1, origin: $0.2) },
            challenges: challenges.map { (digest: $0.0, origin: $0.1) })
    }
}

/// The form of session origins in the tables.
enum SessionOriginRow {
    /// Reads issuer, subject and name from the columns that start at `first`.
    static func origin(_ row: borrowing Row, from first: Int32 = 0) -> SessionOrigin {
        SessionOrigin(issuer: row.text(first), subject: row.bytes(first + 1), session: row.optionalBytes(first + 2))
    }
}
