public import Records
import SQLite
public import Storage

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
        of account: AccountID, by actor: AccountID, from source: String, at now: Instant
    ) throws -> Forgotten {
        let sql = "SELECT \(StoredRecord.columns) FROM records WHERE student = ? ORDER BY id"
        let all = try connection.all(sql, .text(account.text)) { [epoch] in StoredRecord($0, epoch: epoch) }
        var deleted: [RecordHead] = []
        var detached: [RecordHead] = []
        for stored in all {
            let head = stored.snapshot.head
            if try isOwn(head, of: account) {
                _ = try remove(stored, by: actor, from: source, at: now)
                try eraseParticulars(of: head)
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
    public func eraseParticulars(of head: RecordHead) throws {
        try connection.run(
            """
            UPDATE changes SET erased = 1, entry = NULL, before = NULL, after = NULL, figures = NULL, reason = NULL,
            released_entry = NULL, released_before = NULL, released_after = NULL, released_figures = NULL,
            released_reason = NULL WHERE institution = ? AND record = ?
            """,
            .text(head.institution.text), .text(head.id.text))
    }

    /// Erases the particulars of all lines of the trail about something; the chains stay whole.
    public func eraseAuditDetails(about subject: String) throws {
        try connection.run("UPDATE audit SET erased = 1, detail = NULL WHERE subject = ?", .text(subject))
    }

    private func isOwn(_ head: RecordHead, of account: AccountID) throws -> Bool {
        let sql = "SELECT 1 FROM changes WHERE institution = ? AND record = ? AND account <> ? LIMIT 1"
        let others = try connection.first(
            sql, .text(head.institution.text), .text(head.id.text), .text(account.text)
        ) { $0.boolean(0) }
        return others == nil
    }
}
