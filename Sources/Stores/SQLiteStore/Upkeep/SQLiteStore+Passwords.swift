public import Cryptography
public import DataStore
import SQLite
public import Shared

extension SQLiteStore {
    /// Looks how the passwords of the store at `path` go with a pepper; `nil` for no key at all. Another program may be
    /// using the store meanwhile.
    ///
    /// - Throws: ``StoreError`` when the file cannot be read.
    public static func passwords(in path: String, pepper: Pepper?) throws -> PasswordCensus {
        do {
            let connection = try Connection.reader(path: path)
            try Migrator(migrations: Schema.migrations).check(connection)
            let census = try connection.first(
                "SELECT count(*), count(*) FILTER (WHERE \(foreign)) FROM accounts WHERE instr(password, ?1) > 0",
                .text(PasswordHash.pepperedText), .text(pepper.map { PasswordHash.text(of: $0) })
            ) { PasswordCensus(peppered: $0.integer(0), foreign: $0.integer(1)) }
            return census ?? PasswordCensus(peppered: 0, foreign: 0)
        } catch {
            throw StoreError.translating(error)
        }
    }

    /// Takes away the passwords that need another key than the one at hand, so that their owners get new ones; answers
    /// how many.
    public func forgetPasswords(besides pepper: Pepper?, audit: AuditEntry) async throws -> Int {
        try await write { transaction in
            try transaction.connection.run(
                "UPDATE accounts SET password = NULL WHERE instr(password, ?1) > 0 AND \(Self.foreign)",
                .text(PasswordHash.pepperedText), .text(pepper.map { PasswordHash.text(of: $0) }))
            let forgotten = transaction.connection.changes
            try transaction.audit(audit)
            return forgotten
        }
    }

    /// Of a peppered password, `?2` being what stands in those of the key at hand.
    private static let foreign = "(?2 IS NULL OR instr(password, ?2) = 0)"
}
