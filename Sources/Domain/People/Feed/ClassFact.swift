public import Shared

/// An act of a class that changed, showed or hid results before students' eyes, as the class's ledger has it.
public struct ClassFact: Sendable {
    /// What the act did.
    public enum Kind: Sendable {
        /// It entered or changed results of one student.
        case entered
        /// It corrected results of one student in a closed class.
        case corrected
        /// It showed the results of some lines to all students.
        case shown
        /// It showed nothing, and hid the results of some lines.
        case hidden
    }

    /// The act.
    public let act: ClassAct
    /// What it did.
    public let kind: Kind
    /// The institution that the class belongs to.
    public let institution: InstitutionID
    /// The program that the class belongs to.
    public let program: ProgramID
    /// The student whose results changed, with the record; `nil` for an act that concerns all students.
    public let student: (account: AccountID, record: RecordID)?
    /// When the act happened.
    public let at: Timestamp
    /// Its link in the chain of the class's ledger.
    public let link: [UInt8]

    /// Creates a fact.
    public init(
        _ act: ClassAct, _ kind: Kind, institution: InstitutionID, program: ProgramID,
        student: (account: AccountID, record: RecordID)?, at moment: Timestamp, link: [UInt8]
    ) {
        self.act = act
        self.kind = kind
        self.institution = institution
        self.program = program
        self.student = student
        at = moment
        self.link = link
    }

    /// The event that the act makes; without types for one that is no news.
    public var event: FeedEvent {
        FeedEvent(
            id: FeedEvent.id(of: link), in: student.map { .account($0.account) } ?? .taughtClass(act.classID), types,
            at: at, object: student?.record.text ?? act.classID.text, institution: institution, program: program,
            act: act)
    }

    private var types: FeedTypes {
        switch kind {
        case .entered: FeedType.gradeEntered.alone
        case .corrected: FeedType.resultCorrected.alone
        case .shown: FeedType.resultReleased.alone
        case .hidden: []
        }
    }
}
