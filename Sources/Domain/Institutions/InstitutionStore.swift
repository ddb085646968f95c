public import Cryptography
public import Shared

/// The store of institutions. Each write is one transaction with its audit row. A write that may end a permission
/// raises the access version that the permission depends on. A write that needs a permission is refused with
/// `StoreError.moved` if one of its grounds has another version by now. An object that does not exist is
/// `StoreError.notFound`. What a closure throws is thrown on, and nothing is stored.
public protocol InstitutionStore: ServiceAccountStore {
    /// The changes of access that this node knows about.
    var accessNews: AccessNews { get }
    /// The epoch of the documents' revisions.
    var epoch: Epoch { get }

    /// Stores a new institution and the answer to its request, under a permission that depends on `grounds`.
    ///
    /// - Throws: `StoreError.taken(field: "slug")` if another institution has the slug,
    ///   `StoreError.taken(field: "key")` if an answer is already stored under the key.
    func insert(
        _ institution: Institution, audit: AuditEntry, keeping kept: KeptAnswer?, under grounds: [AccessGround]
    ) async throws
    /// Returns an institution; `nil` if there is none.
    func institution(_ id: InstitutionID) async throws -> Institution?
    /// Returns the institution that has or had a slug; `nil` if there is none. No slug is ever another institution's.
    func institution(slug: Slug) async throws -> Institution?
    /// Returns up to `limit` institutions of a scope after `cursor`, in the order of their creation.
    func institutions(
        _ scope: InstitutionScope, after cursor: InstitutionID?, limit: Int
    ) async throws -> [Institution]
    /// Changes an institution and returns it.
    func amend(
        _ id: InstitutionID, _ change: @escaping @Sendable (Institution) throws -> InstitutionChange
    ) async throws -> Institution

    /// Returns an account's memberships in all institutions, from the grants that hold at a moment, and its access
    /// version.
    func places(of account: AccountID, at moment: Timestamp) async throws -> AccountPlaces
    /// Returns up to `limit` members of an institution at a moment, ordered by account.
    func members(
        of institution: InstitutionID, role: MemberRole?, after cursor: AccountID?, limit: Int, at moment: Timestamp
    ) async throws -> [Member]
    /// Changes what rules grant to an account. `plan` gets all grants of the account and whether other members have the
    /// given student numbers.
    func changeGrants(
        of account: AccountID, numbering numbers: [InstitutionID: String],
        _ plan: @escaping @Sendable (GrantPlans.Rows) throws -> InstitutionPlan<Void>
    ) async throws
    /// Who has a student number in an institution, whatever its typed form: at most one, or two where numbers were given
    /// before their forms were compared (``StudentNumber/key(_:)``).
    func members(numbered number: String, in institution: InstitutionID) async throws -> [AccountID]
    /// Returns the names of some accounts, each with its student number in an institution, without accounts that are
    /// deleted.
    func students(_ accounts: [AccountID], in institution: InstitutionID) async throws -> [AccountID: StudentNames]
    /// Gives a member a student number, or takes it away, as ``MembershipPlans/numbering(_:of:heldBy:by:)`` says.
    func setStudentNumber(
        _ number: String?, of account: AccountID, in institution: InstitutionID, by act: AuditContext
    ) async throws -> Membership
    /// Returns up to `limit` grants that have lapsed or will lapse, the earliest first.
    func lapses(limit: Int) async throws -> [(account: AccountID, until: Timestamp)]
    /// Creates, changes or ends the membership that people gave an account, which must exist. Returns the resulting
    /// membership, including the grants from rules; `nil` if there is none.
    func amendMembership(
        of account: AccountID, in institution: InstitutionID,
        _ change: @escaping @Sendable (Membership?) throws -> MembershipChange
    ) async throws -> Membership?

