import Cryptography
public import Forms
import GradingKit
public import Institutions
public import Shared

/// The use cases of programs: create, edit and publish. Callers check permissions.
public struct Programs: Sendable {
    let store: any InstitutionStore
    private let tenants: Tenants
    private let check: ConfigurationCheck
    private let identifiers: UUIDSource
    private let cache: AccessCache<ProgramID, Program>

    init(store: any InstitutionStore, tenants: Tenants, check: ConfigurationCheck, identifiers: UUIDSource) {
        self.store = store
        self.tenants = tenants
        self.check = check
        self.identifiers = identifiers
        cache = AccessCache(capacity: 5_000, news: store.accessNews)
    }

    /// Returns a program; `nil` if there is none.
    ///
    /// - Parameter bypassingCache: Whether to read it from the store even if it is cached.
    public func find(_ id: ProgramID, bypassingCache: Bool = false) async throws -> Program? {
        if !bypassingCache, let known = cache.value(id) { return known }
        // Taken before the program is read: a change in between makes the entry useless, but not wrong.
        let moment = cache.moment
        guard let program = try await store.program(id) else { return nil }
        cache.keep(program, for: id, restingOn: .program(id), readAt: moment)
        return program
    }

    /// Returns a page of an institution's programs in the order of their creation; ``PageLimit`` clamps `limit`. Only
    /// staff may see programs that were never published.
    public func list(
        of institution: InstitutionID, publishedOnly: Bool, after cursor: ProgramID? = nil, limit: Int = 50
    ) async throws -> [Program] {
        try await store.programs(
            of: institution, publishedOnly: publishedOnly, after: cursor, limit: PageLimit.read(limit))
    }

    /// Returns a published version, which never changes; `nil` if there is none with the number.
    public func version(_ number: Version, of program: ProgramID) async throws -> ProgramVersion? {
        try await store.version(number, of: program)
    }

    /// Returns the published versions, newest first.
    public func versions(of program: ProgramID) async throws -> [ProgramVersion] {
        try await store.versions(of: program)
    }

    /// Returns the day in the time zone of a program's institution at a moment; the day in UTC without a program.
    func today(in program: Program?, at moment: Timestamp) async throws -> CalendarDay {
        guard let program else { return moment.day }
        return try await tenants.today(in: program.institution, at: moment)
    }

    /// Returns the version that judges a record created on that day: the newest in force by then, or the first if none
    /// is yet; `nil` if nothing is published. A version that has begun stays in force if the institution moves its time
    /// zone west and the version's day comes again.
    public func version(of program: Program, on day: CalendarDay) async throws -> ProgramVersion? {
        let reached = max(day, program.inForce?.effectiveFrom ?? day)
        return StandingVersions.inForce(try await store.versions(of: program.id), on: reached)
    }

    /// Returns the number of the version that judges a record created on that day; `nil` if nothing is published. The store
    /// is read only if a later version waits for its day.
    public func currentVersion(of program: Program, on day: CalendarDay) async throws -> Version? {
        if let newest = program.newest, program.inForce?.number == newest { return newest }
        return try await version(of: program, on: day)?.number
    }

    /// Creates a program with a draft.
    ///
    /// - Parameter keep: Returns the answer to store with it.
    /// - Throws: `FaultList` with all faults at once, including those that the scheme finds.
    public func create(
        _ input: FormInput<NewProgram>, in institution: InstitutionID, by act: AuditContext,
        keeping keep: (CheckedProgram) -> KeptAnswer? = { _ in nil }
    ) async throws -> CheckedProgram {
        let request = input.value
        var form = input.form
        let configuration = request.configuration
        let accepted = try await ask(
            &form, scheme: request.scheme, preset: request.preset, configuration, sent: configuration)
        guard let scheme = request.scheme, let title = request.title, let accepted else { throw form.faults }
        let program = Program(
            id: ProgramID(identifiers.next()), institution: institution, scheme: scheme, createdAt: act.at,
            title: title, entry: request.entry, given: request.given,
            draft: ProgramDraft(
                preset: accepted.preset ?? request.preset, configuration: accepted.configuration, editedAt: act.at),
            revision: Revision(epoch: store.epoch, version: 1))
        let checked = CheckedProgram(program: program, warnings: accepted.warnings)
        try await store.insert(
            program,
            audit: act.entry("program.created", of: program.id.text, in: institution, detail: program.auditText),
            keeping: keep(checked), under: act.grounds)
        return checked
    }

