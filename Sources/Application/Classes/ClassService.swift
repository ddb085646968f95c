import Accounts
public import Classes
import Cryptography
public import Gradebook
public import GradingKit
import Institutions
import Records
public import Shared
import TimeZones

/// Classes: who may do what in them, and their acts.
public struct ClassService: Sendable {
    /// Looks for a record in which entries of a kind cannot stand for rows, and returns the reason; `nil` if it found
    /// none.
    public typealias MountingCheck = @Sendable (Rulebook, Kind) -> MountingObstacle?

    let store: any GradebookStore
    let records: RecordService
    /// The books of stored structures.
    let bookCache: ClassBookCache
    let identifiers: UUIDSource
    let roots: ClassRoots
    let calculations: Calculations
    let grids: ClassGrids

    /// Creates the service over a store; another service keeps its records.
    init(
        store: any GradebookStore, records: RecordService, identifiers: UUIDSource, mounting: @escaping MountingCheck,
        lowPriority: any LowPriorityExecutor, calculations: Calculations, bookCache: ClassBookCache
    ) {
        self.store = store
        self.records = records
        self.identifiers = identifiers
        self.calculations = calculations
        self.bookCache = bookCache
        roots = ClassRoots(mounting: mounting, lowPriority: lowPriority)
        grids = ClassGrids(store: store, records: records, bookCache: bookCache)
    }

    /// Returns what `answer` does, for a caller who may do `action` to a class: an answer that is kept under a client's
    /// key needs the permission as much as the first one.
    ///
    /// - Throws: `not_found` or `forbidden`.
    public func answering<Reply>(
        _ action: Action, _ id: ClassID, for context: AccountContext, _ answer: () async throws -> Reply
    ) async throws -> Reply {
        _ = try await permit(action, id, for: context)
        return try await answer()
    }

    /// Checks a caller's permission for a class; throws `not_found` or `forbidden`.
    ///
    /// - Parameter action: `read` (every row), `grade` (cells), or `write` (structure, posting, roster).
    func permit(
        _ action: Action, _ id: ClassID, for context: AccountContext, bypassingCache: Bool = false
    ) async throws -> ClassPermit {
        try await permit(
            action, id, action == .read ? .everyRow : .outline, for: context, bypassingCache: bypassingCache)
    }

    /// The same for a caller who reads something of the class; `not_found` for a row that a grader may not read.
    func permit(
        _ action: Action, _ id: ClassID, _ sight: ClassSight, for context: AccountContext, bypassingCache: Bool = false
    ) async throws -> ClassPermit {
        guard let snapshot = try await store.taughtClass(id) else { throw UseCaseError.notFound }
        return try await permit(action, snapshot, sight, for: context, bypassingCache: bypassingCache)
    }

    /// The same for a class that has just been read.
    func permit(
        _ action: Action, _ snapshot: ClassSnapshot, _ sight: ClassSight, for context: AccountContext,
        bypassingCache: Bool = false
    ) async throws -> ClassPermit {
        guard
            let program = try await records.institutions.programs.find(
                snapshot.head.program, bypassingCache: bypassingCache),
            let institution = try await records.institutions.tenants.find(
                program.institution.text, bypassingCache: bypassingCache)
        else { throw UseCaseError.notFound }
        let requester = try await records.access.requester(context.principal, bypassingCache: bypassingCache)
        let role = snapshot.role(of: context.account)
        let decision = authorize(requester, action, on: .taughtClass(role: role, in: institution))
        guard case .allowed = decision else { throw UseCaseError(decision) }
        // A role in a class allows no more than the program does: a teacher who was removed from the program reads and
        // enters nothing.
        let needed: Action = action == .read ? .oversee : .grade
        let within = authorize(requester, needed, on: .program(program, in: institution))
        guard case .allowed = within else { throw action == .read ? .notFound : UseCaseError(within) }
        let isRegistrar = requester.membership(in: institution.id)?.role == .registrar
        guard sight.isKnown(in: snapshot) else { throw UseCaseError.notFound }
        if !isRegistrar, let groups = snapshot.member(context.account)?.groups, !sight.isWithin(groups) {
            if case .row = sight { throw UseCaseError.notFound }
            throw UseCaseError.forbidden
        }
        return ClassPermit(
            snapshot: snapshot, role: role, program: program, isRegistrar: isRegistrar,
            current: try await records.institutions.programs.currentVersion(
                of: program, on: institution.today(at: context.now)),
            context: act(context, requester, institution, program))
    }

