public import Gradebook
public import Shared

/// The records with entries that stand for rows of classes.
///
/// It only reads, so another program may be using the store.
public protocol LinkCensus {
    /// Calls `visit` with each such record and its rows, read at one moment.
    func forEachLinked(_ visit: (LinkedRecord) throws -> Void) throws
    /// Returns a version of a program; the newest one where none is named.
    func version(_ version: Version?, of program: ProgramID) throws -> StoredRules?
}

/// The rules of a version of a program, as they are stored.
public struct StoredRules: Sendable {
    /// The scheme.
    public let scheme: String
    /// The version.
    public let version: Version
    /// The version's configuration as canonical JSON text.
    public let configuration: [UInt8]

    /// Creates stored rules.
    public init(scheme: String, version: Version, configuration: [UInt8]) {
        self.scheme = scheme
        self.version = version
        self.configuration = configuration
    }
}
