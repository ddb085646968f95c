/// What happened to a record, told to the live hub after the commit, in commit order.
public enum RecordEvent: Sendable {
    /// A new record or a new version. `releasedChanged` says whether the student's view is a new version too.
    case changed(RecordSnapshot, releasedChanged: Bool)
    /// The record is gone.
    case deleted(RecordHead)
}
