public import GradingKit
public import Shared

/// The new content of a record after an accepted change, computed by a pure function of its snapshot. It is stored
/// whole or not at all.
public struct Amendment: Sendable {
    /// The program version that judged this content; differs from the snapshot's if the record moves.
    public let programVersion: Version
    /// The build that computed this content, if its scheme runs in a process of its own; otherwise `nil`.
    public let executable: SchemeExecutable?
    /// The new content of the full view, which staff see.
    public let full: RecordContent
    /// The new content of the released view, which the student sees; `nil` if it is the same.
    public let released: RecordContent?
    /// The description in the audit row and in the history of the full view.
    public let change: ChangeDescription
    /// The description in the history of the released view; `nil` if it is the same. Stored only if that view changed.
    public let releasedChange: ChangeDescription?
    /// Renders the answer once the versions are known. The answer is stored under the idempotency key.
    public let answer: @Sendable (Revision) -> StoredAnswer

    /// Creates an amendment.
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
