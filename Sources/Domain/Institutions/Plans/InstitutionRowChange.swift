public import Cryptography
public import Shared

/// A change of the rows that institutions, memberships and programs are kept in.
public enum InstitutionRowChange: Sendable {
    /// A new institution.
    case insert(Institution)
    /// An institution's new values.
    case update(Institution)

    /// What people gave of a membership, in place of what they gave before.
    case setMembership(Membership)
    /// The end of what people gave of a membership.
    case removeMembership(of: AccountID, in: InstitutionID)
    /// A member's student number, in place of the one before; `nil` for none.
    case setStudentNumber(String?, of: AccountID, in: InstitutionID)
    /// A grant of the rules of a name, in place of their earlier one.
    case setGrant(Grant, RuleName, of: AccountID, in: InstitutionID)
    /// The end of a grant of the rules of a name.
    case removeGrant(RuleName, of: AccountID, in: InstitutionID)
    /// The account's sessions keep to the limits of staff from that moment on.
    case tightenSessions(of: AccountID, at: Timestamp)
    /// An invitation.
    case insertInvitation(Invitation, token: TokenDigest)
    /// An invitation is made out to an account that has come with its link.
    case makeOutInvitation(Invitation, to: AccountID)
    /// An invitation is used up, taken back, declined or replaced; a mail with its link is not sent any more.
    case removeInvitation(Invitation)
    /// The open invitations of an institution that are made out to an account end.
    case withdrawOffers(to: AccountID, in: InstitutionID)
    /// The open invitations of an institution that an account made end.
    case withdrawInvitations(by: AccountID, in: InstitutionID)

    /// A new service account, whose membership is another change.
    case insertServiceAccount(ServiceAccount)
    /// A service account's name and scopes.
    case updateServiceAccount(ServiceAccount)
    /// A service account ends, with its secrets and tokens; its name stays for ``ServiceAccount/memory``.
    case endServiceAccount(AccountID, at: Timestamp)

    /// A new program.
    case insertProgram(Program)
    /// A program's new values, under its new revision.
    case updateProgram(Program)
    /// A published version.
    case insertVersion(ProgramVersion, of: InstitutionID)
    /// A version is taken away, with the move of records that waits for its day.
    case removeVersion(Version, of: Program)
    /// The records are to follow a version once its day has come.
    case orderMove(PendingMove)

    /// Who may know of any of an institution's programs is another question: told of each of them after the commit.
    case announcePrograms(of: InstitutionID)
    /// Those who own records in an institution without being members may do something else than before: told of each
    /// of them after the commit.
    case announceOwners(besidesMembersOf: InstitutionID, at: Timestamp)
    /// An institution now demands something else of its registrars and teachers: permits that rest on them are void, and
    /// each of them is announced after the commit.
    case announceStaff(of: InstitutionID)
    /// No record of an institution is shared any more: told of each of them after the commit.
    case endSharing(in: InstitutionID)
}

/// What one write does to institutions.
public typealias InstitutionPlan<Value: Sendable> = WritePlan<InstitutionRowChange, Value>

/// A move of a program's records to a version that is published with them.
public struct PendingMove: Sendable, Equatable {
    /// Whose records.
    public let program: ProgramID
    /// The tenant.
    public let institution: InstitutionID
    /// The version to which they move.
    public let version: Version
    /// Who published it.
    public let account: AccountID
    /// From where.
    public let source: String
    /// When it was published.
    public let at: Timestamp
    /// The day from which it holds.
    public let dueOn: CalendarDay
}