    /// Stores an invitation. One for an account replaces the institution's earlier one for that account.
    ///
    /// - Parameters:
    ///   - mail: The mail with its link, which is removed with the invitation; `nil` for none.
    ///   - grounds: The access versions that the permission to invite depends on.
    /// - Throws: ``MailLimitReached``; `StoreError.notFound` if the invited account does not exist.
    func insert(
        _ invitation: Invitation, token: TokenDigest, audit: AuditEntry, mailing mail: Mail?, at now: Timestamp,
        under grounds: [AccessGround]
    ) async throws
    /// Returns the invitation with a token; `nil` if it was used or never existed.
    func invitation(_ token: TokenDigest) async throws -> Invitation?
    /// Returns the invitations for an account, newest first.
    func invitations(to account: AccountID) async throws -> [Invitation]
    /// Removes an invitation that an account declines; throws `notFound` if the account has no such invitation.
    func decline(
        _ id: String, by account: AccountID, audit: @escaping @Sendable (Invitation) -> AuditEntry
    ) async throws
    /// Returns an institution's open invitations, newest first.
    func invitations(of institution: InstitutionID) async throws -> [Invitation]
    /// Removes an invitation that the institution withdraws, under a permission that depends on `grounds`.
    func removeInvitation(
        _ id: String, of institution: InstitutionID, audit: AuditEntry, under grounds: [AccessGround]
    ) async throws
    /// Assigns an invitation to an account, as ``MembershipPlans/makingOut(_:to:at:)`` plans it.
    func makeOutInvitation(_ token: TokenDigest, to account: AccountID, at now: Timestamp) async throws
    /// Uses an invitation and changes the membership as `amendMembership` does; throws `notFound` if it was used or has
    /// expired.
    func redeemInvitation(
        _ key: InvitationKey, at: Timestamp, for account: AccountID,
        _ change: @escaping @Sendable (Invitation, Membership?) throws -> MembershipChange
    ) async throws -> Membership?

    /// Returns an institution's years, terms and periods, in the order of their identifiers.
    func terms(of institution: InstitutionID) async throws -> [Term]
    /// Changes them. `plan` gets all of them, and those to which classes belong.
    func changeTerms<Value: Sendable>(
        of institution: InstitutionID,
        _ plan: @escaping @Sendable ([Term], Set<TermID>) throws -> InstitutionPlan<Value>
    ) async throws -> Value

    /// Stores a new program and the answer to its request, under a permission that depends on `grounds`.
    ///
    /// - Throws: `StoreError.taken(field: "key")` if an answer is already stored under the key.
    func insert(
        _ program: Program, audit: AuditEntry, keeping kept: KeptAnswer?, under grounds: [AccessGround]
    ) async throws
    /// Returns a program; `nil` if there is none.
    func program(_ id: ProgramID) async throws -> Program?
    /// Returns up to `limit` programs of an institution after `cursor`, in the order of their creation.
    func programs(
        of institution: InstitutionID, publishedOnly: Bool, after cursor: ProgramID?, limit: Int
    ) async throws -> [Program]
    /// Changes a program, stores the version that the change publishes, if any, and the answer to the request. If
    /// `change` returns `nil`, stores only the answer.
    ///
    /// - Throws: `StoreError.taken(field: "key")` if an answer is already stored under the key.
    func amend(
        _ id: ProgramID, keeping keep: @escaping ProgramKeeper,
        _ change: @escaping @Sendable (Program) throws -> ProgramChange?
    ) async throws -> Program
    /// Removes a version together with its pending move of records, and otherwise works like `amend`. `change` gets the
    /// program, its versions, newest first, and whether the version judges any record.
    func withdraw(
        _ number: Version, of id: ProgramID, keeping keep: @escaping ProgramKeeper,
        _ change: @escaping @Sendable (Program, [ProgramVersion], Bool) throws -> ProgramChange
    ) async throws -> Program
    /// Returns the programs in which, on that day, a version newer than the announced one is in force.
    func programsToTurn(on day: CalendarDay) async throws -> [ProgramID]
    /// Returns a published version; `nil` if there is none with the number.
    func version(_ number: Version, of program: ProgramID) async throws -> ProgramVersion?
    /// Returns the published versions of a program, newest first.
    func versions(of program: ProgramID) async throws -> [ProgramVersion]
}

/// The institutions that a person sees.
public enum InstitutionScope: Sendable, Equatable {
    /// All institutions.
    case all
    /// The institutions that are open to everyone.
    case open
    /// The open institutions, and those that an account belongs to at a moment.
    case visible(to: AccountID, at: Timestamp)
}

extension InstitutionStore {
    /// Changes what rules grant to an account, without student numbers.
    public func changeGrants(
        of account: AccountID, _ plan: @escaping @Sendable (GrantPlans.Rows) throws -> InstitutionPlan<Void>
    ) async throws {
        try await changeGrants(of: account, numbering: [:], plan)
    }

    /// Stores an invitation without a mail and without a permission, as only the server itself may.
    public func insert(_ invitation: Invitation, token: TokenDigest, audit: AuditEntry) async throws {
        try await insert(invitation, token: token, audit: audit, mailing: nil, at: audit.at, under: [])
    }

    /// Stores a new institution without a permission, as only the server itself may.
    public func insert(_ institution: Institution, audit: AuditEntry, keeping kept: KeptAnswer?) async throws {
        try await insert(institution, audit: audit, keeping: kept, under: [])
    }

    /// Stores a new program without a permission, as only the server itself may.
    public func insert(_ program: Program, audit: AuditEntry, keeping kept: KeptAnswer?) async throws {
        try await insert(program, audit: audit, keeping: kept, under: [])
    }
}