    func act(
        _ context: AccountContext, _ requester: Requester, _ institution: Institution, _ program: Program
    ) -> ActContext {
        ActContext(
            account: context.account, source: context.client.source, at: context.now,
            access: AccessVersions(
                account: requester.accessVersion, institution: institution.accessVersion,
                program: program.accessVersion))
    }

    /// The rules that judge the records within an act's reach, and the rules in force.
    func gradebook(
        of permit: ClassPermit, for ground: ActGround, makers: Set<AccountID> = [], _ judgements: JudgementCache
    ) async throws -> Gradebook {
        var versions = Set(ground.records.values.map(\.head.programVersion))
        if let current = permit.current { versions.insert(current) }
        var (rules, unusable) = ([RecordRules](), Set<Version>())
        for version in versions.sorted() {
            do {
                rules.append(try await records.rulesCache.rules(of: permit.program, version: version))
            } catch StoreError.notFound {
                unusable.insert(version)
            } catch let refusal as UseCaseError where refusal.code == UseCaseError.notComputable("").code {
                // A version that cannot judge does not stop the others from judging.
                if versions.count == 1 { throw refusal }
                unusable.insert(version)
            }
        }
        return Gradebook(
            rules: rules, unusable: unusable, bookCache: bookCache, makers: makers, judgements: judgements)
    }

