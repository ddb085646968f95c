import Accounts
import GradingKit
import HTTP
import Institutions
import Records
import Storage

/// What a caller may do with one record, made before the write and checked again by the store inside it.
struct RecordPermit: Sendable {
    let head: RecordHead
    let program: Program
    let view: RecordView
    let book: RecordBook
    let accessVersion: Int
}

/// Where records are asked for, changed and looked back upon: the rooms introduced to each other.
struct RecordDesk: Sendable {
    let store: any RecordStore
    let institutions: InstitutionServices
    let books: RecordBooks
    let readings: ReadingTrail
    private let heads = AccessCache<RecordID, RecordHead>(capacity: 50_000)

    /// The desk over these parts.
    init(
        store: any RecordStore, institutions: InstitutionServices, books: RecordBooks, readings: ReadingTrail
    ) {
        self.store = store
        self.institutions = institutions
        self.books = books
        self.readings = readings
    }

    /// Who asks, with the memberships that count.
    func identity(of principal: Principal) async throws -> Identity {
        guard let account = principal.signedIn?.account else { return .guest }
        return Identity(principal: principal, memberships: try await institutions.members.memberships(of: account))
    }

    /// Lets a caller through to a record, or throws 404 or 403.
    ///
    /// - Parameter isAnew: whether the record's head is read again rather than remembered, because the record moved to
    ///   other rules since.
    func permit(
        _ action: Action, _ id: RecordID, for principal: Principal, from source: String, anew isAnew: Bool = false
    ) async throws -> RecordPermit {
        // Read first: whatever changes from here on makes the permit void rather than wrong.
        let accessVersion = store.accessVersion
        guard let head = try await head(of: id, under: accessVersion, anew: isAnew),
            let program = try await institutions.programs.find(head.program)
        else { throw Problem.notFound }
        let verdict = try await verdict(action, head, program, for: principal)
        guard case .allowed(let isStaff) = verdict else { throw Problem(verdict) }
        if isStaff, action == .read || action == .oversee, head.student != principal.signedIn?.account {
            try await readings.note(principal, reads: head, from: source)
        }
        return RecordPermit(
            head: head, program: program, view: isStaff ? .full : .released,
            book: try await books.book(of: program, version: head.programVersion), accessVersion: accessVersion)
    }

    /// A record's head, remembered as long as nobody's access changes. That it is gone or moved shows in the write.
    private func head(of id: RecordID, under accessVersion: Int, anew isAnew: Bool) async throws -> RecordHead? {
        if !isAnew, let known = heads.value(id, accessVersion: accessVersion) { return known }
        let head = try await store.head(of: id)
        if let head { heads.keep(head, for: id, accessVersion: accessVersion) }
        return head
    }

