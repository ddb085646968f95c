/// A change of anything but a record, published after the commit to update live connections and projections.
public enum StoreEvent: Sendable, Hashable {
    /// The permissions of an account changed: its role or a membership, or it was disabled or deleted.
    case accessChanged(AccountID)
    /// A session ended before its time.
    case sessionEnded(SessionID)
    /// An API token ended before its time.
    case tokenEnded(APITokenID)
    /// The directory of accounts changed.
    case accountsChanged
    /// A program has a new published version or other settings.
    case programChanged(ProgramID)
    /// The people who may know of a program changed: its institution was opened or closed, or it was published.
    case audienceChanged(ProgramID)
    /// The list of an account's records changed, beyond what the records' own events say.
    case recordsChanged(AccountID)
    /// What is shared of a record, or with whom, changed.
    case sharingChanged(RecordID)
    /// An act changed a class.
    case classChanged(ClassNews)
    /// Who may read a class, and these rows of it, is another question: its staff or its state changed.
    case classAudienceChanged(ClassID, rows: [EnrolmentID])
}
