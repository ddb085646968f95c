public import Classes
public import Shared

/// One row as a grid is read: with what decides by which rules it is judged.
public struct GridRow: Sendable {
    /// The student and what the row holds. The version is the row's own.
    public let enrolled: EnrolledRow
    /// The row's place in the order of enrolment.
    public let place: Int
    /// The version of the program that judges the student's record; `nil` when the record is gone.
    public let programVersion: Version?
    /// How many comments cells have, by the numbers of lines; those without any are absent.
    public let comments: [Int: Int]

    /// A row at a place.
    public init(_ enrolled: EnrolledRow, at place: Int, programVersion: Version?, comments: [Int: Int] = [:]) {
        self.enrolled = enrolled
        self.place = place
        self.programVersion = programVersion
        self.comments = comments
    }
}

/// What is read of a grid at one moment.
public struct GridRows: Sendable {
    /// The class as it stood then.
    public let snapshot: ClassSnapshot
    /// The store's epoch.
    public let epoch: Epoch
    /// The class's version since which its structure holds: every row changed then.
    public let structuredAt: Version
    /// Rows that changed after the version asked for, in the order of enrolment.
    public let rows: [GridRow]

    /// Rows of a class.
    public init(_ snapshot: ClassSnapshot, in epoch: Epoch, structuredAt: Version, rows: [GridRow]) {
        self.snapshot = snapshot
        self.epoch = epoch
        self.structuredAt = structuredAt
        self.rows = rows
    }
}

/// How many students a class has.
public struct ClassRoster: Sendable, Equatable {
    /// Students who are in it.
    public let students: Int
    /// Students who have left it.
    public let withdrawn: Int
    /// Corrections that are not decided yet, those that are void by now too.
    public let corrections: Int

    /// So many students.
    public init(students: Int, withdrawn: Int, corrections: Int = 0) {
        self.students = students
        self.withdrawn = withdrawn
        self.corrections = corrections
    }
}

/// How far a class is, for those who follow it.
public struct ClassMark: Sendable, Hashable {
    /// How many acts there were.
    public let version: Version
    /// Rises whenever the class says something else of itself: structure, staff, roster, state, or the days of its term.
    public let restated: Version

    /// A class at these versions.
    public init(version: Version, restated: Version) {
        self.version = version
        self.restated = restated
    }
}

/// What the document of a row follows from: while it is the same, the document is.
public struct RowMark: Sendable, Hashable {
    /// The version at which the row itself last changed.
    public let row: Version
    /// The version at which its class last said something else of itself.
    public let restated: Version
    /// The version of the program that judges the student's record; `nil` when the record is gone.
    public let programVersion: Version?

    /// A row at these versions.
    public init(row: Version, restated: Version, programVersion: Version?) {
        self.row = row
        self.restated = restated
        self.programVersion = programVersion
    }
}

/// One row with its class, of one moment.
public struct MarkedRow: Sendable {
    /// The class.
    public let snapshot: ClassSnapshot
    /// The student and what the row holds.
    public let enrolled: EnrolledRow
    /// What its document follows from.
    public let mark: RowMark

    /// A row with its class.
    public init(_ enrolled: EnrolledRow, of snapshot: ClassSnapshot, _ mark: RowMark) {
        self.enrolled = enrolled
        self.snapshot = snapshot
        self.mark = mark
    }
}

/// What followers of classes read.
public protocol GridStore: Sendable {
    /// The store's epoch.
    var epoch: Epoch { get }

    /// The rows that changed after a version, a change of the structure included, behind a place in the order of
    /// enrolment: at most `limit`. All of it is of one moment. `nil` when there is no such class.
    func grid(of id: ClassID, since version: Version, after place: Int, limit: Int) async throws -> GridRows?

    /// How far classes are; those that are gone are absent.
    func marks(of classes: [ClassID]) async throws -> [ClassID: ClassMark]

    /// What the documents of rows follow from; those that are gone are absent.
    func marks(of rows: [EnrolmentID]) async throws -> [EnrolmentID: RowMark]

    /// A record with the rows of its classes, without those of students who have left; `nil` when there is no such
    /// record. All of it is of one moment.
    func linked(_ record: RecordID) async throws -> LinkedRecord?

    /// One row with its class; `nil` when there is no such enrolment.
    func markedRow(_ id: EnrolmentID) async throws -> MarkedRow?

    /// How many students a class has.
    func roster(of id: ClassID) async throws -> ClassRoster
}