    private func verdict(
        _ action: Action, _ head: RecordHead, _ program: Program, for principal: Principal
    ) async throws -> Verdict {
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

    /// Carries out an edit; tries again with a new permit when access or rules moved under it.
    func edit(_ id: RecordID, _ edit: RecordEdit, by call: SignedInCall) async throws -> WriteOutcome {
        let expected = try call.call.expectedRevision()
        return try await self.edit(id, edit, by: call, expecting: expected, key: try call.call.idempotencyKey())
    }

    /// Carries out one of the many edits that a request asks for: its conditions are not the request's.
    ///
    /// - Parameter key: what the edit itself is known by, so that it is done once.
    func edit(
        _ id: RecordID, _ edit: RecordEdit, by call: SignedInCall, asOneOfMany key: IdempotencyKey?
    ) async throws -> WriteOutcome {
        try await self.edit(id, edit, by: call, expecting: nil, key: key)
    }

    private func edit(
        _ id: RecordID, _ edit: RecordEdit, by call: SignedInCall, expecting expected: Revision?, key: IdempotencyKey?
    ) async throws -> WriteOutcome {
        for attempt in 0..<3 {
            let permit = try await permit(
                .write, id, for: call.call.principal, from: call.call.client.source, anew: attempt > 0)
            do {
                let (book, view) = (permit.book, permit.view)
                let context = WriteContext(
                    account: call.signedIn.account, source: call.call.client.source, at: call.call.now, view: view,
                    expected: expected, idempotency: key, accessVersion: permit.accessVersion)
                return try await store.amend(id, under: book.rules, by: context) { snapshot in
                    do {
                        return try book.amendment(of: snapshot, by: edit, view: view)
                    } catch let faults as FaultList {
                        throw Problem.invalid(faults, catalog: book.rules.catalog)
                    } catch let missing as EntryNotFound {
                        throw Problem.entryNotFound(missing, book)
                    }
                }
            } catch StoreError.moved {
                continue
            }
        }
        throw StoreError.moved
    }

    /// Takes back the caller's latest change, or the one that made `version` of the caller's view.
    func undo(_ id: RecordID, version: Version?, by call: SignedInCall) async throws -> WriteOutcome {
        let (permit, _) = try await snapshot(id, for: call, .write)
        let mine = try await store.history(of: id, view: .full, before: nil, limit: 100)
            .filter { $0.account == call.signedIn.account && !["create", "move"].contains($0.change.operation) }
        let item: HistoryItem?
        if let version {
            let seen = try await store.history(of: id, view: permit.view, before: version + 1, limit: 1).first
            guard let seen, seen.version == version else { throw Problem.notFound }
            guard seen.account == call.signedIn.account else { throw Problem.forbidden }
            item = mine.first { $0.at == seen.at }
        } else {
            item = mine.first
        }
        guard let item else { throw Problem(.conflict, "nothing_to_undo") }
        return try await edit(id, Undo(of: item).edit(by: permit.book, view: permit.view), by: call)
    }

    /// Deletes a record.
    func delete(_ id: RecordID, by call: SignedInCall) async throws {
        let permit = try await permit(.delete, id, for: call.call.principal, from: call.call.client.source)
        try await store.delete(id, by: try context(of: call, under: permit))
    }

    /// Makes a record in a program, for the caller or (by staff) for a student.
    func create(
        in programID: ProgramID, for student: AccountID?, template: String?, id: RecordID, by call: SignedInCall
    ) async throws -> WriteOutcome {
        let accessVersion = store.accessVersion
        guard let program = try await institutions.programs.find(programID),
            let institution = try await institutions.tenants.find(program.institution.text)
        else { throw Self.unknownProgram }
        let verdict = authorize(
            try await identity(of: call.call.principal), .create, on: .program(program, in: institution))
        guard case .allowed(let isStaff) = verdict else {
            // Whoever may know of a program that is not published is told so.
            if verdict == .forbidden, program.newest == nil { throw Self.unpublishedProgram }
            throw verdict == .unknown ? Self.unknownProgram : Problem(verdict)
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
        let amendment = try await book.rules.perform {
            try book.creation(try Self.tree(template, book), head: head)
        }
        let permit = RecordPermit(
            head: head, program: program, view: isStaff && owner != call.signedIn.account ? .full : .released,
            book: book, accessVersion: accessVersion)
        return try await store.create(head, as: amendment, by: try context(of: call, under: permit))
    }

    private static let unpublishedProgram = FaultList([Fault("program_unpublished", at: "/program")])
    private static let unknownProgram = FaultList([Fault("program_unknown", at: "/program")])

    private func requireStudent(_ account: AccountID, of institution: Institution) async throws {
        let memberships = try await institutions.members.memberships(of: account)
        guard memberships.contains(where: { $0.institution == institution.id }) else {
            throw FaultList([Fault("account_unknown", at: "/student")])
        }
    }

    private static func tree(_ template: String?, _ book: RecordBook) throws -> RecordTree {
        guard let template else { return book.rules.emptyRecord }
        guard let tree = try book.rules.template(template, newID: book.newID) else {
            throw FaultList([Fault("template_unknown", at: "/template")])
        }
        return tree
    }

    private func context(of call: SignedInCall, under permit: RecordPermit) throws -> WriteContext {
        WriteContext(
            account: call.signedIn.account, source: call.call.client.source, at: call.call.now, view: permit.view,
            expected: try call.call.expectedRevision(), idempotency: try call.call.idempotencyKey(),
            accessVersion: permit.accessVersion)
    }
}

extension Problem {
    /// A verdict that lets nobody through.
    init(_ verdict: Verdict) { self = verdict == .forbidden ? .forbidden : .notFound }

    /// An entry that does not exist, in the scheme's own words.
    static func entryNotFound(_ missing: EntryNotFound, _ book: RecordBook) -> Problem {
        var problem = Problem(.notFound, "entry_not_found")
        problem.faults = [Fault("entry_not_found", at: "", ["entry": .string(missing.entry)])]
        problem.catalog = book.rules.catalog
        return problem
    }
}
