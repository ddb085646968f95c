import GradingKit
public import Shared

/// The effect of a write on a record, decided from the rows that the store found. The store applies it in one
/// transaction and publishes its event after the commit.
public struct RecordPlan: Sendable {
    /// A change of rows.
    public enum Change: Sendable {
        /// Inserts a record with its first change.
        case insert(RecordSnapshot, AppendedChange)
        /// Updates a record to a new version, with the change that made it.
        case update(RecordSnapshot, AppendedChange)
        /// Deletes the record's row, everything computed from it, and what rehearsals and imports report about it. The
        /// end of its trail and its identifier stay.
        case remove(RecordHead, released: Version, AppendedChange)
    }

    /// The change; `nil` if nothing changes.
    public let change: Change?
    /// The answer to store under the client's key; `nil` without a key.
    public let kept: KeptAnswer?
    /// The event to publish after the commit; `nil` if nothing changes.
    public let event: RecordEvent?
    /// The result for the caller.
    public let outcome: WriteOutcome

    /// Plans a new record, as version 1 of both views.
    ///
    /// Checks in order: the client's key, the permission, which also depends on the student's account, the identifier.
    ///
    /// - Throws: What ``RecordStore/create(_:as:by:)`` throws.
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

    /// Plans the change that `change` makes to the record.
    ///
    /// Checks in order: the client's key, the permission, that the record exists, the expected version, `change`. The
    /// version of the full view rises with every change of either view; that of the released view only if its bytes
    /// change.
    ///
    /// - Throws: What ``RecordStore/amend(_:by:_:)`` throws.
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

    /// Plans to delete the record, under the conditions of an amendment.
    ///
    /// - Throws: What ``RecordStore/delete(_:by:)`` throws; `FaultList` with `entered_by_staff`, or with `class_entry`
    ///   while the record is linked to a class.
    public static func deletion(by context: WriteContext, found rows: RecordRows) throws -> RecordPlan {
        if let replay = try replay(rows, for: context) { return replay }
        let truth = try context.truth(rows)
        if truth.snapshot.holdsLinks { throw FaultList([Fault(.classEntry)]) }
        // A student may never delete what staff entered, whatever the program allows today.
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

    /// Returns the plan of a request that was answered before, which changes nothing; `nil` for a new request.
    private static func replay(_ rows: RecordRows, for context: WriteContext) throws -> RecordPlan? {
        guard let row = try context.idempotency?.replay(of: rows.answer, at: context.at) else { return nil }
        // Only an answer about a record has a revision; a key without one belongs to another request.
        guard let revision = row.revision else { throw StoreError.idempotencyMismatch }
        return RecordPlan(
            change: nil, kept: nil, event: nil,
            outcome: WriteOutcome(answer: row.answer, revision: revision, isReplay: true))
    }
}

extension WriteContext {
    /// Throws ``StoreError/moved`` unless the stored access versions are those with which the permission was checked.
    fileprivate func check(_ rows: RecordRows, to head: RecordHead?) throws(StoreError) {
        guard access.account == rows.access.account else { throw .moved }
        guard head != nil else { return }
        guard access.institution == rows.access.institution, access.program == rows.access.program else {
            throw .moved
        }
    }

    /// Returns the record, if the permission holds and its version is the expected one.
    fileprivate func truth(_ rows: RecordRows) throws(StoreError) -> RecordRow {
        try check(rows, to: rows.record?.snapshot.head)
        guard let truth = rows.record else { throw .notFound }
        let current = truth.snapshot.revision(view)
        if let expected, expected != current { throw .versionConflict(current: current) }
        return truth
    }
}

extension RecordRow {
    /// Returns the deletion of the record: the versions of both views rise once more, and a last change records it.
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
    /// The released view, if it differs from the full one; otherwise `nil`.
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
