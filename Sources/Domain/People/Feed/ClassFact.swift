public import Shared

/// What an act of a class is news for, as the class's ledger has it.
public struct ClassFact: Sendable {
    /// What the act did.
    public enum Kind: Sendable, Equatable {
        /// It entered or changed results of one student.
        case entered(AccountID, RecordID)
        /// It corrected results of one student in a closed class.
        case corrected(AccountID, RecordID)
        /// It showed the results of some lines to all students.
        case shown
        /// It showed nothing, and hid the results of some lines.
        case hidden
        /// A correction was asked for.
        case correctionRequested(CorrectionID, by: AccountID)
        /// A second person approved or refused the correction that the first one had asked for.
        case correctionDecided(CorrectionID, askedBy: AccountID, by: AccountID)
    }

    /// The act.
    public let act: ClassAct
    /// What it did.
    public let kind: Kind
    /// The institution that the class belongs to.
    public let institution: InstitutionID
    /// The program that the class belongs to.
    public let program: ProgramID
    /// When the act happened.
    public let at: Timestamp
    /// Its link in the chain of the class's ledger.
    public let link: [UInt8]

    /// Creates a fact.
    public init(
        _ act: ClassAct, _ kind: Kind, institution: InstitutionID, program: ProgramID, at moment: Timestamp,
        link: [UInt8]
    ) {
        self.act = act
        self.kind = kind
        self.institution = institution
        self.program = program
        at = moment
        self.link = link
    }

    /// The event that the act makes; `nil` if it is no news.
    public var event: FeedEvent? {
        switch kind {
        case .entered(let student, let record): event(in: .account(student), .gradeEntered, record.text, act: act)
        case .corrected(let student, let record): event(in: .account(student), .resultCorrected, record.text, act: act)
        case .shown: event(in: .taughtClass(act.classID), .resultReleased, act.classID.text, act: act)
        case .hidden: nil
        case .correctionRequested(let id, let asker):
            event(in: .registrars(institution), .correctionRequested, id.text, by: asker)
        case .correctionDecided(let id, let asker, let decider):
            event(in: .account(asker), .correctionDecided, id.text, by: decider)
        }
    }

    private func event(
        in stream: FeedStream, _ type: FeedType, _ object: String, by actor: AccountID? = nil, act: ClassAct? = nil
    ) -> FeedEvent {
        FeedEvent(
            id: FeedEvent.id(of: link), in: stream, type.alone, at: at, actor: actor, object: object,
            institution: institution, program: program, act: act)
    }
}
