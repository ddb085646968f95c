import Database
public import Shared

extension RelationalStore: AuditTrail {
    /// Appends a line in a transaction of its own, and notifies the account's owner if the action requires it.
    public func append(_ entry: AuditEntry) async throws {
        try await write { transaction in
            try transaction.audit(entry)
            try transaction.tellOwner(of: entry)
        }
    }

    /// Appends a line unless the trail has the same line for the same hour. Returns whether it did.
    public func appendHourly(_ entry: AuditEntry) async throws -> Bool {
        try await write { transaction in
            let connection = transaction.connection
            let hour = entry.at.microseconds / 3_600_000_000
            // Clocks of processes may differ a little, so keep the previous hour; older rows no longer matter.
            try connection.run("DELETE FROM hourly_lines WHERE hour < ?", .integer(hour - 1))
            let isNew = try connection.first(
                """
                INSERT INTO hourly_lines (hour, account, action, subject) VALUES (?, ?, ?, ?)
                ON CONFLICT DO NOTHING RETURNING 1
                """,
                .integer(hour), .text(entry.account?.text ?? ""), .text(entry.action), .text(entry.subject)
            ) { $0.boolean(0) }
            guard isNew == true else { return false }
            try transaction.audit(entry)
            return true
        }
    }
}
