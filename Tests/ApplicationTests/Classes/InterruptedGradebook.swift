import Classes
import Gradebook
import GradingKit
import Records
import Shared
import Synchronization

/// A store of classes in which the test does something before rows are read, or reads others in their place.
final class InterruptedGradebook: GradebookStore {
    /// Called before rows behind a place are read.
    typealias Interruption = @Sendable (_ place: Int) async throws -> Void
    /// What is read in the place of rows.
    typealias Substitution = @Sendable (_ rows: GridRows, _ place: Int, _ limit: Int) -> GridRows

    private let store: any GradebookStore
    private let interruption = Mutex<Interruption?>(nil)
    private let substitution = Mutex<Substitution?>(nil)

    init(_ store: any GradebookStore) { self.store = store }

    func interrupt(_ interruption: Interruption?) { self.interruption.withLock { $0 = interruption } }

    func substitute(_ substitution: @escaping Substitution) { self.substitution.withLock { $0 = substitution } }

    func grid(
        of id: ClassID, since version: Version, after place: Int, limit: Int
    ) async throws -> GridRows? {
        try await interruption.withLock { $0 }?(place)
        guard let substitution = substitution.withLock({ $0 }) else {
            return try await store.grid(of: id, since: version, after: place, limit: limit)
        }
        return try await store.grid(of: id, since: 0, after: 0, limit: limit).map { substitution($0, place, limit) }
    }

    // MARK: - As it is

    var epoch: Epoch { store.epoch }

    func marks(of classes: [ClassID]) async throws -> [ClassID: ClassMark] { try await store.marks(of: classes) }

    func marks(of rows: [EnrolmentID]) async throws -> [EnrolmentID: RowMark] { try await store.marks(of: rows) }

    func markedRow(_ id: EnrolmentID) async throws -> MarkedRow? { try await store.markedRow(id) }

    func linked(_ record: RecordID) async throws -> LinkedRecord? { try await store.linked(record) }

    func details(of acts: [ClassAct], in record: RecordID) async throws -> [ClassAct: ClassActDetail] {
        try await store.details(of: acts, in: record)
    }

    func roster(of id: ClassID) async throws -> ClassRoster { try await store.roster(of: id) }

    func hasPersonNames(in id: ClassID) async throws -> Bool { try await store.hasPersonNames(in: id) }

    func found(
        _ head: ClassHead, _ structure: ClassStructure, staff: [ClassStaff], by context: ActContext
    ) async throws -> ClassSnapshot {
        try await store.found(head, structure, staff: staff, by: context)
    }

    func taughtClass(_ id: ClassID) async throws -> ClassSnapshot? { try await store.taughtClass(id) }

    func structure(_ number: Int, of id: ClassID) async throws -> ClassStructure? {
        try await store.structure(number, of: id)
    }

    func classes(_ selection: ClassSelection, after cursor: ClassID?, limit: Int) async throws -> [ClassSnapshot] {
        try await store.classes(selection, after: cursor, limit: limit)
    }

    func classesDue(
        before day: CalendarDay, after cursor: ClassID?, limit: Int
    ) async throws -> [(id: ClassID, institution: InstitutionID, day: CalendarDay)] {
        try await store.classesDue(before: day, after: cursor, limit: limit)
    }

    func enrolments(of student: AccountID) async throws -> [Enrolment] { try await store.enrolments(of: student) }

    func rows(of id: ClassID, since version: Version) async throws -> (version: Version, rows: [EnrolledRow])? {
        try await store.rows(of: id, since: version)
    }

    func row(_ enrolment: EnrolmentID, of id: ClassID) async throws -> EnrolledRow? {
        try await store.row(enrolment, of: id)
    }

    func ledger(
        of id: ClassID, _ enrolment: EnrolmentID?, before number: Int?, limit: Int
    ) async throws -> [LedgerLine] {
        try await store.ledger(of: id, enrolment, before: number, limit: limit)
    }

    func authors(of cells: [CellPlace], in id: ClassID) async throws -> [CellAuthor?] {
        try await store.authors(of: cells, in: id)
    }

    func corrections(
        of id: ClassID, before number: Int?, limit: Int
    ) async throws -> [(number: Int, correction: Correction)] {
        try await store.corrections(of: id, before: number, limit: limit)
    }

    func correction(_ id: CorrectionID) async throws -> Correction? { try await store.correction(id) }

    func waitingCorrections(
        in institution: InstitutionID, besides asker: AccountID, since moment: Timestamp, before number: Int?,
        limit: Int
    ) async throws -> [(number: Int, correction: Correction)] {
        try await store.waitingCorrections(
            in: institution, besides: asker, since: moment, before: number, limit: limit)
    }

    func comment(_ id: CommentID) async throws -> (number: Int, comment: CellComment)? { try await store.comment(id) }

    func comments(
        _ list: CommentList, before number: Int?, limit: Int
    ) async throws -> [(number: Int, comment: CellComment)] {
        try await store.comments(list, before: number, limit: limit)
    }

    func commentCounts(of row: EnrolmentID) async throws -> [Int: CommentCount] {
        try await store.commentCounts(of: row)
    }

    func sealedLine(_ line: LineID, of id: ClassID) async throws -> SealedLine? {
        try await store.sealedLine(line, of: id)
    }

    func seal(of row: EnrolmentID) async throws -> (secret: [UInt8], place: Int)? { try await store.seal(of: row) }

    func ground(of id: ClassID, _ reach: ActReach) async throws -> ActGround? {
        try await store.ground(of: id, reach)
    }

    func act<Value: Sendable>(
        on ground: ActGround, by context: ActContext, _ decision: ActDecision<Value>,
        keeping keep: @escaping @Sendable (ActOutcome<Value>) -> KeptAnswer?,
        again: @escaping @Sendable (ActGround) throws -> ActDecision<Value>
    ) async throws -> ActOutcome<Value> {
        try await store.act(on: ground, by: context, decision, keeping: keep, again: again)
    }

    func move(_ move: RecordMove, by context: ActContext) async throws { try await store.move(move, by: context) }

    func act<First: Sendable, Second: Sendable>(
        on grounds: (first: ActGround, second: ActGround), by context: ActContext,
        keeping keep: @escaping @Sendable (ActOutcome<Second>) -> KeptAnswer?,
        first: @escaping @Sendable (ActGround) throws -> ActDecision<First>,
        second: @escaping @Sendable (ActGround, First) throws -> ActDecision<Second>
    ) async throws -> ActOutcome<Second> {
        try await store.act(on: grounds, by: context, keeping: keep, first: first, second: second)
    }
}
