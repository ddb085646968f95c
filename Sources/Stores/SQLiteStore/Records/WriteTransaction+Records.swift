import GradingKit
public import Records
import SQLite
public import Shared

extension WriteTransaction {
    /// Stores a new record as version 1 of both views.
    ///
    /// - Throws: ``StoreError/taken(field:)`` when there is, or ever was, a record of that identifier.
    public func create(_ head: RecordHead, as amendment: Amendment, by context: WriteContext) throws -> WriteOutcome {
        if let replay = try replay(for: context) { return replay }
        try checkAccess(context, to: head, besides: head.student.map { [.account($0)] } ?? [])
        let released = amendment.released == amendment.full ? nil : amendment.released
        let snapshot = RecordSnapshot(
            head: head.judged(by: amendment.programVersion), epoch: epoch, fullVersion: 1, releasedVersion: 1,
            full: amendment.full, released: released)
        let row = ChangeRow(head: head, versions: (1, 1), amendment, by: context)
        try checkUnused(head)
        let end = try row.insert(after: nil, chain: chain, on: connection)
        try connection.run(
            """
            INSERT INTO records (
                institution, id, program, program_version, student, created_at, full_version, released_version,
                last_change, chain, tree, standing, released_tree, released_standing)
            VALUES (?, ?, ?, ?, ?, ?, 1, 1, ?, ?, ?, ?, ?, ?)
            """,
            .text(head.institution.text), .text(head.id.text), .text(head.program.text),
            .integer(amendment.programVersion), .text(head.student?.text), .integer(head.createdAt.microseconds),
            .integer(end.change), .blob(end.link), .utf8(amendment.full.tree), .utf8(amendment.full.standing),
            .utf8(released?.tree), .utf8(released?.standing))
        try note(amendment.executable, of: head)
        post(.changed(snapshot, releasedChanged: true))
        return try finish(amendment, snapshot, by: context)
    }

    /// Applies `change` to the record's truth and stores what it returns; see ``RecordStore``.
    public func amend(
        _ record: RecordID, by context: WriteContext, _ change: (RecordSnapshot) throws -> Amendment
    ) throws -> WriteOutcome {
        if let replay = try replay(for: context) { return replay }
        let stored = try truth(of: record, for: context)
        let before = stored.snapshot
        let amendment = try change(before)
        let released = amendment.released == amendment.full ? nil : amendment.released
        let releasedChanged = (released ?? amendment.full) != before.content(.released)
        guard releasedChanged || amendment.full != before.full || amendment.programVersion != before.head.programVersion
        else { return try finish(amendment, before, by: context) }

        let after = RecordSnapshot(
            head: before.head.judged(by: amendment.programVersion), epoch: epoch, fullVersion: before.fullVersion + 1,
            releasedVersion: before.releasedVersion + (releasedChanged ? 1 : 0), full: amendment.full,
            released: released)
        let row = ChangeRow(
            head: before.head, versions: (after.fullVersion, releasedChanged ? after.releasedVersion : nil), amendment,
            by: context)
        let end = try row.insert(after: stored.end, chain: chain, on: connection)
        try update(stored.row, to: after, end)
        try note(amendment.executable, of: before.head)
        post(.changed(after, releasedChanged: releasedChanged))
        return try finish(amendment, after, by: context)
    }

    /// Deletes the record; its changes stay, with one more that says so.
    public func delete(_ record: RecordID, by context: WriteContext) throws {
        if try replay(for: context) != nil { return }
        let stored = try truth(of: record, for: context)
        let versions = try remove(stored, by: context.account, from: context.source, at: context.at)
        let revision = Revision(epoch: epoch, version: context.view == .full ? versions.full : versions.released)
        try keep(
            StoredAnswer(status: 204, body: []), revision, under: context.idempotency, of: context.account,
            at: context.at)
    }

