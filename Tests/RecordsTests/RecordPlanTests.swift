import Records
import Shared
import Testing

/// The rules of writing a record, without any store.
@Suite struct RecordPlanTests {
    private let key = IdempotencyKey(key: "k", digest: [1])
    private let record = RecordRow(
        snapshot: RecordSnapshot(
            head: RecordHead(
                id: RecordID("r"), institution: InstitutionID("i"), program: ProgramID("p"), programVersion: 1,
                student: AccountID("s"), createdAt: Timestamp(microseconds: 0)),
            epoch: Epoch("e"), fullVersion: 7, releasedVersion: 3, full: content("a"), released: content("b")),
        end: TrailEnd(change: 41, link: AuditChain.origin))

    private static func content(_ text: String) -> RecordContent {
        RecordContent(tree: Array(text.utf8), standing: Array(text.utf8))
    }

    /// The versions under which the permit was given.
    private static let access = AccessVersions(account: 1, institution: 2, program: 3, student: 4)

    private func context(expecting expected: Revision? = nil, key: IdempotencyKey? = nil) -> WriteContext {
        WriteContext(
            account: AccountID("t"), source: "test", at: Timestamp(microseconds: 5), view: .full, expected: expected,
            idempotency: key, access: Self.access)
    }

    private func amendment(_ full: String, released: String?) -> Amendment {
        let change = ChangeDescription(
            operation: "patch", entry: nil, before: nil, after: nil, figures: [], reason: nil)
        return Amendment(
            programVersion: 1, full: Self.content(full), released: released.map { Self.content($0) }, change: change,
            releasedChange: nil
        ) { StoredAnswer(.changed, body: Array("\($0)".utf8)) }
    }

    private func answer(_ digest: [UInt8] = [1], revision: Revision? = Revision(epoch: Epoch("e"), version: 2))
        -> AnswerRow
    {
        AnswerRow(
            digest: digest, at: Timestamp(microseconds: 4), answer: StoredAnswer(.changed, body: [9]),
            revision: revision)
    }

    private struct Called: Error {}

    /// What a write ends with whose closure throws.
    private func end(_ rows: RecordRows, _ context: WriteContext) -> String {
        do {
            return "\(try RecordPlan.amendment(by: context, found: rows) { _ in throw Called() }.outcome.answer.body)"
        } catch {
            return "\(error)"
        }
    }

    @Test func `conditions come in their order: key, permit, existence, version, change`() {
        let stale = Revision(epoch: Epoch("e"), version: 6)
        let current = Revision(epoch: Epoch("e"), version: 7)
        let nothing = RecordRows(answer: nil, record: nil, access: AccessVersions())
        #expect(end(RecordRows(answer: answer(), record: nil, access: AccessVersions()), context(key: key)) == "[9]")
        #expect(
            end(RecordRows(answer: answer([2]), record: nil, access: AccessVersions()), context(key: key))
                == "\(StoreError.idempotencyMismatch)")
        #expect(
            end(
                RecordRows(answer: answer(revision: nil), record: nil, access: AccessVersions()), context(key: key))
                == "\(StoreError.idempotencyMismatch)")
        #expect(end(nothing, context(expecting: stale)) == "\(StoreError.moved)")
        let missing = RecordRows(answer: nil, record: nil, access: Self.access)
        #expect(end(missing, context(expecting: stale)) == "\(StoreError.notFound)")
        let there = RecordRows(answer: nil, record: record, access: Self.access)
        #expect(end(there, context(expecting: stale)) == "\(StoreError.versionConflict(current: current))")
        #expect(end(there, context(expecting: current)) == "\(Called())")
    }

    @Test func `a permit rests on the account, the institution and the program, and for a new record on its student`() {
        func ends(_ found: AccessVersions) -> [String] {
            let rows = RecordRows(answer: nil, record: record, access: found)
            let gone = RecordRows(answer: nil, record: nil, access: found)
            let plans: [() throws -> RecordPlan] = [
                {
                    try RecordPlan.creation(
                        record.snapshot.head, as: amendment("a", released: nil), by: context(), found: rows,
                        epoch: Epoch("e"))
                },
                { try RecordPlan.deletion(by: context(), found: rows) },
                { try RecordPlan.deletion(by: context(), found: gone) },
            ]
            return plans.map { plan in
                do {
                    _ = try plan()
                    return "made"
                } catch {
                    return "\(error)"
                }
            }
        }
        let now = Self.access
        #expect(ends(now) == ["made", "made", "notFound"])
        #expect(
            ends(AccessVersions(account: 2, institution: 2, program: 3, student: 4)) == ["moved", "moved", "moved"])
        #expect(
            ends(AccessVersions(account: 1, institution: 3, program: 3, student: 4)) == ["moved", "moved", "notFound"])
        #expect(
            ends(AccessVersions(account: 1, institution: 2, program: 4, student: 4)) == ["moved", "moved", "notFound"])
        #expect(
            ends(AccessVersions(account: 1, institution: 2, program: 3, student: 5)) == ["moved", "made", "notFound"])
    }

    @Test(arguments: [
        ("c", "b", 8, 3, true), ("c", "d", 8, 4, true), ("a", "d", 8, 4, true), ("a", "b", 7, 3, false),
    ])
    func `each view's version rises with a change of its own`(
        full: String, released: String, fullVersion: Int, releasedVersion: Int, isChange: Bool
    ) throws {
        let rows = RecordRows(answer: nil, record: record, access: Self.access)
        let plan = try RecordPlan.amendment(by: context(key: key), found: rows) { _ in
            amendment(full, released: released)
        }
        #expect(plan.outcome.revision == Revision(epoch: Epoch("e"), version: fullVersion))
        #expect(plan.kept?.answer == plan.outcome.answer, "a change that alters nothing keeps its answer too")
        guard isChange, case .update(let snapshot, let appended)? = plan.change else {
            #expect(!isChange && plan.change == nil && plan.event == nil)
            return
        }
        #expect((snapshot.fullVersion, snapshot.releasedVersion) == (fullVersion, releasedVersion))
        #expect(appended.previous == 41)
        #expect(appended.row.releasedVersion == (releasedVersion == 3 ? nil : releasedVersion))
        #expect(
            appended.seal == AuditChain.seal(appended.row.particulars, appended.row.metadata, after: AuditChain.origin))
    }
}
