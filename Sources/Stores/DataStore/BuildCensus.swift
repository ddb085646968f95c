public import GradingKit
public import Records
public import Shared

/// The executables of schemes that computed a store's records, and the shapes that they used.
///
/// It only reads, so another program may be using the store.
public protocol BuildCensus {
    /// Returns how many records each build has computed, by scheme.
    func tallies() throws -> [BuildTally]
    /// Returns the versions, of all programs of a scheme, that judge records computed by another build.
    func staleVersions(of scheme: String, besides executable: SchemeExecutable) throws -> [StaleVersion]
    /// Calls `visit` with each record of a version that another build has computed.
    func forEachRecord(
        of version: StaleVersion, besides executable: SchemeExecutable, _ visit: (StoredTree) throws -> Void
    ) throws
}

/// The number of records that one build has computed.
public struct BuildTally: Sendable, Equatable {
    /// The scheme.
    public let scheme: String
    /// The build.
    public let executable: SchemeExecutable
    /// The number of records.
    public let records: Int

    /// Creates a tally.
    public init(scheme: String, executable: SchemeExecutable, records: Int) {
        self.scheme = scheme
        self.executable = executable
        self.records = records
    }
}

/// A version of a program that judges records computed by another build.
public struct StaleVersion: Sendable {
    /// The program.
    public let program: ProgramID
    /// The program's title.
    public let title: String
    /// The version.
    public let version: Version
    /// The version's configuration as canonical JSON text.
    public let configuration: [UInt8]
    /// The shape by which the records were last judged, as `RecordShape.described`; `nil` if it is unknown.
    public let shape: [UInt8]?

    /// Creates a stale version.
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
