import Accounts
import GradingKit
import Institutions
public import Records
public import Shared

extension RecordService {
    /// Carries out an edit under the request's conditions.
    public func edit(_ id: RecordID, _ edit: RecordEdit, by context: AccountContext) async throws -> WriteOutcome {
        try await trying(context) { context, bypassingCache in
            try await self.edit(id, edit, by: context, bypassingCache: bypassingCache)
        }
    }

    private func edit(
        _ id: RecordID, _ edit: RecordEdit, by context: AccountContext, bypassingCache: Bool
    ) async throws -> WriteOutcome {
        let permit = try await permit(.write, id, for: context, bypassingCache: bypassingCache)
        let (recordRules, view) = (permit.recordRules, permit.view)
        let (author, giving) = (permit.author(context.account), permit.giving(context))
        if edit.gives {
            guard context.principal.has(.givenWrite) else { throw UseCaseError.insufficientScope(.givenWrite) }
            guard giving != nil else { throw UseCaseError.forbidden }
        }
        let outcome = try await store.amend(
            id, under: recordRules.rules, by: write(context, view, permit.access)
        ) { snapshot in
            try recordRules.wordingRefusals {
                try recordRules.amendment(
                    of: snapshot, by: edit, view: view, author: author, giving: giving)
            }
        }
        return try await repeated(outcome, to: edit.answer, of: id, by: context)
    }

    /// Returns the outcome of a write; for a repeated one with the answer made again from the record as it stands.
    private func repeated(
        _ outcome: WriteOutcome, to form: RecordEdit.Answer, of id: RecordID, by context: AccountContext
    ) async throws -> WriteOutcome {
        guard outcome.needsRecord else { return outcome }
        let (permit, snapshot) = try await snapshot(id, for: context)
        return try permit.recordRules.repeated(outcome, to: form, from: snapshot, view: permit.view)
    }

    /// Undoes the caller's latest change that is not undone yet, or the caller's change that made `version` of the
    /// view.
    ///
    /// - Throws: `nothing_to_undo`; `Undo.Superseded` if the same thing was changed again later.
    public func undo(_ id: RecordID, version: Version?, by context: AccountContext) async throws -> WriteOutcome {
        let (permit, _) = try await snapshot(id, for: context, .write)
        let item: HistoryItem?
        if let version {
            let seen = try await store.history(of: id, view: permit.view, before: version + 1, limit: 1).first
            guard let seen, seen.version == version else { throw UseCaseError.notFound }
            guard seen.account == context.account else { throw UseCaseError.forbidden }
            item = try await change(of: id, by: context.account) { mine in mine.first { $0.at == seen.at } }
        } else {
            var search = Undo.Search()
            item = try await change(of: id, by: context.account) { search.find(in: $0) }
        }
        guard let item else {
            // A repeated request gets its first answer, even though its own change is undone by now.
            guard context.idempotencyKey != nil else { throw UseCaseError.nothingToUndo }
            return try await edit(id, Undo.nothing, by: context)
        }
        return try await edit(id, Undo(of: item).edit(by: permit.recordRules, view: permit.view), by: context)
    }

    /// Searches an account's own changes page by page. Considers the changes that can be undone among the record's last
    /// hundred.
    private func change(
        of id: RecordID, by account: AccountID, where find: ([HistoryItem]) -> HistoryItem?
    ) async throws -> HistoryItem? {
        var (left, before): (Int, Version?) = (100, nil)
        while left > 0 {
            let page = try await store.history(of: id, view: .full, before: before, limit: left)
            guard let last = page.last else { return nil }
            let mine = page.filter { $0.account == account && $0.change.operation != "create" }
                .filter { !ChangeDescription.passedOver.contains($0.change.operation) }
            if let found = find(mine) { return found }
            (left, before) = (left - page.count, last.version)
        }
        return nil
    }

    /// Deletes a record.
    public func delete(_ id: RecordID, by context: AccountContext) async throws {
        try await trying(context) { context, bypassingCache in
            let permit = try await permit(.delete, id, for: context, bypassingCache: bypassingCache)
            do {
                try await store.delete(id, by: write(context, permit.view, permit.access))
            } catch let faults as FaultList {
                throw UseCaseError.invalid(faults, catalog: permit.recordRules.rules.catalog)
            }
        }
    }

