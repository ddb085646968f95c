public import Records
import SQLite
public import Shared

extension WriteTransaction {
    /// What became of the records of an account that is deleted.
    public struct Forgotten: Sendable, Equatable {
        /// Only the student ever changed these; they are gone, and what their changes said is erased.
        public let deleted: [RecordHead]
        /// Others had a part in these; they stay with the institution and name no student any more.
        public let detached: [RecordHead]
    }

    /// Lets go of an account's records, as part of deleting the account.
    ///
    /// - Parameters:
    ///   - account: whose records.
    ///   - actor: who deletes the account.
    ///   - source: from where.
    ///   - now: the moment.
    public func forgetRecords(
        of account: AccountID, by actor: AccountID, from source: String, at now: Timestamp
    ) throws -> Forgotten {
        let sql = "SELECT \(StoredRecord.columns) FROM records WHERE student = ? ORDER BY id"
        let all = try connection.all(sql, .text(account.text)) { [epoch] in StoredRecord($0, epoch: epoch) }
        var deleted: [RecordHead] = []
        var detached: [RecordHead] = []
        for stored in all {
            let head = stored.snapshot.head
            if try isOwn(stored, of: account) {
                _ = try remove(stored, by: actor, from: source, at: now)
                try eraseParticulars(upTo: stored.end)
                deleted.append(head)
            } else {
                try connection.run("UPDATE records SET student = NULL WHERE rowid = ?", .integer(stored.row))
                try audit(
                    AuditEntry(
                        institution: head.institution, at: now, account: actor, source: source,
                        action: "record.detached", subject: head.id.text))
                detached.append(head)
            }
        }
        if !all.isEmpty { post(.recordsChanged(account)) }
        return Forgotten(deleted: deleted, detached: detached)
    }

    /// Erases what a record's changes said; who changed it when, and the chain, stay.
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

    /// Erases the particulars of all lines of the trail about something; the chains stay whole.
    public func eraseAuditDetails(about subject: String) throws {
        try connection.run("UPDATE audit SET erased = 1, detail = NULL WHERE subject = ?", .text(subject))
    }

    private func isOwn(_ stored: StoredRecord, of account: AccountID) throws -> Bool {
        var isOwn = true
        try Trail(connection: connection).walk(from: stored.end.change, "account, operation") { _, row in
            // Whoever orders that records be judged otherwise enters nothing in them.
            isOwn = row.text(1) == account.text || ChangeDescription.judgements.contains(row.text(2))
            return isOwn ? .onward : .enough
        }
        return isOwn
    }
}
