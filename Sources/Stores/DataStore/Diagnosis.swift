public import Shared

/// The result of examining a store.
public struct Diagnosis: Sendable, Equatable {
    /// The faults of the storage, in the database's words.
    public var fileFaults: [String] = []
    /// The places where a trail contradicts itself.
    public var trailFaults: [TrailFault] = []
    /// What the search index keeps differently from what it describes: the kind and the identifier of each, the first of
    /// them.
    public var indexFaults: [String] = []
    /// The number of records whose trails were examined, including deleted records.
    public var records = 0
    /// The number of lines whose digests were recomputed.
    public var lines = 0

    /// Whether no faults were found.
    public var isSound: Bool { fileFaults.isEmpty && trailFaults.isEmpty && indexFaults.isEmpty }

    /// Creates an empty diagnosis.
    public init() {}
}