    /// Carries out an act, and repeats it if its basis has changed meanwhile. Rows are judged away from the store's
    /// threads, and those of large acts away from the loops.
    ///
    /// - Parameter check: throws if the basis of the act shows that the caller may not carry it out.
    func act<Value: Sendable>(
        _ action: Action, in id: ClassID, _ reach: ActReach, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<Value>) -> KeptAnswer? = { _ in nil },
        checking check: @escaping @Sendable (ActGround) async throws -> Void = { _ in },
        _ decide: @escaping @Sendable (ClassPermit, Gradebook, ActGround) throws -> ActDecision<Value>
    ) async throws -> ActOutcome<Value> {
        let (judgements, makers) = (JudgementCache(), try await records.makers(behind: context.principal))
        return try await records.trying(context) { context, bypassingCache in
            let (permit, ground) = try await self.ground(
                for: action, in: id, reach, by: context, bypassingCache: bypassingCache)
            try await check(ground)
            let gradebook = try await gradebook(of: permit, for: ground, makers: makers, judgements)
            let cost = CalculationCost(judging: ground.rows.count, of: ground.snapshot.structure.lines.count)
            do {
                let decision = try await calculations.perform(
                    cost, for: context.request.asker, in: .acts, until: context.request.deadline
                ) { try decide(permit, gradebook, ground) }
                return try await store.act(on: ground, by: permit.context, decision, keeping: keep) { ground in
                    try decide(permit, gradebook, ground)
                }
            } catch StoreError.notFound {
                throw UseCaseError.notFound
            } catch let faults as FaultList {
                let named = FaultList(try await naming(faults.faults, in: ground.snapshot))
                throw Self.refusal(named, gradebook.catalog)
            } catch let missing as EntryNotFound {
                throw UseCaseError.entryNotFound(missing, gradebook.catalog)
            }
        }
    }

    /// Reads the basis of an act for a caller who may carry it out. One row is read together with the class; more rows
    /// are read only after the check that the caller may change them.
    private func ground(
        for action: Action, in id: ClassID, _ reach: ActReach, by context: AccountContext, bypassingCache: Bool
    ) async throws -> (ClassPermit, ActGround) {
        if reach.isOneRow {
            guard let ground = try await store.ground(of: id, reach) else { throw UseCaseError.notFound }
            let permit = try await permit(
                action, ground.snapshot, .outline, for: context, bypassingCache: bypassingCache)
            return (permit, ground)
        }
        let permit = try await permit(action, id, for: context, bypassingCache: bypassingCache)
        guard let ground = try await store.ground(of: id, reach) else { throw UseCaseError.notFound }
        // If the role was taken away in between, nothing is written.
        guard ground.snapshot.role(of: context.account) == permit.role else { throw StoreError.moved }
        return (permit, ground)
    }

    /// The most conflicts of an act for which the author of the other value is looked up.
    private static let greatestNaming = 50

    /// Returns the faults, with the author and time of the present content in conflicts; without an account if the
    /// server entered it automatically.
    private func naming(_ faults: [Fault], in snapshot: ClassSnapshot) async throws -> [Fault] {
        var places: [(index: Int, place: CellPlace)] = []
        for (index, fault) in faults.enumerated() where fault.code == .cellConflict {
            guard let row = fault.arguments["row"]?.string, let id = fault.arguments["line"]?.string,
                let line = snapshot.structure.line(LineID(id)), places.count < Self.greatestNaming
            else { continue }
            places.append((index, CellPlace(EnrolmentID(row), line.number)))
        }
        guard !places.isEmpty else { return faults }
        var named = faults
        let authors = try await store.authors(of: places.map(\.place), in: snapshot.head.id)
        for (found, author) in zip(places, authors) {
            guard let author else { continue }
            let fault = faults[found.index]
            var arguments = fault.arguments
            if let account = author.account { arguments["account"] = .string(account.text) }
            arguments["at"] = .number(String(author.at.microseconds))
            named[found.index] = Fault(fault.code, at: fault.path, arguments)
        }
        return named
    }

    /// The same for an act that was carried out in part.
    func naming(_ outcome: ActOutcome<CellsAnswer>, of id: ClassID) async throws -> ActOutcome<CellsAnswer> {
        guard outcome.value.faults.contains(where: { $0.code == .cellConflict }),
            let snapshot = try await store.taughtClass(id)
        else { return outcome }
        let faults = try await naming(outcome.value.faults, in: snapshot)
        return ActOutcome(
            version: outcome.version, structure: outcome.structure,
            value: CellsAnswer(accepted: outcome.value.accepted, faults: faults), isNew: outcome.isNew)
    }

    /// A change meanwhile is a conflict; everything else is invalid.
    static func refusal(_ faults: FaultList, _ catalog: MessageCatalog) -> UseCaseError {
        var refusal = UseCaseError.invalid(faults, catalog: catalog)
        let conflicts: [FaultCode] = [.cellConflict, .lineChanged, .structureChanged, .givenChanged, .sectionChanged]
        if let conflict = faults.faults.first(where: { conflicts.contains($0.code) }) { refusal.code = conflict.code }
        return refusal
    }

    // MARK: - Acts

    /// Changes the structure.
    ///
    /// - Parameter seen: the number of the structure on which the changes are based; `nil` for any.
    /// - Throws: `UseCaseError` with the code `structure_changed` if the class has another structure by now.
    public func change(
        _ id: ClassID, _ changes: [StructureChange], since seen: Int? = nil, reason: String?,
        by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<StructureAnswer>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<StructureAnswer> {
        // The same identifiers however often the act is decided.
        let made = (0..<changes.count).map { _ in LineID(identifiers.next()) }
        return try await act(.write, in: id, .everyRow, by: context, keeping: keep) { _, gradebook, ground in
            guard seen.map({ $0 == ground.snapshot.structure.number }) ?? true else {
                throw FaultList([Fault(.structureChanged, at: "/s")])
            }
            let names = LineNames(made, after: ground.snapshot.structure.root.id)
            return try gradebook.change(
                changes.map { names.resolved($0) }, reason: reason, newID: { names.next() }, in: ground)
        }
    }

    /// Enters results.
    ///
    /// - Parameter rows: rows that the class must have; `nil` reports missing rows as faults of their cells.
    public func enter(
        _ id: ClassID, _ cells: [CellChange], _ mode: CellMode, in rows: [EnrolmentID]? = nil, reason: String?,
        by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<CellsAnswer>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<CellsAnswer> {
        // Holding a result back, or showing it, counts as posting.
        let action: Action = cells.contains { $0.isHeldBack != nil } ? .write : .grade
        let reach = ActReach.rows(rows ?? Array(Set(cells.map(\.enrolment))))
        let (account, expected) = (context.account, context.expectedVersion)
        let isPerson = context.request.principal.acting?.home == nil
        let outcome = try await act(action, in: id, reach, by: context, keeping: keep) { permit, gradebook, ground in
            if let rows, ground.rows.count != rows.count { throw StoreError.notFound }
            try Self.check(expected, in: ground)
            let marker = Marker(
                account, decides: permit.isRegistrar || permit.role?.mayTeach == true, isPerson: isPerson)
            return try gradebook.enter(
                cells, mode, reason: reason, within: ground.snapshot.scope(of: account), by: marker, in: ground)
        }
        return try await naming(outcome, of: id)
    }

    /// Throws `version_conflict` unless the single row is at the version that the caller saw.
    private static func check(_ expected: Revision?, in ground: ActGround) throws {
        guard let expected, let row = ground.rows.first, let record = ground.records[row.enrolment.record] else {
            return
        }
        let current = Revision(epoch: record.epoch, version: row.version)
        // A row's version is one of the class's versions. If the structure is newer, the grid shows the structure's
        // version.
        let seen = current.version...max(current.version, ground.snapshot.version)
        guard current.epoch == expected.epoch, seen.contains(expected.version) else {
            throw StoreError.versionConflict(current: current)
        }
    }

    /// Enters results of one row, all or none; faults are at the lines.
    public func enter(
        _ id: ClassID, row: EnrolmentID, _ cells: [CellChange], reason: String?, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<CellsAnswer>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<CellsAnswer> {
        do {
            return try await enter(id, cells, .all, in: [row], reason: reason, by: context, keeping: keep)
        } catch var refusal as UseCaseError {
            let lines = cells.map(\.line.text)
            refusal.faults = refusal.faults.map { $0.placed(at: lines) }
            throw refusal
        }
    }

    /// Marks empty cells as missing in the lines that were due on a day.
    func markMissing(
        dueOn day: CalendarDay, in id: ClassID, by context: AccountContext
    ) async throws -> ActOutcome<CellsAnswer> {
        try await act(.grade, in: id, .everyRow, by: context) { _, gradebook, ground in
            try gradebook.markMissing(dueOn: day, in: ground)
        }
    }

    /// Shows or hides the results of lines.
    public func post(
        _ id: ClassID, _ lines: [LineID], hide isHidden: Bool, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<StructureAnswer>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<StructureAnswer> {
        try await act(.write, in: id, .everyRow, by: context, keeping: keep) { _, gradebook, ground in
            try gradebook.post(lines, hide: isHidden, in: ground)
        }
    }
}

extension Fault {
    /// The fault of a list of cells, placed at the line of the cell.
    fileprivate func placed(at lines: [String]) -> Fault {
        let steps = path.split(separator: "/", omittingEmptySubsequences: true)
        guard steps.first == "cells", let index = steps.dropFirst().first.flatMap({ Int($0) }),
            lines.indices.contains(index)
        else { return self }
        let rest = steps.dropFirst(2).map { "/" + $0 }.joined()
        return Fault(code, at: "/cells" + JSONPointer.step(lines[index]) + rest, arguments)
    }
}
