public import Accounts
import Classes
import GradingKit
import Institutions
public import Records
public import Shared

/// The service that reads and changes records and their histories, on top of accounts, institutions and the record
/// store.
public struct RecordService: Sendable {
    /// The store of records.
    let store: any RecordStore
    /// The institutions and programs that records belong to.
    public let institutions: InstitutionServices
    /// Records who reads the records of others.
    let readings: ReadAuditLog
    let access: InstitutionAccess
    let rulesCache: RecordRulesCache
    private let sessions: Sessions
    private let tokens: APITokens
    private let profiles: Profiles
    private let heads: AccessCache<RecordID, RecordHead>

    /// Creates a service from these parts.
    public init(
        store: any RecordStore, institutions: InstitutionServices, accounts: AccountServices,
        rulesCache: RecordRulesCache,
        readings: ReadAuditLog
    ) {
        self.store = store
        self.institutions = institutions
        access = InstitutionAccess(institutions: institutions)
        sessions = accounts.sessions
        tokens = accounts.tokens
        profiles = accounts.profiles
        self.rulesCache = rulesCache
        self.readings = readings
        heads = AccessCache(capacity: 50_000, news: store.accessNews)
    }

    /// Returns the display names of accounts. The caller must be allowed to see whose records they are.
    func names(of accounts: [AccountID?]) async throws -> [AccountID: String] {
        try await profiles.displayNames(of: accounts.compactMap(\.self))
    }

    /// Returns all names of accounts, for staff who know the people by them.
    func fullNames(of accounts: [AccountID?]) async throws -> [AccountID: AccountNames] {
        try await profiles.names(of: accounts.compactMap(\.self))
    }

    /// Returns those of some accounts that people have, and no software.
    func people(among accounts: [AccountID]) async throws -> Set<AccountID> {
        var people: Set<AccountID> = []
        for id in accounts {
            guard let account = try await profiles.account(id), account.service == nil else { continue }
            people.insert(id)
        }
        return people
    }

    /// Returns the caller with the memberships that count.
    public func identity(of principal: Principal) async throws -> Requester { try await access.requester(principal) }

    /// Returns a permit for a record.
    ///
    /// - Parameter bypassingCache: whether to read everything from the store, because the record moved to other rules
    ///   or something else changed on which the permit rests.
    /// - Throws: `not_found` or `forbidden`.
    func permit(
        _ action: Action, _ id: RecordID, for context: AccountContext, bypassingCache: Bool = false
    ) async throws -> RecordPermit {
        guard let head = try await head(of: id, bypassingCache: bypassingCache) else { throw UseCaseError.notFound }
        let (program, view, access, mayGive) = try await admit(
            context.principal, action, head, from: context.client.source, bypassingCache: bypassingCache)
        return RecordPermit(
            head: head, program: program, view: view,
            recordRules: try await rulesCache.rules(of: program, version: head.programVersion), access: access,
            mayGive: mayGive)
    }

    /// Returns the view of a record for a caller who may read it. Looks the record up in the store, because a deleted
    /// record has no readers.
    ///
    /// - Parameter source: the caller's address, for the audit trail.
    /// - Throws: `not_found` or `forbidden`.
    func view(of id: RecordID, for principal: Principal, from source: String) async throws -> RecordView {
        guard let head = try await store.head(of: id) else { throw UseCaseError.notFound }
        return try await admit(principal, .read, head, from: source, bypassingCache: false).view
    }

    /// Returns the caller as it counts for a record: with those behind a service account, who are students in their own.
    private func requester(_ principal: Principal, bypassingCache: Bool = false) async throws -> Requester {
        var requester = try await access.requester(principal, bypassingCache: bypassingCache)
        requester.makers = try await makers(behind: principal)
        return requester
    }

