public import Shared

/// What an examination of a store found.
public struct Diagnosis: Sendable, Equatable {
    /// What is wrong with what the store is kept in, in the database's words.
    public var fileFaults: [String] = []
    /// Where a trail contradicts itself.
    public var trailFaults: [TrailFault] = []
    /// Records whose trails were followed, deleted ones included.
    public var records = 0
    /// Lines that were recomputed.
    public var lines = 0

    /// Whether nothing is wrong.
    public var isSound: Bool { fileFaults.isEmpty && trailFaults.isEmpty }

    /// Nothing was found yet.
    public init() {}
}
