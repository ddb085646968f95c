import Accounts
package import Database

extension Connection {
    /// Ends sessions, links and invitations after a backup was restored: nothing tells which of them were ended or used
    /// since the backup. API tokens, secrets, passwords and second factors stay as they are in the backup.
    package func endCredentials() throws {
        // The backup may be of an older schema.
        let tables = Set(try StoreTable.names(of: self))
        let ended = [
            "session_origins", "session_proofs", "sessions", "sign_in_challenges", "one_time_tokens",
            "one_use_tokens", "one_use_counts", "invitations", "reset_wishes",
        ]
        for table in ended where tables.contains(table) { try run("DELETE FROM \(table)") }
        if tables.contains("api_tokens") {
            try run("DELETE FROM api_tokens WHERE kind = ?", .text(APIToken.Kind.access.rawValue))
        }
        if tables.contains("emails") {
            try run("UPDATE emails SET pending = NULL, token = NULL, pending_ends = NULL")
        }
        if tables.contains("mails") {
            // Mails of that time, with links that open nothing any more.
            try run("UPDATE mails SET due_at = NULL, leased_until = NULL, particulars = '{}'")
        }
    }
}