    /// Changes a program.
    ///
    /// The title, the entry policy and the policy of giving change at once. A preset or a configuration changes the open
    /// draft, which begins as a copy of the newest version: `configuration` is merged key by key at every level, where `null` restores the
    /// preset's value; `preset` restarts the draft.
    ///
    /// - Parameters:
    ///   - expected: The revision that the caller has seen; `nil` accepts any.
    ///   - isProven: Whether the caller has recently proven their identity.
    ///   - keep: Returns the answer to store with the change.
    /// - Throws: `FaultList`; `StoreError.versionConflict` if the document has another revision; `ProofNeeded` if the
    ///   entry policy or the policy of giving changes without a proof.
    public func edit(
        _ input: FormInput<ProgramEdit>, of id: ProgramID, expecting expected: Revision? = nil, isProven: Bool = true,
        by act: AuditContext,
        keeping keep: @escaping @Sendable (CheckedProgram, StandingVersions) -> KeptAnswer? = { _, _ in nil }
    ) async throws -> CheckedProgram {
        guard let program = try await store.program(id) else { throw StoreError.notFound }
        let request = input.value
        var form = input.form
        let changes = request.configuration
        var draft: (accepted: ConfigurationCheck.Accepted, preset: String?)?
        if request.startsOver || changes != nil {
            var base = try await current(program, at: act.at)
            if request.startsOver { base = try base.startingOver(with: request.preset) }
            let merged = try Programs.merge(changes ?? JSONObject(), into: base.configuration)
            let accepted = try await ask(
                &form, scheme: program.scheme, preset: base.preset, merged, sent: changes ?? JSONObject())
            draft = accepted.map { ($0, $0.preset ?? base.preset) }
        }
        try form.finish()
        let edited = draft.map {
            ProgramDraft(preset: $0.preset, configuration: $0.accepted.configuration, editedAt: act.at)
        }
        let warnings = draft?.accepted.warnings ?? []
        let after = try await store.amend(
            id, keeping: { keep(CheckedProgram(program: $0, warnings: warnings), $1) }
        ) { before in
            try Programs.compare(before, expected: expected, readAs: edited == nil ? nil : program)
            var after = before
            after.title = request.title ?? before.title
            after.entry = request.entry ?? before.entry
            after.given = request.given ?? before.given
            after.draft = edited ?? before.draft
            if after.entry != before.entry || after.given != before.given, !isProven { throw ProofNeeded() }
            return ProgramChange(
                program: after,
                audit: act.entry(
                    "program.changed", of: id.text, in: before.institution,
                    detail: auditDetail(before: before.auditText, after: after.auditText, reason: act.reason)),
                under: act.grounds)
        }
        return CheckedProgram(program: after, warnings: warnings)
    }

