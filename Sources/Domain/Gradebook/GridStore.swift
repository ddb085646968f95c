public import Classes
public import Shared

/// One row of a grid, with the version that decides which rules judge it.
public struct GridRow: Sendable {
    /// The student and the row. The version is the row's own.
    public let enrolled: EnrolledRow
    /// The row's place in the order of enrolment.
    public let place: Int
    /// The version of the program that judges the student's record; `nil` when the record is gone.
    public let programVersion: Version?
    /// The numbers of comments on cells, by the numbers of lines; cells without any are absent.
    public let comments: [Int: Int]

    /// A row at a place.
    public init(_ enrolled: EnrolledRow, at place: Int, programVersion: Version?, comments: [Int: Int] = [:]) {
        self.enrolled = enrolled
        self.place = place
        self.programVersion = programVersion
        self.comments = comments
    }
}

/// A part of a grid at one moment.
public struct GridRows: Sendable {
    /// The class at that moment.
    public let snapshot: ClassSnapshot
    /// The store's epoch.
    public let epoch: Epoch
    /// The version of the class since which its structure is unchanged. Every row changed then.
    public let structuredAt: Version
    /// Rows that changed after the requested version, in the order of enrolment.
    public let rows: [GridRow]

    /// Rows of a class.
    public init(_ snapshot: ClassSnapshot, in epoch: Epoch, structuredAt: Version, rows: [GridRow]) {
        self.snapshot = snapshot
        self.epoch = epoch
        self.structuredAt = structuredAt
        self.rows = rows
    }
}

/// The number of students in a class.
public struct ClassRoster: Sendable, Equatable {
    /// Students in the class.
    public let students: Int
    /// Students who have left it.
    public let withdrawn: Int
    /// Undecided corrections, including those that are void by now.
    public let corrections: Int

    /// Creates a roster.
    public init(students: Int, withdrawn: Int, corrections: Int = 0) {
        self.students = students
        self.withdrawn = withdrawn
        self.corrections = corrections
    }
}

/// The versions of a class, for its followers.
public struct ClassMark: Sendable, Hashable {
    /// The number of acts so far.
    public let version: Version
    /// Rises whenever the class itself changes: structure, staff, roster, state, or the days of its term.
    public let restated: Version

    /// A class at these versions.
    public init(version: Version, restated: Version) {
        self.version = version
        self.restated = restated
    }
}

/// The versions that determine the document of a row: while they are unchanged, so is the document.
public struct RowMark: Sendable, Hashable {
    /// The version at which the row itself last changed.
    public let row: Version
    /// The version at which its class last changed itself.
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

/// One row with its class, at one moment.
public struct MarkedRow: Sendable {
    /// The class.
    public let snapshot: ClassSnapshot
    /// The student and the row.
    public let enrolled: EnrolledRow
    /// The versions that determine its document.
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

    /// At most `limit` rows after a place in the order of enrolment that changed after a version, also by a change of
    /// the structure. All are from one moment. `nil` when there is no such class.
    func grid(of id: ClassID, since version: Version, after place: Int, limit: Int) async throws -> GridRows?

    /// The versions of classes; deleted classes are absent.
    func marks(of classes: [ClassID]) async throws -> [ClassID: ClassMark]

    /// The versions that determine the documents of rows; deleted rows are absent.
    func marks(of rows: [EnrolmentID]) async throws -> [EnrolmentID: RowMark]

    /// A record with the rows of its classes, except those of students who have left; `nil` when there is no such
    /// record. All are from one moment.
    func linked(_ record: RecordID) async throws -> LinkedRecord?

    /// One row with its class; `nil` when there is no such enrolment.
    func markedRow(_ id: EnrolmentID) async throws -> MarkedRow?

    /// The number of students in a class.
    func roster(of id: ClassID) async throws -> ClassRoster

    /// Whether any student in a class has said a first or last name.
    func hasPersonNames(in id: ClassID) async throws -> Bool
}
