public import Cryptography
package import DataStore
import Database
public import Shared

extension RelationalStore {
    /// Deletes the passwords that need another pepper than the one in use, so that their owners choose new ones.
    /// Returns their number.
    public func forgetPasswords(besides pepper: Pepper?, audit: AuditEntry) async throws -> Int {
        try await write { transaction in
            try transaction.connection.run(
                "UPDATE accounts SET password = NULL WHERE instr(password, ?1) > 0 AND \(foreignPassword)",
                .text(PasswordHash.pepperedText), .text(pepper.map { PasswordHash.text(of: $0) }))
            let forgotten = try transaction.connection.changes
            // The next node may bring another key.
            if case .postgreSQL = transaction.connection.dialect {
                try transaction.connection.run("DELETE FROM node_keys")
            }
            try transaction.audit(audit)
            return forgotten
        }
    }
}

extension Connection {
    /// Counts the passwords that need a pepper, and those that need a different one than the given one; `nil` for none.
    package func passwordCensus(pepper: Pepper?) throws -> PasswordCensus {
        try first(
            "SELECT count(*), count(*) FILTER (WHERE \(foreignPassword)) FROM accounts WHERE instr(password, ?1) > 0",
            .text(PasswordHash.pepperedText), .text(pepper.map { PasswordHash.text(of: $0) })
        ) { PasswordCensus(peppered: $0.integer(0), foreign: $0.integer(1)) }
            ?? PasswordCensus(peppered: 0, foreign: 0)
    }
}

/// The condition for a peppered password of another key; `?2` is the text found in passwords of the key in use.
private let foreignPassword = "(?2 IS NULL OR instr(password, ?2) = 0)"
