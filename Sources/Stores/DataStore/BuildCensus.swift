public import GradingKit
public import Records
public import Shared

/// What a store knows of the executables of schemes: which of them computed its records, and by which shapes.
///
/// It only reads; another program may be using the store meanwhile.
public protocol BuildCensus {
    /// Which builds have computed how many records, by scheme.
    func tallies() throws -> [BuildTally]
    /// The versions of all programs of a scheme by which records are judged that another build has computed.
    func staleVersions(of scheme: String, besides executable: SchemeExecutable) throws -> [StaleVersion]
    /// Visits what the records of a version hold that another build has computed.
    func forEachRecord(
        of version: StaleVersion, besides executable: SchemeExecutable, _ visit: (StoredTree) throws -> Void
    ) throws
}

/// Records that one build has computed.
public struct BuildTally: Sendable, Equatable {
    /// The scheme.
    public let scheme: String
    /// The build.
    public let executable: SchemeExecutable
    /// How many.
    public let records: Int

    /// A tally.
    public init(scheme: String, executable: SchemeExecutable, records: Int) {
        self.scheme = scheme
        self.executable = executable
        self.records = records
    }
}

/// A version of a program by which records are judged that another build has computed.
public struct StaleVersion: Sendable {
    /// The program.
    public let program: ProgramID
    /// What people call it.
    public let title: String
    /// The version.
    public let version: Version
    /// The version's configuration as canonical JSON text.
    public let configuration: [UInt8]
    /// The shape by which the records were judged last, in the form of `RecordShape.described`; `nil` where it is
    /// not known.
    public let shape: [UInt8]?

    /// A version.
    public init(
        program: ProgramID, title: String, version: Version, configuration: [UInt8], shape: [UInt8]?
    ) {
        self.program = program
        self.title = title
        self.version = version
        self.configuration = configuration
        self.shape = shape
    }
}
