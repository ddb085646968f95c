public import GradingKit
public import Shared

/// Reads the records of a program in slices, over its own connection, so that reads and changes of single records need
/// not wait for it.
public protocol RecordBrowser: Sendable {
    /// Returns the number of records in the program.
    func count(of program: ProgramID) async throws -> Int
    /// Returns the trees of up to `limit` records of the program after `cursor`, ordered by identifier.
    func trees(of program: ProgramID, after cursor: RecordID?, limit: Int) async throws -> [StoredTree]
    /// Returns the trees and the standings for staff of up to `limit` records of the program after `cursor`, ordered by
    /// identifier.
    ///
    /// - Parameter executable: Omits the records that this build computed; `nil` omits none.
    func standings(
        of program: ProgramID, besides executable: SchemeExecutable?, after cursor: RecordID?, limit: Int
    ) async throws -> [StoredTree]
    /// Returns the number of the program's records that a build other than this one computed.
    func stale(in program: ProgramID, besides executable: SchemeExecutable) async throws -> Int
    /// Returns the number of records, in all programs of a scheme, that a build other than this one computed.
    func stale(of scheme: String, besides executable: SchemeExecutable) async throws -> Int
    /// Stores the shape that judges records of a program's version, so that a later build can be compared with it.
    func keep(shape: [UInt8], of program: ProgramID, _ version: Version) async throws
    /// Returns the current versions of up to `limit` records of the program after `cursor`, ordered by identifier.
    func versions(of program: ProgramID, after cursor: RecordID?, limit: Int) async throws -> [RecordVersion]
    /// Returns the standings of some records as staff see them, without those that are deleted or in another program.
    func standings(of records: [RecordID], in program: ProgramID) async throws -> [StoredStanding]
    /// Returns the students of some records, without those that are deleted.
    func students(of records: [RecordID]) async throws -> [RecordID: AccountID?]
    /// Returns the position of the last change of any record.
    func lastChange() async throws -> Int
    /// Returns the records that changed after a position, each once, and the position reached.
    func changed(after place: Int, limit: Int) async throws -> (records: [RecordID], place: Int)
}

/// The content of a record, with the version of the rules that judge it.
public struct StoredTree: Sendable {
    /// The record.
    public let record: RecordID
    /// The version of the full view.
    public let version: Version
    /// The version of the program that judges the record.
    public let programVersion: Version
    /// The `record` object.
    public let tree: [UInt8]
    /// The standing as staff see it; `nil` unless it was requested.
    public let standing: [UInt8]?

    /// Creates the content of a record.
    public init(
        record: RecordID, version: Version, programVersion: Version, tree: [UInt8], standing: [UInt8]? = nil
    ) {
        self.standing = standing
        self.record = record
        self.version = version
        self.programVersion = programVersion
        self.tree = tree
    }

    /// Whether entries of the record stand for rows of classes.
    public var holdsLinks: Bool { RecordSnapshot.holdsLinks(in: tree) }
}

/// The standing of a record as staff see it.
public struct StoredStanding: Sendable {
    /// The record.
    public let record: RecordID
    /// The version of the full view.
    public let version: Version
    /// The standing as JSON text.
    public let standing: [UInt8]

    /// Creates the standing of a record.
    public init(record: RecordID, version: Version, standing: [UInt8]) {
        self.record = record
        self.version = version
        self.standing = standing
    }
}
