import GradingKit
public import Shared

/// What a write does to a record, decided from the rows that a store has found. The store applies it in one
/// transaction, and tells of it after the commit.
public struct RecordPlan: Sendable {
    /// A change of rows.
    public enum Change: Sendable {
        /// A new record, with its first change.
        case insert(RecordSnapshot, AppendedChange)
        /// A record's new version, with the change that made it.
        case update(RecordSnapshot, AppendedChange)
        /// The record's row goes, with everything computed from it and what rehearsals and imports tell of it; the end of
        /// its trail and its identifier stay.
        case remove(RecordHead, released: Version, AppendedChange)
    }

    /// The change; `nil` when nothing changes.
    public let change: Change?
    /// The answer to keep under the client's key.
    public let kept: KeptAnswer?
    /// The events that follow the commit.
    public let event: RecordEvent?
    /// What the caller gets.
    public let outcome: WriteOutcome

    /// The plan of a new record, as version 1 of both views.
    ///
    /// Conditions in order: the client's key, the permit, which rests on the student's account too, the identifier.
    ///
    /// - Throws: what ``RecordStore/create(_:as:by:)`` throws.
    public static func creation(
        _ head: RecordHead, as amendment: Amendment, by context: WriteContext, found rows: RecordRows, epoch: Epoch
    ) throws -> RecordPlan {
        if let replay = try replay(rows, for: context) { return replay }
        try context.check(rows, to: head)
        if let student = head.student, student != context.account, context.access.student != rows.access.student {
            throw StoreError.moved
        }
        if rows.isIdentifierUsed { throw StoreError.taken(field: "id") }
        let snapshot = RecordSnapshot(
            head: head.judged(by: amendment.programVersion), epoch: epoch, fullVersion: 1, releasedVersion: 1,
            full: amendment.full, released: amendment.hidden)
        let row = ChangeRow(head: head, versions: (1, 1), amendment, by: context)
        return RecordPlan(
            .insert(snapshot, AppendedChange(row, after: nil)), .changed(snapshot, releasedChanged: true),
            amendment.answer, snapshot.revision(context.view), for: context)
    }

    /// The plan of what `change` makes of the record.
    ///
    /// Conditions in order: the client's key, the permit, the record's existence, the version expected, `change`. The
    /// full view's version rises with every change of either view; the released one's with a change of its own bytes.
    ///
    /// - Throws: what ``RecordStore/amend(_:by:_:)`` throws.
    public static func amendment(
        by context: WriteContext, found rows: RecordRows, _ change: (RecordSnapshot) throws -> Amendment
    ) throws -> RecordPlan {
        if let replay = try replay(rows, for: context) { return replay }
        let truth = try context.truth(rows)
        let before = truth.snapshot
        let amendment = try change(before)
        let releasedChanged = (amendment.hidden ?? amendment.full) != before.content(.released)
        guard releasedChanged || amendment.full != before.full || amendment.programVersion != before.head.programVersion
        else { return RecordPlan(nil, nil, amendment.answer, before.revision(context.view), for: context) }
        let after = RecordSnapshot(
            head: before.head.judged(by: amendment.programVersion), epoch: before.epoch,
            fullVersion: before.fullVersion + 1, releasedVersion: before.releasedVersion + (releasedChanged ? 1 : 0),
            full: amendment.full, released: amendment.hidden)
        let row = ChangeRow(
            head: before.head, versions: (after.fullVersion, releasedChanged ? after.releasedVersion : nil), amendment,
            by: context)
        return RecordPlan(
            .update(after, AppendedChange(row, after: truth.end)), .changed(after, releasedChanged: releasedChanged),
            amendment.answer, after.revision(context.view), for: context)
    }