    /// Publishes the draft as the next version, as `publication` specifies. Moving the records is a separate job, which
    /// begins after this has been committed.
    ///
    /// - Parameters:
    ///   - expected: The revision that the caller has seen; `nil` accepts any.
    ///   - spending: Receives the processor time of checking a document of regulations; not called for other schemes.
    ///   - keep: Returns the answer to store with the change.
    /// - Throws: `StoreError.versionConflict` if the document has another revision; `FaultList` with the faults of the
    ///   draft, for example in a document of regulations.
    public func publish(
        _ id: ProgramID, as publication: Publication, expecting expected: Revision? = nil, by act: AuditContext,
        spending: @escaping ConfigurationCheck.Spending = { _ in },
        keeping keep: @escaping ProgramKeeper = { _, _ in nil }
    ) async throws -> Program {
        let read = try await store.program(id)
        let today = try await today(in: read, at: act.at)
        var isProven = false
        if let read, let draft = read.draft { isProven = try await check.prove(draft, of: read, spending: spending) }
        let proven = isProven ? read : nil
        return try await store.amend(id, keeping: keep) { before in
            try Programs.compare(before, expected: expected, readAs: proven)
            guard let draft = before.draft else { throw FaultList([Fault(.draftMissing)]) }
            // Without a day, it follows what judges now, also where that day is to come once more ("version(of:on:)").
            let now = max(today, before.inForce?.effectiveFrom ?? today)
            let day = publication.effectiveFrom ?? now
            if let earliest = before.effectiveFrom, day < earliest {
                let arguments: JSONObject = ["min": .string(earliest.description)]
                throw FaultList([Fault(.dayTooEarly, at: "/effectiveFrom", arguments)])
            }
            let version = ProgramVersion(
                program: id, number: before.lastNumber + 1, preset: draft.preset, configuration: draft.configuration,
                effectiveFrom: day, publishedAt: act.at, publishedBy: act.account, records: publication.records,
                rehearsal: publication.digest)
            var after = before
            after.draft = nil
            after.newest = version.number
            after.lastNumber = version.number
            after.effectiveFrom = day
            if before.inForce == nil || day <= now { after.inForce = VersionInForce(version) }
            return ProgramChange(
                program: after, version: version,
                audit: act.entry(
                    "program.published", of: id.text, in: before.institution, detail: version.auditText),
                under: act.grounds)
        }
    }
}

extension Programs {
    /// Returns the open draft, or the one with which editing would begin.
    private func current(_ program: Program, at now: Timestamp) async throws -> ProgramDraft {
        if let draft = program.draft { return draft }
        guard let newest = program.newest, let version = try await store.version(newest, of: program.id) else {
            return ProgramDraft(preset: nil, configuration: Array("{}".utf8), editedAt: now)
        }
        return ProgramDraft(preset: version.preset, configuration: version.configuration, editedAt: now)
    }

    private static func merge(_ changes: JSONObject, into configuration: [UInt8]) throws -> JSONObject {
        var merged = try JSON.parse(configuration).object ?? JSONObject()
        merged.merge(configuration: changes)
        return merged
    }

    /// Checks a configuration with its scheme, and adds the findings to the form's. If settings conflict, reports only
    /// those that the request sent.
    private func ask(
        _ form: inout Form, scheme: String?, preset: String?, _ configuration: JSONObject, sent: JSONObject
    ) async throws -> ConfigurationCheck.Accepted? {
        guard let scheme else {
            try form.finish()
            return nil
        }
        do {
            let accepted = try await check(scheme: scheme, preset: preset, configuration: configuration)
            try form.finish()
            return accepted
        } catch let found as FaultList {
            let meant = found.faults.filter { Programs.concerns($0, sent) }
            form.add(meant.isEmpty ? found : FaultList(meant))
            try form.finish()
            return nil
        }
    }

    private static func concerns(_ fault: Fault, _ sent: JSONObject) -> Bool {
        let steps = fault.path.split(separator: "/", maxSplits: 2).map(String.init)
        return steps.first != "configuration" || steps.count < 2
            || sent.contains { JSONPointer.step($0.name) == "/" + steps[1] }
    }

    private static func compare(_ before: Program, expected: Revision?, readAs read: Program?) throws {
        if let expected, expected != before.revision { throw StoreError.versionConflict(current: before.revision) }
        // The draft was checked against what was read, but another change came in between.
        if let read, read.revision != before.revision { throw StoreError.versionConflict(current: before.revision) }
    }
}

extension ProgramDraft {
    /// Returns the draft restarted from a preset. A document of regulations is not a setting and stays.
    fileprivate func startingOver(with preset: String?) throws -> ProgramDraft {
        var kept = JSONObject()
        if let document = try JSON.parse(configuration)["document"] { kept["document"] = document }
        return ProgramDraft(preset: preset, configuration: JSON.object(kept).bytes, editedAt: editedAt)
    }
}
