public import Classes
public import Shared

/// The store of classes and of the records that follow them.
public protocol GradebookStore: GridStore {
    /// The classes with an unhandled due day before a given day, each with its institution and the first such day, in
    /// the order of their identifiers.
    func classesDue(
        before day: CalendarDay, after cursor: ClassID?, limit: Int
    ) async throws -> [(id: ClassID, institution: InstitutionID, day: CalendarDay)]

    /// Stores a new class as version 1.
    ///
    /// - Throws: `StoreError.taken(field: "id")`, `moved` when a right has changed meanwhile, `full`, `unavailable`.
    func found(
        _ head: ClassHead, _ structure: ClassStructure, staff: [ClassStaff], by context: ActContext
    ) async throws -> ClassSnapshot

    /// The current state of a class; `nil` when there is none.
    func taughtClass(_ id: ClassID) async throws -> ClassSnapshot?
    /// Some classes, in the order of their identifiers.
    func classes(_ selection: ClassSelection, after cursor: ClassID?, limit: Int) async throws -> [ClassSnapshot]
    /// A student's enrolments, in the order of their identifiers.
    func enrolments(of student: AccountID) async throws -> [Enrolment]
    /// The rows that changed after a version, in the order of enrolment. The version of the class was read before the
    /// rows.
    func rows(of id: ClassID, since version: Version) async throws -> (version: Version, rows: [EnrolledRow])?
    /// One row; `nil` when the class has no such enrolment.
    func row(_ enrolment: EnrolmentID, of id: ClassID) async throws -> EnrolledRow?
    /// Returns the details of acts that changed a record. Acts without a line in the ledger are absent.
    func details(of acts: [ClassAct], in record: RecordID) async throws -> [ClassAct: ClassActDetail]
    /// The ledger below a line, newest first: of one student's row, or of the class.
    ///
    /// - Parameter number: the number of a line of the same ledger; `nil` begins at the end.
    func ledger(
        of id: ClassID, _ enrolment: EnrolmentID?, before number: Int?, limit: Int
    ) async throws -> [LedgerLine]
    /// The structure that a class has or had under a number; `nil` for none.
    func structure(_ number: Int, of id: ClassID) async throws -> ClassStructure?
    /// The authors of the content of cells; `nil` if the last lines of a row's ledger do not show them.
    ///
    /// - Parameter cells: rows with the numbers of lines.
    func authors(of cells: [CellPlace], in id: ClassID) async throws -> [CellAuthor?]

    /// The corrections of a class below a number, newest first, each with its number.
    ///
    /// - Parameter number: `nil` starts at the newest.
    func corrections(
        of id: ClassID, before number: Int?, limit: Int
    ) async throws -> [(number: Int, correction: Correction)]

    /// A correction of any class; `nil` when there is no such correction.
    func correction(_ id: CorrectionID) async throws -> Correction?
    /// The undecided corrections of an institution's classes below a number, newest first, each with its number.
    ///
    /// - Parameters:
    ///   - asker: an account whose corrections are left out.
    ///   - moment: corrections requested before it are left out.
    ///   - number: `nil` starts at the newest.
    func waitingCorrections(
        in institution: InstitutionID, besides asker: AccountID, since moment: Timestamp, before number: Int?,
        limit: Int
    ) async throws -> [(number: Int, correction: Correction)]

    /// A comment with its number; `nil` when there is no such comment.
    func comment(_ id: CommentID) async throws -> (number: Int, comment: CellComment)?
    /// Comments below a number, newest first, each with its number.
    ///
    /// - Parameter number: `nil` starts at the newest.
    func comments(
        _ list: CommentList, before number: Int?, limit: Int
    ) async throws -> [(number: Int, comment: CellComment)]
    /// The numbers of comments on the cells of a row, by the numbers of lines; cells without any are absent.
    func commentCounts(of row: EnrolmentID) async throws -> [Int: CommentCount]

    /// The work under codes of a line; `nil` when there is no such class, or it never had such a line.
    func sealedLine(_ line: LineID, of id: ClassID) async throws -> SealedLine?
    /// A class's secret and the student's place in the order of enrolment; `nil` if no line was ever marked
    /// anonymously.
    func seal(of row: EnrolmentID) async throws -> (secret: [UInt8], place: Int)?

    /// The ground of an act; `nil` when there is no such class. Rows and records are read in slices. Changes in between
    /// are found when the act is carried out.
    func ground(of id: ClassID, _ reach: ActReach) async throws -> ActGround?

    /// Carries out an act in one transaction: rows, the class's version, the ledger, the entries that stand for rows,
    /// the records' standings and history.
    ///
    /// In the same transaction, `keep` makes the answer that is stored under the client's key.
    ///
    /// Compares the ground with the current state. If up to ``ActGround/greatestRepair`` rows or records have changed,
    /// `again` decides from the ground with these; if it throws, nothing is stored and the error is thrown here. The
    /// store calls it on its own thread, and once more if it repeats the changes of its transaction. So it must be
    /// pure, and quick for rows that were judged before.
    ///
    /// - Throws: `StoreError`: `notFound`, `full`, `unavailable`; `moved` when more has changed, or the class itself,
    ///   or when the act's due day is not the next one any more; and what `again` throws.
    func act<Value: Sendable>(
        on ground: ActGround, by context: ActContext, _ decision: ActDecision<Value>,
        keeping keep: @escaping @Sendable (ActOutcome<Value>) -> KeptAnswer?,
        again: @escaping @Sendable (ActGround) throws -> ActDecision<Value>
    ) async throws -> ActOutcome<Value>

    /// Moves a record to another version of its program in one transaction, with an act in the class of each of its
    /// rows.
    ///
    /// - Throws: `StoreError`: `notFound`, `full`, `unavailable`; `moved` when the record, one of its rows or classes,
    ///   or the permission has changed meanwhile.
    func move(_ move: RecordMove, by context: ActContext) async throws

    /// Carries out two acts, in two classes, in one transaction. The second one builds on the first. Each is decided
    /// inside the transaction, from its current ground.
    ///
    /// - Throws: as ``act(on:by:_:keeping:again:)``; then nothing of either is stored.
    func act<First: Sendable, Second: Sendable>(
        on grounds: (first: ActGround, second: ActGround), by context: ActContext,
        keeping keep: @escaping @Sendable (ActOutcome<Second>) -> KeptAnswer?,
        first: @escaping @Sendable (ActGround) throws -> ActDecision<First>,
        second: @escaping @Sendable (ActGround, First) throws -> ActDecision<Second>
    ) async throws -> ActOutcome<Second>
}
