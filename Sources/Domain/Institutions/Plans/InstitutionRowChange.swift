public import Cryptography
public import Shared

/// A change of the stored rows of institutions, memberships and programs. Each group of rows has a type of its own, which a
/// store takes apart in one switch that knows every case.
public enum InstitutionRowChange: Sendable {
    /// Inserts an institution.
    case insert(Institution)
    /// Updates an institution.
    case update(Institution)

    /// Changes memberships and what belongs to them.
    case member(MemberRowChange)
    /// Changes invitations.
    case invitation(InvitationRowChange)
    /// Changes service accounts.
    case serviceAccount(ServiceAccountRowChange)
    /// Changes the calendar. Documents of classes follow.
    case term(TermRowChange)
    /// Changes programs and their versions.
    case program(ProgramRowChange)

    /// Announces each of an institution's programs after the commit, because other people may know of them now.
    case announcePrograms(of: InstitutionID)
    /// Announces, after the commit, those who own records in an institution without being members, because their
    /// permissions may have changed.
    case announceOwners(besidesMembersOf: InstitutionID, at: Timestamp)
    /// Voids the permissions of an institution's registrars and teachers, because it changed its demands on them, and
    /// announces each of them after the commit.
    case announceStaff(of: InstitutionID)
    /// Ends the sharing of an institution's records and announces each of them after the commit.
    case endSharing(in: InstitutionID)
}

/// A change of the stored rows of memberships.
public enum MemberRowChange: Sendable {
    /// Sets the membership that people gave, replacing an earlier one.
    case set(Membership)
    /// Removes the membership that people gave.
    case remove(of: AccountID, in: InstitutionID)
    /// Sets a member's student number; `nil` removes it.
    case setStudentNumber(String?, of: AccountID, in: InstitutionID)
    /// Sets the grant of a rule, replacing its earlier one.
    case setGrant(Grant, RuleName, of: AccountID, in: InstitutionID)
    /// Removes the grant of a rule.
    case removeGrant(RuleName, of: AccountID, in: InstitutionID)
    /// Applies the limits of staff to the account's sessions from that moment on.
    case tightenSessions(of: AccountID, at: Timestamp)
}

/// A change of the stored rows of invitations.
public enum InvitationRowChange: Sendable {
    /// Inserts an invitation.
    case insert(Invitation, token: TokenDigest)
    /// Assigns an invitation to an account whose owner opened its link.
    case makeOut(Invitation, to: AccountID)
    /// Removes an invitation that was used, withdrawn, declined or replaced, and its mail if that was not sent yet.
    case remove(Invitation)
    /// The open invitations of an institution that are made out to an account end.
    case withdrawOffers(to: AccountID, in: InstitutionID)
    /// The open invitations of an institution that an account made end.
    case withdrawMade(by: AccountID, in: InstitutionID)
}

/// A change of the stored rows of service accounts.
public enum ServiceAccountRowChange: Sendable {
    /// Inserts a service account; another change sets its membership.
    case insert(ServiceAccount)
    /// Updates a service account's name and scopes.
    case update(ServiceAccount)
    /// Ends a service account with its secrets and tokens; its name stays for ``ServiceAccount/memory``.
    case end(AccountID, at: Timestamp)
}

/// A change of the stored rows of a calendar.
public enum TermRowChange: Sendable {
    /// Stores a year, term or period, replacing its earlier form.
    case put(Term)
    /// Removes a term.
    case remove(TermID, of: InstitutionID)
}

/// A change of the stored rows of programs.
public enum ProgramRowChange: Sendable {
    /// Inserts a program.
    case insert(Program)
    /// Updates a program and its revision.
    case update(Program)
    /// Inserts a published version.
    case insertVersion(ProgramVersion, of: InstitutionID)
    /// Removes a version together with its pending move of records.
    case removeVersion(Version, of: Program)
    /// Stores a move of the records to a version, due when that comes into force.
    case orderMove(PendingMove)
}

/// The plan of one write to institutions.
public typealias InstitutionPlan<Value: Sendable> = WritePlan<InstitutionRowChange, Value>

/// A move of a program's records to a version that was published with it.
public struct PendingMove: Sendable, Equatable {
    /// The program whose records move.
    public let program: ProgramID
    /// The institution that the program belongs to.
    public let institution: InstitutionID
    /// The version the records move to.
    public let version: Version
    /// The account that published it.
    public let account: AccountID
    /// The source of the request.
    public let source: String
    /// When it was published.
    public let at: Timestamp
    /// The day from which the version is in force.
    public let dueOn: CalendarDay
    /// Whether closed classes are judged again, too.
    public let judgesClosed: Bool
}
