import Database
import GradingKit
public import Records
public import Shared

extension WriteTransaction {
    /// Stores a new record; see ``RecordStore``.
    public func create(_ head: RecordHead, as amendment: Amendment, by context: WriteContext) throws -> WriteOutcome {
        try holdEverything()
        let rows = RecordRows(
            answer: try answerRow(under: context.idempotency, of: context.account), record: nil,
            isIdentifierUsed: try isUsed(head),
            access: try accessVersions(for: context, of: head, student: head.student))
        return try apply(
            try RecordPlan.creation(head, as: amendment, by: context, found: rows, epoch: epoch))
    }

    /// Applies `change` to the record's current state and stores the result; see ``RecordStore``.
    public func amend(
        _ record: RecordID, by context: WriteContext, _ change: (RecordSnapshot) throws -> Amendment
    ) throws -> WriteOutcome {
        let stored = try find(record)
        return try apply(
            try RecordPlan.amendment(by: context, found: rows(stored, for: context), change))
    }

    /// Deletes the record; its changes remain, with a last one that records the deletion.
    public func delete(_ record: RecordID, by context: WriteContext) throws {
        let stored = try find(record)
        _ = try apply(try RecordPlan.deletion(by: context, found: rows(stored, for: context)))
    }

    /// Returns a record as this change sees it.
    func record(_ id: RecordID) throws -> RecordRow? { try find(id) }

    /// Returns a record as this change sees it; reads the file only if the record is not cached.
    private func find(_ record: RecordID) throws -> RecordRow? {
        try hold(.record(record))
        return try remembered(record) ?? RecordRow.find(record, epoch: epoch, on: connection)
    }

    private func rows(_ record: RecordRow?, for context: WriteContext) throws -> RecordRows {
        RecordRows(
            answer: try answerRow(under: context.idempotency, of: context.account), record: record,
            access: try accessVersions(for: context, of: record?.snapshot.head))
    }

    private func accessVersions(
        for context: WriteContext, of head: RecordHead?, student: AccountID? = nil
    ) throws -> AccessVersions {
        var versions = AccessVersions(account: try accessVersion(of: .account(context.account)))
        if let head {
            versions.institution = try accessVersion(of: .institution(head.institution))
            versions.program = try accessVersion(of: .program(head.program))
        }
        if let student { versions.student = try accessVersion(of: .account(student)) }
        return versions
    }

    private func isUsed(_ head: RecordHead) throws -> Bool {
        let sql = "SELECT 1 FROM deleted_records WHERE institution = ? AND id = ?"
        let isUsed = try connection.first(sql, .text(head.institution.text), .text(head.id.text)) { $0.boolean(0) }
        let isThere = try connection.first("SELECT 1 FROM records WHERE id = ?", .text(head.id.text)) { $0.boolean(0) }
        return isUsed ?? isThere ?? false
    }

    private func apply(_ plan: RecordPlan) throws -> WriteOutcome {
        if let change = plan.change { try apply(change) }
        try store(plan.kept)
        if let event = plan.event { post(event) }
        return plan.outcome
    }

    /// Writes the rows of a record change.
    func apply(_ change: RecordPlan.Change) throws {
        switch change {
        case .insert(let snapshot, let appended):
            let end = try appended.insert(on: connection, as: nextChange())
            try insert(snapshot, end)
            let head = snapshot.head
            try indexStudent(ofRecordIn: head.program, head.student, besides: head.id)
            note(RecordRow(snapshot: snapshot, end: end), changedBy: appended)
            try note(appended.row.executable, of: snapshot.head)
        case .update(let snapshot, let appended):
            let end = try appended.insert(on: connection, as: nextChange())
            try update(snapshot, end)
            note(RecordRow(snapshot: snapshot, end: end), changedBy: appended)
            try note(appended.row.executable, of: snapshot.head)
        case .remove(let head, let released, let appended):
            try holdEverything()
            let end = try appended.insert(on: connection, as: nextChange())
            try remove(head, (appended.row.fullVersion, released), end, at: appended.row.at)
            try indexStudent(ofRecordIn: head.program, head.student, besides: head.id)
            note(nil, of: head.id)
        }
    }
}

// MARK: - Rows

extension WriteTransaction {
    private func insert(_ snapshot: RecordSnapshot, _ end: TrailEnd) throws {
        let head = snapshot.head
        try connection.run(
            """
            INSERT INTO records (
                institution, id, program, program_version, student, created_at, full_version, released_version,
                last_change, chain, tree, standing, released_tree, released_standing)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .text(head.institution.text), .text(head.id.text), .text(head.program.text),
            .integer(head.programVersion), .text(head.student?.text), .integer(head.createdAt.microseconds),
            .integer(snapshot.fullVersion), .integer(snapshot.releasedVersion), .integer(end.change), .blob(end.link),
            .utf8(snapshot.full.tree), .utf8(snapshot.full.standing), .utf8(snapshot.released?.tree),
            .utf8(snapshot.released?.standing))
    }

    private func update(_ snapshot: RecordSnapshot, _ end: TrailEnd) throws {
        try connection.run(
            """
            UPDATE records SET program_version = ?, full_version = ?, released_version = ?, last_change = ?, chain = ?,
            tree = ?, standing = ?, released_tree = ?, released_standing = ? WHERE id = ?
            """,
            binding: [
                .integer(snapshot.head.programVersion), .integer(snapshot.fullVersion),
                .integer(snapshot.releasedVersion), .integer(end.change), .blob(end.link), .utf8(snapshot.full.tree),
                .utf8(snapshot.full.standing), .utf8(snapshot.released?.tree), .utf8(snapshot.released?.standing),
                .text(snapshot.head.id.text),
            ])
    }

    private func remove(
        _ head: RecordHead, _ versions: (full: Version, released: Version), _ end: TrailEnd,
        at moment: Timestamp
    ) throws {
        try connection.run(
            """
            INSERT INTO deleted_records (
                institution, id, full_version, released_version, last_change, chain, at, program)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .text(head.institution.text), .text(head.id.text), .integer(versions.full), .integer(versions.released),
            .integer(end.change), .blob(end.link), .integer(moment.microseconds), .text(head.program.text))
        try connection.run("DELETE FROM records WHERE id = ?", .text(head.id.text))
        try connection.run("DELETE FROM computed WHERE record = ?", .text(head.id.text))
        try forgetFindings(of: head.id)
    }

    /// Stores which build computed a record, if its scheme runs in its own process.
    private func note(_ executable: SchemeExecutable?, of head: RecordHead) throws {
        guard let executable else { return }
        try connection.run(
            """
            INSERT INTO computed (record, program, executable) VALUES (?, ?, ?)
            ON CONFLICT (record) DO UPDATE SET executable = excluded.executable
            WHERE computed.executable <> excluded.executable
            """,
            .text(head.id.text), .text(head.program.text), .text(executable.text))
    }
}
