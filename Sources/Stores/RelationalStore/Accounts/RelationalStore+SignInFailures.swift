public import Accounts
import Database
import Shared

extension RelationalStore: SignInFailureStore {
    /// Returns the failures counted under some keys.
    public func signInFailures(_ keys: [SignInFailureKey]) async throws -> [SignInFailureRow] {
        try await read { try $0.signInFailures(keys) }
    }

    /// Counts sign-in failures.
    public func count(_ reports: [SignInFailureReport], keeping most: Int) async throws {
        try await write(within: .only([.signInFailures])) { transaction in
            let connection = transaction.connection
            let total = try connection.first("SELECT count(*) FROM sign_in_failures") { $0.integer(0) } ?? 0
            let found = try connection.signInFailures(reports.map(\.key))
            try transaction.apply(
                SignInFailurePlans.counting(reports, found: found, total: total, keeping: most))
        }
    }

    /// Deletes the failures counted under a key.
    public func forgetSignInFailures(_ key: SignInFailureKey) async throws {
        try await write(within: .only([.signInFailures])) { try $0.apply(SignInFailurePlan([.remove(key)])) }
    }

    /// Deletes the failures counted for a subject, from all sources.
    public func forgetSignInFailures(ofSubject subject: [UInt8]) async throws {
        try await write(within: .only([.signInFailures])) {
            try $0.apply(SignInFailurePlan([.removeSubject(subject)]))
        }
    }
}

extension Connection {
    fileprivate func signInFailures(_ keys: [SignInFailureKey]) throws -> [SignInFailureRow] {
        try keys.compactMap { key in
            try first(
                "SELECT count, until, expires_at FROM sign_in_failures WHERE subject = ? AND source = ?",
                .blob(key.subject), .blob(key.source)
            ) { row in
                SignInFailureRow(
                    key: key, count: row.integer(0), until: Timestamp(microseconds: Int64(row.integer(1))),
                    expiresAt: Timestamp(microseconds: Int64(row.integer(2))))
            }
        }
    }
}

extension WriteTransaction {
    fileprivate func apply(_ plan: SignInFailurePlan) throws {
        try apply(plan, holding: .signInFailures) { try apply($0) }
    }

    private func apply(_ change: SignInFailureRowChange) throws {
        switch change {
        case .set(let row):
            try connection.run(
                """
                INSERT INTO sign_in_failures (subject, source, count, until, expires_at)
                VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (subject, source) DO UPDATE SET count = excluded.count, until = excluded.until,
                expires_at = excluded.expires_at
                """,
                .blob(row.key.subject), .blob(row.key.source), .integer(row.count), .integer(row.until.microseconds),
                .integer(row.expiresAt.microseconds))
        case .remove(let key):
            try connection.run(
                "DELETE FROM sign_in_failures WHERE subject = ? AND source = ?", .blob(key.subject),
                .blob(key.source))
        case .removeSubject(let subject):
            try connection.run("DELETE FROM sign_in_failures WHERE subject = ?", .blob(subject))
        case .removeNext(let count):
            try connection.run(
                """
                DELETE FROM sign_in_failures WHERE (subject, source) IN (
                    SELECT subject, source FROM sign_in_failures ORDER BY expires_at LIMIT ?)
                """,
                .integer(count))
        }
    }
}