    /// The plan of the record's end, under the conditions of an amendment.
    ///
    /// - Throws: what ``RecordStore/delete(_:by:)`` throws; `FaultList` with `entered_by_staff`, or with `class_entry`
    ///   while the record stands in a class.
    public static func deletion(by context: WriteContext, found rows: RecordRows) throws -> RecordPlan {
        if let replay = try replay(rows, for: context) { return replay }
        let truth = try context.truth(rows)
        if truth.snapshot.holdsLinks { throw FaultList([Fault(.classEntry)]) }
        // What staff entered is theirs whatever the program says today.
        if context.view == .released, truth.snapshot.holdsWorkOfStaff { throw FaultList([Fault(.enteredByStaff)]) }
        let (change, versions) = truth.removal(by: context.account, from: context.source, at: context.at)
        let revision = Revision(
            epoch: truth.snapshot.epoch, version: context.view == .full ? versions.full : versions.released)
        return RecordPlan(
            change, .deleted(truth.snapshot.head), { _ in StoredAnswer(.deleted, body: []) }, revision, for: context)
    }
}

extension RecordPlan {
    private init(
        _ change: Change?, _ event: RecordEvent?, _ answer: (Revision) -> StoredAnswer, _ revision: Revision,
        for context: WriteContext
    ) {
        let answer = answer(revision)
        self.change = change
        self.event = event
        kept = context.idempotency.map { key in
            KeptAnswer(key: key, account: context.account, at: context.at, answer: answer, revision: revision)
        }
        outcome = WriteOutcome(answer: answer, revision: revision, isReplay: false)
    }

    /// The plan of a request that was answered before: it does nothing.
    private static func replay(_ rows: RecordRows, for context: WriteContext) throws -> RecordPlan? {
        guard let row = try context.idempotency?.replay(of: rows.answer, at: context.at) else { return nil }
        // Only an answer about a record has a revision; a key of anything else stands for another request.
        guard let revision = row.revision else { throw StoreError.idempotencyMismatch }
        return RecordPlan(
            change: nil, kept: nil, event: nil,
            outcome: WriteOutcome(answer: row.answer, revision: revision, isReplay: true))
    }
}

extension WriteContext {
    /// Throws ``StoreError/moved`` unless the stored access versions are those under which the permission was given.
    fileprivate func check(_ rows: RecordRows, to head: RecordHead?) throws(StoreError) {
        guard access.account == rows.access.account else { throw .moved }
        guard head != nil else { return }
        guard access.institution == rows.access.institution, access.program == rows.access.program else {
            throw .moved
        }
    }

    /// The record, if the permit holds and it is the version expected.
    fileprivate func truth(_ rows: RecordRows) throws(StoreError) -> RecordRow {
        try check(rows, to: rows.record?.snapshot.head)
        guard let truth = rows.record else { throw .notFound }
        let current = truth.snapshot.revision(view)
        if let expected, expected != current { throw .versionConflict(current: current) }
        return truth
    }
}

extension RecordRow {
    /// The record's end: both views' versions rise once more, and the trail says so.
    func removal(
        by account: AccountID, from source: String, at moment: Timestamp
    ) -> (change: RecordPlan.Change, versions: (full: Version, released: Version)) {
        let head = snapshot.head
        let versions = (full: snapshot.fullVersion + 1, released: snapshot.releasedVersion + 1)
        let row = ChangeRow(
            institution: head.institution, record: head.id, fullVersion: versions.full,
            releasedVersion: versions.released, at: moment, account: account, source: source,
            change: ChangeDescription(
                operation: "deleteRecord", entry: nil, before: nil, after: nil, figures: Array("{}".utf8), reason: nil),
            releasedChange: nil, executable: nil)
        return (.remove(head, released: versions.released, AppendedChange(row, after: end)), versions)
    }
}

extension Amendment {
    /// What the student sees, where that is something else than staff see.
    fileprivate var hidden: RecordContent? { released == full ? nil : released }
}

extension RecordHead {
    fileprivate func judged(by programVersion: Version) -> RecordHead {
        guard programVersion != self.programVersion else { return self }
        return RecordHead(
            id: id, institution: institution, program: program, programVersion: programVersion, student: student,
            createdAt: createdAt)
    }
}
