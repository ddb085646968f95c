import Database
import Records
public import Shared

extension WriteTransaction {
    /// Deletes the account's records, or detaches them from the student if others changed them, as part of deleting the
    /// account.
    ///
    /// - Parameter act: describes who deletes the account.
    public func forgetRecords(of account: AccountID, by act: AuditContext) throws {
        let sql = "SELECT \(RecordRow.columns) FROM records WHERE student = ? ORDER BY id"
        let all = try connection.all(sql, .text(account.text)) { [epoch] in RecordRow($0, epoch: epoch) }
        for row in all {
            switch ForgottenRecord(row, changedBy: try authors(of: row), of: account, by: act) {
            case .deleted(let change, let event):
                try apply(change)
                try eraseParticulars(upTo: row.end)
                post(event)
            case .detached(let head, let entry):
                try connection.run("UPDATE records SET student = NULL WHERE id = ?", .text(head.id.text))
                note(nil, of: head.id)
                try audit(entry)
            }
        }
        try forgetClasses(of: account, by: act)
        if !all.isEmpty { post(.recordsChanged(account)) }
    }

    /// Erases the content of a record's changes; authors, times and the chain remain.
    private func eraseParticulars(upTo end: TrailEnd) throws {
        try Trail(connection: connection).walk(from: end.change, "seq") { seq, _ in
            try connection.run(
                """
                UPDATE changes SET erased = 1, entry = NULL, before = NULL, after = NULL, figures = NULL,
                reason = NULL, released_entry = NULL, released_before = NULL, released_after = NULL,
                released_figures = NULL, released_reason = NULL WHERE seq = ?
                """,
                .integer(seq))
            return .onward
        }
    }

    private func authors(of record: RecordRow) throws -> Set<ChangeAuthor> {
        var authors: Set<ChangeAuthor> = []
        try Trail(connection: connection).walk(from: record.end.change, "account, operation") { _, row in
            authors.insert(ChangeAuthor(account: AccountID(row.text(1)), operation: row.text(2)))
            return .onward
        }
        return authors
    }
}
