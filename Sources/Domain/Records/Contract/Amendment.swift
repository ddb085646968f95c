public import GradingKit
public import Shared

/// What one accepted change makes of a record. Made by a pure function of the snapshot, stored whole or not at all.
public struct Amendment: Sendable {
    /// The program version that judged this content (differs from the snapshot's when a record moves).
    public let programVersion: Version
    /// The build that computed this content, where its scheme runs in a process of its own.
    public let executable: SchemeExecutable?
    /// What staff see from now on.
    public let full: RecordContent
    /// What the student sees from now on; `nil` when it is the same.
    public let released: RecordContent?
    /// The audit row, and the history item of the full view.
    public let change: ChangeDescription
    /// The history item of the released view; `nil` when it is the same. Only kept if that view changed.
    public let releasedChange: ChangeDescription?
    /// Renders the answer once the versions are known; kept with the idempotency key.
    public let answer: @Sendable (Revision) -> StoredAnswer

    /// An amendment.
    public init(
        programVersion: Version, executable: SchemeExecutable? = nil, full: RecordContent, released: RecordContent?,
        change: ChangeDescription, releasedChange: ChangeDescription?,
        answer: @escaping @Sendable (Revision) -> StoredAnswer
    ) {
        self.programVersion = programVersion
        self.executable = executable
        self.full = full
        self.released = released
        self.change = change
        self.releasedChange = releasedChange
        self.answer = answer
    }
}