    /// Creates a record in a program, for the caller or, by staff, for a student.
    public func create(
        in program: ProgramID, for student: AccountID?, template: String?, id: RecordID, by context: AccountContext
    ) async throws -> WriteOutcome {
        try await trying(context) { context, bypassingCache in
            try await createOnce(
                in: program, for: student, template: template, id: id, by: context, bypassingCache: bypassingCache)
        }
    }

    private func createOnce(
        in programID: ProgramID, for student: AccountID?, template: String?, id: RecordID, by context: AccountContext,
        bypassingCache: Bool
    ) async throws -> WriteOutcome {
        guard let program = try await institutions.programs.find(programID, bypassingCache: bypassingCache),
            let institution = try await institutions.tenants.find(
                program.institution.text, bypassingCache: bypassingCache)
        else { throw Self.unknownProgram }
        let requester = try await access.requester(context.principal, bypassingCache: bypassingCache)
        let decision = authorize(requester, .create, on: .program(program, in: institution))
        guard case .allowed(let isStaff) = decision else {
            // A caller who may know of an unpublished program gets the reason why it takes no records.
            if decision == .forbidden, program.newest == nil { throw Self.unpublishedProgram }
            if decision == .unknown { throw Self.unknownProgram }
            throw UseCaseError(decision)
        }
        let (account, owner) = (context.account, student ?? context.account)
        let isOwn = owner == account
        if !isOwn, !isStaff { throw UseCaseError.forbidden }
        var versions = AccessVersions(
            account: requester.accessVersion, institution: institution.accessVersion, program: program.accessVersion)
        if !isOwn {
            versions.student = try await requireStudent(owner, of: institution, bypassingCache: bypassingCache)
        }
        let today = institution.today(at: context.now)
        guard let version = try await institutions.programs.version(of: program, on: today) else {
            throw Self.unpublishedProgram
        }
        let recordRules = try await rulesCache.rules(of: program, version: version.number)
        let head = RecordHead(
            id: id, institution: program.institution, program: programID, programVersion: version.number,
            student: owner, createdAt: context.now)
        let amendment = try await recordRules.rules.perform {
            try recordRules.creation(try Self.tree(template, recordRules), head: head, author: isOwn ? nil : account)
        }
        let outcome = try await store.create(
            head, as: amendment, by: write(context, isStaff && !isOwn ? .full : .released, versions))
        guard outcome.needsRecord else { return outcome }
        // A key that belongs to an edit has another digest; what names no record here was kept for another request.
        guard let created = outcome.createdRecord else { throw StoreError.idempotencyMismatch }
        return try await repeated(outcome, to: .whole, of: created, by: context)
    }

    private static let unpublishedProgram = FaultList([Fault("program_unpublished", at: "/program")])
    private static let unknownProgram = FaultList([Fault("program_unknown", at: "/program")])

    /// Checks that the institution has a student, and returns the access version of the student's account.
    private func requireStudent(
        _ account: AccountID, of institution: Institution, bypassingCache: Bool
    ) async throws -> Int {
        let places = try await institutions.members.places(of: account, bypassingCache: bypassingCache)
        try places.memberships.requireStudent(of: institution.id, at: "/student")
        return places.accessVersion
    }

    private static func tree(_ template: String?, _ recordRules: RecordRules) throws -> RecordTree {
        guard let template else { return recordRules.rules.emptyRecord }
        guard let tree = try recordRules.rules.template(template, newID: recordRules.newID) else {
            throw FaultList([Fault("template_unknown", at: "/template")])
        }
        return tree
    }

    private func write(
        _ context: AccountContext, _ view: RecordView, _ access: AccessVersions
    ) -> WriteContext {
        WriteContext(
            account: context.account, source: context.client.source, at: context.now, view: view,
            expected: context.expectedVersion, idempotency: context.idempotencyKey,
            access: access)
    }
}

extension RecordRules {
    /// Runs `body`, and throws the scheme's refusals in the scheme's own words.
    func wordingRefusals<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let faults as FaultList {
            throw UseCaseError.invalid(faults, catalog: rules.catalog)
        } catch let missing as EntryNotFound {
            throw UseCaseError.entryNotFound(missing, rules.catalog)
        }
    }
}
