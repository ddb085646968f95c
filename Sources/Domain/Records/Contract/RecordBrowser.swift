public import GradingKit
public import Shared

/// Goes through the records of a program in slices, through a connection of its own: no one who changes or reads
/// single records waits for it.
public protocol RecordBrowser: Sendable {
    /// How many records the program has.
    func count(of program: ProgramID) async throws -> Int
    /// What records of the program hold, in the order of their identifiers, after `cursor`.
    func trees(of program: ProgramID, after cursor: RecordID?, limit: Int) async throws -> [StoredTree]
    /// What records of the program hold and how they stand, in the order of their identifiers, after `cursor`.
    ///
    /// - Parameter executable: leaves out the records that this build has computed; `nil` leaves out none.
    func standings(
        of program: ProgramID, besides executable: SchemeExecutable?, after cursor: RecordID?, limit: Int
    ) async throws -> [StoredTree]
    /// How many records of the program another build has computed than this one.
    func stale(in program: ProgramID, besides executable: SchemeExecutable) async throws -> Int
    /// How many records of all programs of a scheme another build has computed than this one.
    func stale(of scheme: String, besides executable: SchemeExecutable) async throws -> Int
    /// Keeps the shape by which records of a program's version are judged, so that a later build can be held against it.
    func keep(shape: [UInt8], of program: ProgramID, _ version: Version) async throws
    /// The current versions of the program's records, in the order of their identifiers, after `cursor`.
    func versions(of program: ProgramID, after cursor: RecordID?, limit: Int) async throws -> [RecordVersion]
    /// What staff see of some records; those that are gone or of another program are absent.
    func standings(of records: [RecordID], in program: ProgramID) async throws -> [StoredStanding]
    /// The students of some records; records that are gone are absent.
    func students(of records: [RecordID]) async throws -> [RecordID: AccountID?]
    /// The place of the last change of any record.
    func lastChange() async throws -> Int
    /// The records that changed after a place, each once, and the place reached.
    func changed(after place: Int, limit: Int) async throws -> (records: [RecordID], place: Int)
}

/// What a record holds, and by which rules it was judged.
public struct StoredTree: Sendable {
    /// The record.
    public let record: RecordID
    /// The full view's version.
    public let version: Version
    /// The program's version by which it is judged.
    public let programVersion: Version
    /// The `record` object.
    public let tree: [UInt8]
    /// How it stands for staff, where that was asked for.
    public let standing: [UInt8]?

    /// What a record holds.
    public init(
        record: RecordID, version: Version, programVersion: Version, tree: [UInt8], standing: [UInt8]? = nil
    ) {
        self.standing = standing
        self.record = record
        self.version = version
        self.programVersion = programVersion
        self.tree = tree
    }
}

/// What staff see of a record.
public struct StoredStanding: Sendable {
    /// The record.
    public let record: RecordID
    /// The full view's version.
    public let version: Version
    /// The standing.
    public let standing: [UInt8]

    /// What staff see of a record.
    public init(record: RecordID, version: Version, standing: [UInt8]) {
        self.record = record
        self.version = version
        self.standing = standing
    }
}
