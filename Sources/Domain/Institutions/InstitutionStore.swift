public import Cryptography
public import Shared

/// What institutions need of a store. Each write is one transaction with its audit row; those that may take a
/// permission raise the access version of what it rested on, and those that a permission was given for are refused with
/// `StoreError.moved` once one of its grounds has another version. What is not there is `StoreError.notFound`; what a closure throws is thrown, and nothing stored.
public protocol InstitutionStore: ServiceAccountStore {
    /// What this node has heard of changes of access.
    var accessNews: AccessNews { get }
    /// The epoch of the documents' revisions.
    var epoch: Epoch { get }

    /// Stores a new institution and the answer that tells of it, under a permission that rests on `grounds`; another one
    /// with the slug is `StoreError.taken(field: "slug")`, another answer under the key `StoreError.taken(field: "key")`.
    func insert(
        _ institution: Institution, audit: AuditEntry, keeping kept: KeptAnswer?, under grounds: [AccessGround]
    ) async throws
    /// The institution; `nil` when there is none.
    func institution(_ id: InstitutionID) async throws -> Institution?
    /// The institution of that slug; `nil` when there is none.
    func institution(slug: Slug) async throws -> Institution?
    /// Institutions in the order they were made: all, or the open ones and those of a member.
    func institutions(
        _ scope: InstitutionScope, after cursor: InstitutionID?, limit: Int
    ) async throws -> [Institution]
    /// Changes an institution.
    func amend(
        _ id: InstitutionID, _ change: @escaping @Sendable (Institution) throws -> InstitutionChange
    ) async throws -> Institution

    /// An account's places in all institutions, with its access version, by the grants that hold at a moment.
    func places(of account: AccountID, at moment: Timestamp) async throws -> AccountPlaces
    /// An institution's members at a moment, in the order of their accounts.
    func members(
        of institution: InstitutionID, role: MemberRole?, after cursor: AccountID?, limit: Int, at moment: Timestamp
    ) async throws -> [Member]
    /// Changes what rules grant to an account, by a plan over all that was granted to it, and over which of some student
    /// numbers other members have.
    func changeGrants(
        of account: AccountID, numbering numbers: [InstitutionID: String],
        _ plan: @escaping @Sendable (GrantPlans.Rows) throws -> InstitutionPlan<Void>
    ) async throws
    /// Who has a student number in an institution, whatever its typed form: at most one, or two where numbers were given
    /// before their forms were compared (``StudentNumber/key(_:)``).
    func members(numbered number: String, in institution: InstitutionID) async throws -> [AccountID]
    /// Gives a member a student number, or takes it away, as ``MembershipPlans/numbering(_:of:heldBy:by:)`` says.
    func setStudentNumber(
        _ number: String?, of account: AccountID, in institution: InstitutionID, by act: AuditContext
    ) async throws -> Membership
    /// The grants that lapse next, the earliest first, or have lapsed.
    func lapses(limit: Int) async throws -> [(account: AccountID, until: Timestamp)]
    /// Makes, changes or ends what people give of a membership; the account must exist. Answers what stands then, with
    /// what rules grant.
    func amendMembership(
        of account: AccountID, in institution: InstitutionID,
        _ change: @escaping @Sendable (Membership?) throws -> MembershipChange
    ) async throws -> Membership?

