/// An event of a record. The live hub receives it after the commit, in commit order.
public enum RecordEvent: Sendable {
    /// The record is new or has a new version. `releasedChanged` says whether the student's view has one too.
    case changed(RecordSnapshot, releasedChanged: Bool)
    /// The record was deleted.
    case deleted(RecordHead)
}
