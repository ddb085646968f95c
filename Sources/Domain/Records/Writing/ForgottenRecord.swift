public import Shared

/// What becomes of a record whose student's account is deleted.
public enum ForgottenRecord: Sendable {
    /// Only the student ever changed it: it goes, and what its changes said is erased.
    case deleted(RecordPlan.Change, RecordEvent)
    /// Others had a part in it: it stays with the institution and names no student any more.
    case detached(RecordHead, AuditEntry)

    /// Decides from who made which kinds of changes of it.
    ///
    /// - Parameters:
    ///   - account: the student.
    ///   - act: who deletes the account.
    public init(_ record: RecordRow, changedBy authors: Set<ChangeAuthor>, of account: AccountID, by act: AuditContext)
    {
        let head = record.snapshot.head
        // To order that a record be judged by other rules is not to enter something in it.
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

/// Who made a kind of change of a record.
public struct ChangeAuthor: Sendable, Hashable {
    /// Who.
    public let account: AccountID
    /// What kind.
    public let operation: String

    /// An author.
    public init(account: AccountID, operation: String) {
        self.account = account
        self.operation = operation
    }
}