    /// The people who can be acting through a service account; empty if a person acts.
    func makers(behind principal: Principal) async throws -> Set<AccountID> {
        guard let acting = principal.acting, acting.home != nil else { return [] }
        return try await institutions.serviceAccounts.makers(of: acting.account)
    }

    /// Checks a caller's access to a record, and records in the audit trail that staff read another person's record.
    private func admit(
        _ principal: Principal, _ action: Action, _ head: RecordHead, from source: String, bypassingCache: Bool
    ) async throws -> (program: Program, view: RecordView, access: AccessVersions, mayGive: Bool) {
        guard let program = try await institutions.programs.find(head.program, bypassingCache: bypassingCache),
            let institution = try await institutions.tenants.find(head.institution.text, bypassingCache: bypassingCache)
        else { throw UseCaseError.notFound }
        let requester = try await requester(principal, bypassingCache: bypassingCache)
        let resource = Resource.record(student: head.student, program: program, in: institution)
        let decision = authorize(requester, action, on: resource)
        guard case .allowed(let isStaff) = decision else { throw UseCaseError(decision) }
        if isStaff, action == .read || action == .oversee, head.student != principal.account {
            try await readings.note(principal, reads: head, from: source)
        }
        let versions = AccessVersions(
            account: requester.accessVersion, institution: institution.accessVersion, program: program.accessVersion)
        let mayGive =
            action == .write && principal.has(.givenWrite)
            && authorize(requester, .give, on: resource) == .allowed(staff: true)
        return (program, isStaff ? .full : .released, versions, mayGive)
    }

    /// Returns the access versions under which a job's author may act on a program's records.
    ///
    /// - Parameters:
    ///   - scope: the scope that a service account needs to order the job.
    ///   - bypassingCache: whether to read everything from the store.
    /// - Throws: `forbidden` or `not_found` when the author may not act, or no longer may.
    func access(
        _ action: Action, of author: AccountID, under scope: Scope, to program: Program, bypassingCache: Bool
    ) async throws -> AccessVersions {
        // Read before the account, so that the version covers later changes to what is taken from the account.
        let places = try await institutions.members.places(of: author, bypassingCache: bypassingCache)
        guard let account = try await profiles.account(author), !account.isDisabled,
            account.service?.scopes.contains(scope) ?? true,
            let institution = try await institutions.tenants.find(
                program.institution.text, bypassingCache: bypassingCache)
        else { throw UseCaseError.forbidden }
        let requester = Requester(
            author: account, memberships: places.memberships, accessVersion: places.accessVersion)
        let decision = authorize(requester, action, on: .program(program, in: institution))
        guard case .allowed = decision else { throw UseCaseError(decision) }
        return AccessVersions(
            account: requester.accessVersion, institution: institution.accessVersion, program: program.accessVersion)
    }

    /// Returns a record's head, cached until something changes about its student, who may be erased. A write notices if
    /// the record was deleted or moved.
    private func head(of id: RecordID, bypassingCache: Bool) async throws -> RecordHead? {
        if !bypassingCache, let known = heads.value(id) { return known }
        // Taken before the head is read, so that a change in between invalidates the entry instead of leaving it wrong.
        let moment = heads.moment
        guard let head = try await store.head(of: id) else { return nil }
        heads.keep(
            head, for: id, restingOn: head.student.map { .account($0) } ?? .program(head.program), readAt: moment)
        return head
    }

    /// Decides whether a principal may do something with a record.
    func decision(
        _ action: Action, _ head: RecordHead, _ program: Program, for principal: Principal
    ) async throws -> AuthorizationDecision {
        guard let institution = try await institutions.tenants.find(head.institution.text) else { return .unknown }
        return authorize(
            try await requester(principal), action,
            on: .record(student: head.student, program: program, in: institution))
    }

