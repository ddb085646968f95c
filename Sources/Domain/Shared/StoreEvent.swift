/// What changed besides records, told after the commit to those that keep connections or projections up to date.
public enum StoreEvent: Sendable, Hashable {
    /// What one account may do, or whether it may do anything, is another: role, membership, disabled, deleted.
    case accessChanged(AccountID)
    /// A session ended before its time.
    case sessionEnded(SessionID)
    /// An API token ended before its time.
    case tokenEnded(APITokenID)
    /// The directory of accounts is another.
    case accountsChanged
    /// A program has a new published version, or other settings.
    case programChanged(ProgramID)
    /// Who may know of a program is another question: its institution was opened or closed, or it was published.
    case audienceChanged(ProgramID)
    /// The list of an account's records is another, beyond what the records' own events say.
    case recordsChanged(AccountID)
    /// What is shared of a record, or with whom, is another question.
    case sharingChanged(RecordID)
    /// An act changed a class.
    case classChanged(ClassNews)
    /// Who may read a class, and these rows of it, is another question: its staff or its state changed.
    case classAudienceChanged(ClassID, rows: [EnrolmentID])
}