    /// Deletes a record's row, and remembers where its chain ended and that its identifier was used.
    func remove(
        _ stored: StoredRecord, by account: AccountID, from source: String, at: Timestamp
    ) throws -> (full: Version, released: Version) {
        let head = stored.snapshot.head
        let versions = (full: stored.snapshot.fullVersion + 1, released: stored.snapshot.releasedVersion + 1)
        let row = ChangeRow(
            institution: head.institution, record: head.id, fullVersion: versions.full,
            releasedVersion: versions.released, at: at, account: account, source: source,
            change: ChangeDescription(
                operation: "deleteRecord", entry: nil, before: nil, after: nil, figures: Array("{}".utf8), reason: nil),
            releasedChange: nil, executable: nil)
        let end = try row.insert(after: stored.end, chain: chain, on: connection)
        try connection.run(
            """
            INSERT INTO deleted_records (institution, id, full_version, released_version, last_change, chain, at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            .text(head.institution.text), .text(head.id.text), .integer(versions.full), .integer(versions.released),
            .integer(end.change), .blob(end.link), .integer(at.microseconds))
        try connection.run("DELETE FROM records WHERE rowid = ?", .integer(stored.row))
        try connection.run("DELETE FROM computed WHERE record = ?", .text(head.id.text))
        post(.deleted(head))
        return versions
    }

    /// Notes which build has computed a record, where its scheme runs in a process of its own.
    private func note(_ executable: SchemeExecutable?, of head: RecordHead) throws {
        guard let executable else { return }
        try connection.run(
            """
            INSERT INTO computed (record, program, executable) VALUES (?, ?, ?)
            ON CONFLICT (record) DO UPDATE SET executable = excluded.executable
            WHERE executable <> excluded.executable
            """,
            .text(head.id.text), .text(head.program.text), .text(executable.text))
    }

    private func update(_ row: Int, to snapshot: RecordSnapshot, _ end: TrailEnd) throws {
        try connection.run(
            """
            UPDATE records SET program_version = ?, full_version = ?, released_version = ?, last_change = ?, chain = ?,
            tree = ?, standing = ?, released_tree = ?, released_standing = ? WHERE rowid = ?
            """,
            .integer(snapshot.head.programVersion), .integer(snapshot.fullVersion),
            .integer(snapshot.releasedVersion), .integer(end.change), .blob(end.link), .utf8(snapshot.full.tree),
            .utf8(snapshot.full.standing), .utf8(snapshot.released?.tree), .utf8(snapshot.released?.standing),
            .integer(row))
    }
}

// MARK: - Conditions, in the contract's order: key, access, version

extension WriteTransaction {
    private func replay(for context: WriteContext) throws -> WriteOutcome? {
        guard let kept = try recall(context.idempotency, of: context.account, at: context.at) else { return nil }
        // Only an answer about a record has a revision; a key of anything else stands for another request.
        guard let revision = kept.revision else { throw StoreError.idempotencyMismatch }
        return WriteOutcome(answer: kept.answer, revision: revision, isReplay: true)
    }

    private func checkAccess(
        _ context: WriteContext, to head: RecordHead?, besides others: [AccessSubject] = []
    ) throws {
        if context.accessVersion == accessVersion { return }
        let place: [AccessSubject] = head.map { [.institution($0.institution), .program($0.program)] } ?? []
        guard access.holds(context.accessVersion, restingOn: [.account(context.account)] + place + others) else {
            throw StoreError.moved
        }
    }

    private func checkUnused(_ head: RecordHead) throws {
        let sql = "SELECT 1 FROM deleted_records WHERE institution = ? AND id = ?"
        let isUsed = try connection.first(sql, .text(head.institution.text), .text(head.id.text)) { $0.boolean(0) }
        let isThere = try connection.first("SELECT 1 FROM records WHERE id = ?", .text(head.id.text)) { $0.boolean(0) }
        if isUsed ?? isThere ?? false { throw StoreError.taken(field: "id") }
    }

    private func truth(of record: RecordID, for context: WriteContext) throws -> StoredRecord {
        let found = try StoredRecord.find(record, epoch: epoch, on: connection)
        try checkAccess(context, to: found?.snapshot.head)
        guard let stored = found else { throw StoreError.notFound }
        let current = stored.snapshot.revision(context.view)
        if let expected = context.expected, expected != current {
            throw StoreError.versionConflict(current: current)
        }
        return stored
    }

    private func finish(
        _ amendment: Amendment, _ snapshot: RecordSnapshot, by context: WriteContext
    ) throws -> WriteOutcome {
        let revision = snapshot.revision(context.view)
        let answer = amendment.answer(revision)
        try keep(answer, revision, under: context.idempotency, of: context.account, at: context.at)
        return WriteOutcome(answer: answer, revision: revision, isReplay: false)
    }
}

extension RecordHead {
    fileprivate func judged(by programVersion: Version) -> RecordHead {
        guard programVersion != self.programVersion else { return self }
        return RecordHead(
            id: id, institution: institution, program: program, programVersion: programVersion, student: student,
            createdAt: createdAt)
    }
}

extension ChangeRow {
    /// The row of a change; the released description is kept only if that view changed and says something else.
    fileprivate init(
        head: RecordHead, versions: (full: Version, released: Version?), _ amendment: Amendment,
        by context: WriteContext
    ) {
        let (change, releasedChange) = (amendment.change, amendment.releasedChange)
        self.init(
            institution: head.institution, record: head.id, fullVersion: versions.full,
            releasedVersion: versions.released, at: context.at, account: context.account, source: context.source,
            change: change,
            releasedChange: versions.released == nil || releasedChange == change ? nil : releasedChange,
            executable: amendment.executable)
    }
}
