import Accounts
import GradingKit
import HTTP
import Institutions
import Records
import Shared

/// What a caller may do with one record. Before a write it rests on what is true as of the call's access version, which
/// the store checks inside the write.
struct RecordPermit: Sendable {
    let head: RecordHead
    let program: Program
    let view: RecordView
    let book: RecordRules

    /// Who is noted as the author of what a caller enters: staff in the records of others.
    func author(_ caller: AccountID) -> AccountID? { view == .full && head.student != caller ? caller : nil }
}

/// Reads, changes and looks back on records: joins accounts, institutions and records.
struct RecordService: Sendable {
    let store: any RecordStore
    let institutions: InstitutionServices
    let sessions: Sessions
    let profiles: Profiles
    let books: RecordRulesCache
    let readings: ReadAuditLog
    private let heads = AccessCache<RecordID, RecordHead>(capacity: 50_000)

    /// A service over these parts.
    init(
        store: any RecordStore, institutions: InstitutionServices, accounts: AccountServices, books: RecordRulesCache,
        readings: ReadAuditLog
    ) {
        self.store = store
        self.institutions = institutions
        sessions = accounts.sessions
        profiles = accounts.profiles
        self.books = books
        self.readings = readings
    }

    /// The displayed names of accounts, for a caller who may see whose they are.
    func names(of accounts: [AccountID?]) async throws -> [AccountID: String] {
        try await profiles.displayNames(of: accounts.compactMap(\.self))
    }

    /// Who asks, with the memberships that count.
    func identity(of principal: Principal) async throws -> Requester {
        guard let account = principal.signedIn?.account else { return .guest }
        return Requester(principal: principal, memberships: try await institutions.members.memberships(of: account))
    }

    /// Lets a caller through to a record, or throws 404 or 403.
    ///
    /// - Parameter isAnew: whether the record's head is read again rather than remembered, because the record moved to
    ///   other rules since.
    func permit(
        _ action: Action, _ id: RecordID, for principal: Principal, from source: String, anew isAnew: Bool = false
    ) async throws -> RecordPermit {
        guard let head = try await head(of: id, anew: isAnew),
            let program = try await institutions.programs.find(head.program)
        else { throw Problem.notFound }
        let decision = try await decision(action, head, program, for: principal)
        guard case .allowed(let isStaff) = decision else { throw Problem(decision) }
        if isStaff, action == .read || action == .oversee, head.student != principal.signedIn?.account {
            try await readings.note(principal, reads: head, from: source)
        }
        return RecordPermit(
            head: head, program: program, view: isStaff ? .full : .released,
            book: try await books.book(of: program, version: head.programVersion))
    }

    /// A record's head, remembered as long as nobody's access changes. That it is gone or moved shows in the write.
    private func head(of id: RecordID, anew isAnew: Bool) async throws -> RecordHead? {
        // Read before the head: a change in between makes the entry worthless rather than wrong.
        let accessVersion = store.accessVersion
        if !isAnew, let known = heads.value(id, accessVersion: accessVersion) { return known }
        let head = try await store.head(of: id)
        if let head { heads.keep(head, for: id, accessVersion: accessVersion) }
        return head
    }

    /// Whether somebody may do something with a record.
    func decision(
        _ action: Action, _ head: RecordHead, _ program: Program, for principal: Principal
    ) async throws -> AuthorizationDecision {
        guard let institution = try await institutions.tenants.find(head.institution.text) else { return .unknown }
        return authorize(
            try await identity(of: principal), action,
            on: .record(student: head.student, program: program, in: institution))
    }

    /// The record as it stands, for one who may read it.
    func snapshot(_ id: RecordID, for call: SignedInCall, _ action: Action = .read) async throws
        -> (permit: RecordPermit, snapshot: RecordSnapshot)
    {
        var permit = try await permit(action, id, for: call.call.principal, from: call.call.client.source)
        guard let snapshot = try await store.snapshot(of: id) else { throw Problem.notFound }
        if snapshot.head != permit.head {
            permit = try await self.permit(
                action, id, for: call.call.principal, from: call.call.client.source, anew: true)
        }
        return (permit, snapshot)
    }

    /// A student's own records, as far as their institutions still let the student read them, oldest first.
    func ownRecords(
        of account: AccountID, program: ProgramID? = nil, after cursor: RecordID? = nil, limit: Int
    ) async throws -> [RecordSnapshot] {
        let memberships = try await institutions.members.memberships(of: account)
        var (found, cursor): ([RecordSnapshot], RecordID?) = ([], cursor)
        var page: [RecordSnapshot]
        repeat {
            page = try await store.records(student: account, program: program, after: cursor, limit: limit)
            for snapshot in page {
                let place = try await institutions.tenants.find(snapshot.head.institution.text)
                let membership = memberships.first { $0.institution == snapshot.head.institution }
                if place?.letsOwnersRead(membership) == true { found.append(snapshot) }
            }
            cursor = page.last?.head.id
        } while page.count == limit && found.count < limit
        return Array(found.prefix(limit))
    }