    /// Returns the record's current state without its documents, for a caller who may read it.
    public func outline(_ id: RecordID, for context: AccountContext) async throws
        -> (permit: RecordPermit, outline: RecordOutline)
    {
        var permit = try await permit(.read, id, for: context)
        guard let outline = try await store.outline(of: id) else { throw UseCaseError.notFound }
        if outline.head != permit.head { permit = try await self.permit(.read, id, for: context, bypassingCache: true) }
        return (permit, outline)
    }

    /// Returns the record's current state, for a caller who may do `action`.
    public func snapshot(_ id: RecordID, for context: AccountContext, _ action: Action = .read) async throws
        -> (permit: RecordPermit, snapshot: RecordSnapshot)
    {
        var permit = try await permit(action, id, for: context)
        guard let snapshot = try await store.snapshot(of: id) else { throw UseCaseError.notFound }
        if snapshot.head != permit.head {
            permit = try await self.permit(action, id, for: context, bypassingCache: true)
        }
        return (permit, snapshot)
    }

    /// Returns the records that their institutions still let the student read.
    func readable(_ snapshots: [RecordSnapshot], by account: AccountID) async throws -> [RecordSnapshot] {
        if snapshots.isEmpty { return [] }
        let memberships = try await institutions.members.memberships(of: account)
        var readable: [RecordSnapshot] = []
        for snapshot in snapshots {
            let institution = try await institutions.tenants.find(snapshot.head.institution.text)
            let membership = memberships.first { $0.institution == snapshot.head.institution }
            if institution?.letsOwnersRead(membership) == true { readable.append(snapshot) }
        }
        return readable
    }

    /// Returns whether a program's scheme currently computes anything.
    func isComputing(_ program: Program) async throws -> Bool {
        guard let version = program.newest else { return false }
        let rules = try await rulesCache.rules(of: program, version: version).rules
        return try await rules.perform { (try? rules.standing(of: rules.emptyRecord)) != nil }
    }

    /// Returns the request with its principal's current state.
    ///
    /// - Throws: `unauthenticated` when the session or token has ended or, for a job, when the account may not act;
    ///   `insufficient_scope` when the request's scope was revoked; ``EnrolmentRequired`` when a second factor has
    ///   become mandatory.
    private func current(_ context: AccountContext) async throws -> AccountContext {
        guard let principal = try await current(context.principal) else { throw UseCaseError.unauthenticated }
        if let scope = context.request.scope, !principal.has(scope) { throw UseCaseError.insufficientScope(scope) }
        if let enrolment = principal.enrolment { throw EnrolmentRequired(enrolment) }
        return context.renewed(as: principal)
    }

    private func current(_ principal: Principal) async throws -> Principal? {
        switch principal {
        case .guest: nil
        case .signedIn(let known):
            try await sessions.signedIn(by: known.session, of: known.account).map { .signedIn($0) }
        case .token(let known):
            try await tokens.bearer(by: known.token, of: known.acting.account).map { .token($0) }
        case .job(let known): try await sessions.goesOn(known.account).map { .job(orderedBy: $0) }
        }
    }

    /// Makes a change, and repeats it if its permission or its rules changed meanwhile: the caller, the record's
    /// program or institution, or the version that judges it. Other changes cause no repetition.
    func trying<Value>(
        _ context: AccountContext, _ change: (_ context: AccountContext, _ bypassingCache: Bool) async throws -> Value
    ) async throws -> Value {
        for attempt in 0..<3 {
            do {
                return try await change(attempt == 0 ? context : try await current(context), attempt > 0)
            } catch StoreError.moved {
                continue
            } catch let refusal as UseCaseError where attempt == 0 && refusal.mayBeOutdated {
                continue
            }
        }
        throw StoreError.moved
    }
}

extension UseCaseError {
    /// Whether the error may come from a cached session or right that no longer holds. The second attempt reads both
    /// from the store, so that an ended session is answered with `unauthenticated`.
    fileprivate var mayBeOutdated: Bool {
        code == Self.forbidden.code || code == Self.notFound.code || faults.contains { $0.code == .aboutOneself }
    }
}
