public import Classes
import GradingKit
public import Records
public import Shared

/// The part of a class that an act reaches.
public enum ActReach: Sendable, Equatable {
    /// These rows; none for an act that concerns only the class.
    case rows([EnrolmentID])
    /// Every row.
    case everyRow
    /// The row and the records of a student to be enrolled.
    case student(AccountID)
    /// The effect of an earlier act: its rows, or every row if it changed the structure.
    case act(Version)
    /// A correction, with its rows.
    case correction(CorrectionID)
    /// A row, with the comments on one of its cells, by the number of the line.
    case cell(EnrolmentID, line: Int)
    /// The work under some codes of a line, by its number.
    case sealed(line: Int, codes: [String])
    /// Every row, and all work under codes of a line, by its number.
    case unsealing(line: Int)

    /// Whether the act reaches exactly one row.
    public var isOneRow: Bool {
        if case .rows(let rows) = self { rows.count == 1 } else { false }
    }
}

/// The basis of an act: the class, and the part of it that the act reaches. It is a value, so the act is decided away
/// from the store's threads. The store carries it out only if all of this is still current.
public struct ActGround: Sendable {
    /// The most rows, and the most records, that may have changed since they were read. For these, the act is decided
    /// again while it is carried out; with more, the caller starts again.
    public static let greatestRepair = 64

    /// The requested reach.
    public let reach: ActReach
    /// The class, its structure and its staff.
    public let snapshot: ClassSnapshot
    /// The rows of the class within reach, in the order of enrolment.
    public internal(set) var rows: [EnrolledRow]
    /// The records of those rows, and of the student to be enrolled. Deleted ones are absent.
    public internal(set) var records: [RecordID: RecordSnapshot]
    /// The records of the student to be enrolled in the class's program, in the order of their identifiers.
    public let ofStudent: [RecordID]
    /// How many students the class has had. Known only if one is to be enrolled.
    public let students: Int
    /// The ledger's lines about the earlier act.
    public let ledger: [LedgerLine]
    /// The structure before the earlier act, if the act changed it.
    public let former: ClassStructure?
    /// The correction to be decided; `nil` if the class does not have it.
    public let correction: Correction?
    /// The number of undecided corrections of a closed class.
    public let waiting: Int
    /// The comments on the cell within reach, without their texts.
    public let comments: [CellComment]
    /// The work under codes within reach.
    public let sealed: SealedLine?
    /// The numbers of lines with work under codes. Known only if the act reaches every row.
    public let sealedLines: Set<Int>

    /// Creates the basis of an act.
    public init(
        _ reach: ActReach, snapshot: ClassSnapshot, rows: [EnrolledRow], records: [RecordID: RecordSnapshot],
        ofStudent: [RecordID] = [], students: Int = 0, ledger: [LedgerLine] = [], former: ClassStructure? = nil,
        correction: Correction? = nil, waiting: Int = 0, comments: [CellComment] = [],
        sealed: SealedLine? = nil, sealedLines: Set<Int> = []
    ) {
        self.reach = reach
        self.snapshot = snapshot
        self.rows = rows
        self.records = records
        self.ofStudent = ofStudent
        self.students = students
        self.ledger = ledger
        self.former = former
        self.correction = correction
        self.waiting = waiting
        self.comments = comments
        self.sealed = sealed
        self.sealedLines = sealedLines
    }

    /// Whether the act reaches every row.
    public var isWhole: Bool {
        if case .unsealing = reach { return true }
        return reach == .everyRow || ledger.contains { $0.enrolment == nil }
    }

    /// The same with some rows and records replaced by their current state. New rows come after the others.
    public func replacing(_ changed: [EnrolledRow], _ records: [RecordID: RecordSnapshot?]) -> ActGround {
        var ground = self
        for row in changed {
            if let index = rows.firstIndex(where: { $0.enrolment.id == row.enrolment.id }) {
                ground.rows[index] = row
            } else {
                ground.rows.append(row)
            }
        }
        for (id, snapshot) in records { ground.records[id] = snapshot }
        return ground
    }
}

/// The effect of an act, and its answer.
public typealias ActDecision<Value: Sendable> = (plan: ActPlan, value: Value)

extension GradebookStore {
    /// Decides an act on the caller's thread and carries it out. For acts on a few rows.
    ///
    /// - Throws: `StoreError.notFound`, `moved` if its basis has changed meanwhile, and what `decide` throws.
    public func act<Value: Sendable>(
        in id: ClassID, _ reach: ActReach, by context: ActContext,
        _ decide: @escaping @Sendable (ActGround) throws -> ActDecision<Value>
    ) async throws -> ActOutcome<Value> {
        guard let ground = try await ground(of: id, reach) else { throw StoreError.notFound }
        return try await act(on: ground, by: context, decide(ground), keeping: { _ in nil }, again: decide)
    }
}