    /// Carries out an edit.
    func edit(_ id: RecordID, _ edit: RecordEdit, by call: SignedInCall) async throws -> WriteOutcome {
        let conditions = try Conditions(call.call)
        return try await trying(call) { call, isAnew in
            try await self.edit(id, edit, by: call, under: conditions, anew: isAnew)
        }
    }

    /// Carries out one of the many edits that a request asks for: its conditions are not the request's, and its sender
    /// may have signed out by now.
    ///
    /// - Parameter key: what the edit itself is known by, so that it is done once.
    func edit(
        _ id: RecordID, _ edit: RecordEdit, by call: SignedInCall, asOneOfMany key: IdempotencyKey?
    ) async throws -> WriteOutcome {
        try await trying(call, mayHaveLeft: true) { call, isAnew in
            try await self.edit(id, edit, by: call, under: Conditions(expected: nil, key: key), anew: isAnew)
        }
    }

    private func edit(
        _ id: RecordID, _ edit: RecordEdit, by call: SignedInCall, under conditions: Conditions, anew isAnew: Bool
    ) async throws -> WriteOutcome {
        let permit = try await permit(
            .write, id, for: call.call.principal, from: call.call.client.source, anew: isAnew)
        let (book, view) = (permit.book, permit.view)
        let author = permit.author(call.signedIn.account)
        let context = context(of: call, view, under: conditions)
        return try await store.amend(id, under: book.rules, by: context) { snapshot in
            do {
                return try book.amendment(of: snapshot, by: edit, view: view, author: author)
            } catch let faults as FaultList {
                throw Problem.invalid(faults, catalog: book.rules.catalog)
            } catch let missing as EntryNotFound {
                throw Problem.entryNotFound(missing, book)
            }
        }
    }

    /// Takes back the caller's latest change that was not taken back yet, or the one that made `version` of the caller's
    /// view.
    func undo(_ id: RecordID, version: Version?, by call: SignedInCall) async throws -> WriteOutcome {
        let (permit, _) = try await snapshot(id, for: call, .write)
        let mine = try await store.history(of: id, view: .full, before: nil, limit: 100)
            .filter { $0.account == call.signedIn.account && $0.change.operation != "create" }
            .filter { !ChangeDescription.judgements.contains($0.change.operation) }
        let item: HistoryItem?
        if let version {
            let seen = try await store.history(of: id, view: permit.view, before: version + 1, limit: 1).first
            guard let seen, seen.version == version else { throw Problem.notFound }
            guard seen.account == call.signedIn.account else { throw Problem.forbidden }
            item = mine.first { $0.at == seen.at }
        } else {
            item = Undo.next(in: mine)
        }
        guard let item else { throw Problem(.conflict, "nothing_to_undo") }
        return try await edit(id, Undo(of: item).edit(by: permit.book, view: permit.view), by: call)
    }

    /// Deletes a record.
    func delete(_ id: RecordID, by call: SignedInCall) async throws {
        let conditions = try Conditions(call.call)
        try await trying(call) { call, isAnew in
            let permit = try await permit(
                .delete, id, for: call.call.principal, from: call.call.client.source, anew: isAnew)
            try await store.delete(id, by: context(of: call, permit.view, under: conditions))
        }
    }

    /// Makes a record in a program, for the caller or (by staff) for a student.
    func create(
        in programID: ProgramID, for student: AccountID?, template: String?, id: RecordID, by call: SignedInCall
    ) async throws -> WriteOutcome {
        let conditions = try Conditions(call.call)
        return try await trying(call) { call, _ in
            try await create(in: programID, for: student, template: template, id: id, by: call, under: conditions)
        }
    }