    /// Stores an invitation. One made out to an account replaces the institution's earlier one to that account, which
    /// must exist: otherwise `notFound`.
    ///
    /// - Parameters:
    ///   - mail: the mail with its link, which ends with it; `nil` for none.
    ///   - grounds: what the permission to invite rests on.
    /// - Throws: ``MailLimitReached``.
    func insert(
        _ invitation: Invitation, token: TokenDigest, audit: AuditEntry, mailing mail: Mail?, at now: Timestamp,
        under grounds: [AccessGround]
    ) async throws
    /// The invitation of a token; `nil` when it was used or never was one.
    func invitation(_ token: TokenDigest) async throws -> Invitation?
    /// The invitations made out to an account, newest first.
    func invitations(to account: AccountID) async throws -> [Invitation]
    /// Drops an invitation made out to an account, which declines it; `notFound` when it has no such invitation.
    func decline(
        _ id: String, by account: AccountID, audit: @escaping @Sendable (Invitation) -> AuditEntry
    ) async throws
    /// An institution's open invitations, newest first.
    func invitations(of institution: InstitutionID) async throws -> [Invitation]
    /// Takes an invitation back, under a permission that rests on `grounds`.
    func removeInvitation(
        _ id: String, of institution: InstitutionID, audit: AuditEntry, under grounds: [AccessGround]
    ) async throws
    /// Makes an invitation out to an account, as ``MembershipPlans/makingOut(_:to:at:)`` says.
    func makeOutInvitation(_ token: TokenDigest, to account: AccountID, at now: Timestamp) async throws
    /// Uses up an invitation and does what `amendMembership` does; `notFound` when it is used up or has expired.
    func redeemInvitation(
        _ key: InvitationKey, at: Timestamp, for account: AccountID,
        _ change: @escaping @Sendable (Invitation, Membership?) throws -> MembershipChange
    ) async throws -> Membership?

    /// Stores a new program and the answer that tells of it, under a permission that rests on `grounds`; another answer
    /// under the key is `StoreError.taken(field: "key")`.
    func insert(
        _ program: Program, audit: AuditEntry, keeping kept: KeptAnswer?, under grounds: [AccessGround]
    ) async throws
    /// The program; `nil` when there is none.
    func program(_ id: ProgramID) async throws -> Program?
    /// An institution's programs in the order they were made.
    func programs(
        of institution: InstitutionID, publishedOnly: Bool, after cursor: ProgramID?, limit: Int
    ) async throws -> [Program]
    /// Changes a program, with a version that is published if there is one, and stores the answer that tells of it;
    /// another one under the key is `StoreError.taken(field: "key")`. `nil` for a change stores nothing but the answer.
    func amend(
        _ id: ProgramID, keeping keep: @escaping ProgramKeeper,
        _ change: @escaping @Sendable (Program) throws -> ProgramChange?
    ) async throws -> Program
    /// Takes a version away, with the move of records that waits for its day, and does what `amend` does. `change` sees
    /// the program, its versions, newest first, and whether any record is judged by the version.
    func withdraw(
        _ number: Version, of id: ProgramID, keeping keep: @escaping ProgramKeeper,
        _ change: @escaping @Sendable (Program, [ProgramVersion], Bool) throws -> ProgramChange
    ) async throws -> Program
    /// The programs in which a version newer than the one told to be in force holds by that day.
    func programsToTurn(on day: CalendarDay) async throws -> [ProgramID]
    /// A published version; `nil` when there is none of the number.
    func version(_ number: Version, of program: ProgramID) async throws -> ProgramVersion?
    /// The published versions, newest first.
    func versions(of program: ProgramID) async throws -> [ProgramVersion]
}

/// Which institutions a person sees.
public enum InstitutionScope: Sendable, Equatable {
    /// All of them.
    case all
    /// Those open to everybody.
    case open
    /// Open institutions, and those that the account belongs to at a moment.
    case visible(to: AccountID, at: Timestamp)
}

extension InstitutionStore {
    /// Changes what rules grant to an account, without student numbers.
    public func changeGrants(
        of account: AccountID, _ plan: @escaping @Sendable (GrantPlans.Rows) throws -> InstitutionPlan<Void>
    ) async throws {
        try await changeGrants(of: account, numbering: [:], plan)
    }

    /// Stores an invitation whose link is not mailed, as the server itself may.
    public func insert(_ invitation: Invitation, token: TokenDigest, audit: AuditEntry) async throws {
        try await insert(invitation, token: token, audit: audit, mailing: nil, at: audit.at, under: [])
    }

    /// Stores a new institution, as the server itself may.
    public func insert(_ institution: Institution, audit: AuditEntry, keeping kept: KeptAnswer?) async throws {
        try await insert(institution, audit: audit, keeping: kept, under: [])
    }

    /// Stores a new program, as the server itself may.
    public func insert(_ program: Program, audit: AuditEntry, keeping kept: KeptAnswer?) async throws {
        try await insert(program, audit: audit, keeping: kept, under: [])
    }
}
