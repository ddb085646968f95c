public import Cryptography
public import DataStore
import SQLite
public import Shared

extension SQLiteStore {
    /// Counts the passwords in the store at `path` that need a pepper, and those that need another than the given one;
    /// `nil` for none. Another program may be using the store.
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

    /// Deletes the passwords that need another pepper than the one in use, so that their owners choose new ones.
    /// Returns their number.
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

    /// The condition for a peppered password of another key; `?2` is the text found in passwords of the key in use.
    private static let foreign = "(?2 IS NULL OR instr(password, ?2) = 0)"
}
