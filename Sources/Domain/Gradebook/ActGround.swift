public import Classes
import GradingKit
public import Records
public import Shared

/// The part of a class that an act reaches.
public enum ActReach: Sendable, Equatable {
    /// These rows, and those of no student for an act of the class alone.
    case rows([EnrolmentID])
    /// Every row.
    case everyRow
    /// The row and the records of a student who is to be enrolled.
    case student(AccountID)
    /// What an earlier act did: its rows, or every row where it changed the structure.
    case act(Version)
    /// A correction with its rows.
    case correction(CorrectionID)
    /// A row with the comments on one of its cells, by the number of the line.
    case cell(EnrolmentID, line: Int)
    /// What was entered under some codes of a line, by its number.
    case sealed(line: Int, codes: [String])
    /// Every row, and all that was entered under codes of a line, by its number.
    case unsealing(line: Int)

    /// Whether it is one row and no more.
    public var isOneRow: Bool {
        if case .rows(let rows) = self { rows.count == 1 } else { false }
    }
}

/// What an act rests on: the class, and the part of it that the act reaches. A value, so that the act is decided away from
/// the store's threads; the store carries it out only where all of this still stands.
public struct ActGround: Sendable {
    /// How many rows, and how many records, may have changed since they were read, so that the act is decided for them again
    /// while it is carried out. With more of them the caller begins again.
    public static let greatestRepair = 64

    /// What was asked for.
    public let reach: ActReach
    /// The class, its structure and its staff.
    public let snapshot: ClassSnapshot
    /// The rows that the class has of those within reach, in the order of enrolment.
    public internal(set) var rows: [EnrolledRow]
    /// The records of those rows, and of the student who is to be enrolled. One that is gone is absent.
    public internal(set) var records: [RecordID: RecordSnapshot]
    /// The records in the class's program of the student who is to be enrolled, in the order of their identifiers.
    public let ofStudent: [RecordID]
    /// How many students the class ever had. Known only where one is to be enrolled.
    public let students: Int
    /// What the ledger says of the earlier act.
    public let ledger: [LedgerLine]
    /// The structure before the earlier act, where it changed it.
    public let former: ClassStructure?
    /// The correction that is to be decided; `nil` where the class has none such.
    public let correction: Correction?
    /// How many corrections of a closed class are not decided yet.
    public let waiting: Int
    /// The comments on the cell within reach, without their texts.
    public let comments: [CellComment]
    /// What was entered under codes within reach.
    public let sealed: SealedLine?
    /// The numbers of lines in which something was entered under codes. Known only where the act reaches every row.
    public let sealedLines: Set<Int>

    /// What an act rests on.
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

    /// The same with some rows and records as they stand by now. Rows that are new stand behind the others.
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

/// What an act does and answers.
public typealias ActDecision<Value: Sendable> = (plan: ActPlan, value: Value)

extension GradebookStore {
    /// Decides an act where the caller runs, and carries it out: for acts of a few rows.
    ///
    /// - Throws: `StoreError.notFound`, `moved` when what it rests on changed meanwhile, and what `decide` throws.
    public func act<Value: Sendable>(
        in id: ClassID, _ reach: ActReach, by context: ActContext,
        _ decide: @escaping @Sendable (ActGround) throws -> ActDecision<Value>
    ) async throws -> ActOutcome<Value> {
        guard let ground = try await ground(of: id, reach) else { throw StoreError.notFound }
        return try await act(on: ground, by: context, decide(ground), keeping: { _ in nil }, again: decide)
    }
}
