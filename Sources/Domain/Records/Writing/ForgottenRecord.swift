public import Shared

/// What happens to a record when its student's account is deleted.
public enum ForgottenRecord: Sendable {
    /// Only the student ever changed the record: it is deleted, and the content of its changes is erased.
    case deleted(RecordPlan.Change, RecordEvent)
    /// Other people changed it too: the institution keeps it, without a student.
    case detached(RecordHead, AuditEntry)

    /// Decides from the authors of the record's changes.
    ///
    /// - Parameters:
    ///   - account: The student.
    ///   - act: Who deletes the account.
    public init(_ record: RecordRow, changedBy authors: Set<ChangeAuthor>, of account: AccountID, by act: AuditContext)
    {
        let head = record.snapshot.head
        // Judging a record by other rules enters nothing in it.
        let isOwn = authors.allSatisfy {
            $0.account == account || ChangeDescription.judgements.contains($0.operation)
        }
        if isOwn {
            let removal = record.removal(by: act.account ?? account, from: act.source, at: act.at)
            self = .deleted(removal.change, .deleted(head))
        } else {
            self = .detached(head, act.entry("record.detached", of: head.id.text, in: head.institution))
        }
    }
}

/// The author of a kind of change to a record.
public struct ChangeAuthor: Sendable, Hashable {
    /// The account that made the change.
    public let account: AccountID
    /// The operation of the change.
    public let operation: String

    /// Creates an author.
    public init(account: AccountID, operation: String) {
        self.account = account
        self.operation = operation
    }
}
