public import Shared

/// Rows of a collection that changed after a version, as one message or one answer carries them.
///
/// A collection is a live topic of many small rows under one version, such as the grid of a class. What is too large for one
/// message comes as a sequence: every part says the version of the sequence, which was read before the first row, and who
/// has taken in the last part holds every row as of that version or later.
public struct LiveRows: Sendable, Equatable {
    /// The place in time of the sequence.
    public let revision: Revision
    /// The number of the structure in which the rows stood when they were read.
    public let structure: Int
    /// The rows as a JSON array.
    public let items: [UInt8]
    /// Where the next part begins; `nil` for the last part of a sequence.
    public let next: Int?

    /// A part of a sequence.
    public init(revision: Revision, structure: Int, items: [UInt8], next: Int? = nil) {
        self.revision = revision
        self.structure = structure
        self.items = items
        self.next = next
    }
}

/// Names a part of a sequence of rows: what changed after a version, from a place on.
public struct RowsCursor: Sendable, Hashable {
    /// What the reader holds already; 0 for nothing.
    public let since: Version
    /// The version of the sequence, which its first part decides; `nil` for the first part.
    public let version: Version?
    /// The place behind which the part begins; 0 for the first part.
    public let after: Int

    /// The first part of a sequence.
    public init(since version: Version) {
        since = version
        self.version = nil
        after = 0
    }

    /// A later part of a sequence of that version.
    public init(since: Version, sequence version: Version, after: Int) {
        self.since = since
        self.version = version
        self.after = after
    }
}