    private func create(
        in programID: ProgramID, for student: AccountID?, template: String?, id: RecordID, by call: SignedInCall,
        under conditions: Conditions
    ) async throws -> WriteOutcome {
        guard let program = try await institutions.programs.find(programID),
            let institution = try await institutions.tenants.find(program.institution.text)
        else { throw Self.unknownProgram }
        let decision = authorize(
            try await identity(of: call.call.principal), .create, on: .program(program, in: institution))
        guard case .allowed(let isStaff) = decision else {
            // Whoever may know of a program that is not published is told so.
            if decision == .forbidden, program.newest == nil { throw Self.unpublishedProgram }
            throw decision == .unknown ? Self.unknownProgram : Problem(decision)
        }
        let owner = student ?? call.signedIn.account
        if owner != call.signedIn.account, !isStaff { throw Problem.forbidden }
        if owner != call.signedIn.account { try await requireStudent(owner, of: institution) }
        guard let version = try await institutions.programs.version(of: programID, on: call.call.now.day) else {
            throw Self.unpublishedProgram
        }
        let book = try await books.book(of: program, version: version.number)
        let head = RecordHead(
            id: id, institution: program.institution, program: programID, programVersion: version.number,
            student: owner, createdAt: call.call.now)
        let (account, isOwn) = (call.signedIn.account, owner == call.signedIn.account)
        let amendment = try await book.rules.perform {
            try book.creation(
                try Self.tree(template, book), head: head, author: isOwn ? nil : account)
        }
        let view: RecordView = isStaff && owner != call.signedIn.account ? .full : .released
        return try await store.create(head, as: amendment, by: context(of: call, view, under: conditions))
    }

    private static let unpublishedProgram = FaultList([Fault("program_unpublished", at: "/program")])
    private static let unknownProgram = FaultList([Fault("program_unknown", at: "/program")])

    private func requireStudent(_ account: AccountID, of institution: Institution) async throws {
        let memberships = try await institutions.members.memberships(of: account)
        guard memberships.contains(where: { $0.institution == institution.id }) else {
            throw FaultList([Fault("account_unknown", at: "/student")])
        }
    }

    private static func tree(_ template: String?, _ book: RecordRules) throws -> RecordTree {
        guard let template else { return book.rules.emptyRecord }
        guard let tree = try book.rules.template(template, newID: book.newID) else {
            throw FaultList([Fault("template_unknown", at: "/template")])
        }
        return tree
    }

}

// MARK: - Trying again

extension RecordService {
    /// What a request says of the change that it asks for.
    private struct Conditions {
        let expected: Revision?
        let key: IdempotencyKey?

        init(expected: Revision?, key: IdempotencyKey?) {
            self.expected = expected
            self.key = key
        }

        init(_ call: Call) throws {
            self.init(expected: try call.read(Header.ifMatch), key: try call.idempotencyKey())
        }
    }

    private func context(of call: SignedInCall, _ view: RecordView, under conditions: Conditions) -> WriteContext {
        WriteContext(
            account: call.signedIn.account, source: call.call.client.source, at: call.call.now, view: view,
            expected: conditions.expected, idempotency: conditions.key, accessVersion: call.call.accessVersion)
    }

    /// Makes a change, anew when something changed under it on which the permission or the rules rest: who asks, the
    /// record's program or institution, by which version it is judged. What changes elsewhere is no reason.
    private func trying<Value>(
        _ call: SignedInCall, mayHaveLeft: Bool = false,
        _ change: (_ call: SignedInCall, _ isAnew: Bool) async throws -> Value
    ) async throws -> Value {
        for attempt in 0..<3 {
            do {
                return try await change(try await current(call, mayHaveLeft: mayHaveLeft), attempt > 0)
            } catch StoreError.moved {
                continue
            }
        }
        throw StoreError.moved
    }

    /// The call as of now: what is looked up from here on, and changes before the write, makes the write void rather
    /// than wrong. Throws 401 when the session has ended, or the account of one who may have left.
    private func current(_ call: SignedInCall, mayHaveLeft: Bool) async throws -> SignedInCall {
        let accessVersion = store.accessVersion
        if accessVersion == call.call.accessVersion { return call }
        let (account, session) = (call.signedIn.account, call.signedIn.session)
        if mayHaveLeft, try await sessions.mayGoOn(account) {
            return call.renewed(as: call.signedIn, asOf: accessVersion)
        }
        guard let signedIn = try await sessions.signedIn(by: session, of: account) else {
            throw Problem.unauthenticated
        }
        return call.renewed(as: signedIn, asOf: accessVersion)
    }
}

extension Problem {
    /// A verdict that lets nobody through.
    init(_ decision: AuthorizationDecision) { self = decision == .forbidden ? .forbidden : .notFound }

    /// An entry that does not exist, in the scheme's own words.
    static func entryNotFound(_ missing: EntryNotFound, _ book: RecordRules) -> Problem {
        var problem = Problem(.notFound, "entry_not_found")
        problem.faults = [Fault("entry_not_found", at: "", ["entry": .string(missing.entry)])]
        problem.catalog = book.rules.catalog
        return problem
    }
}
