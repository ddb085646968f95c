import GradingKit
public import Institutions
public import Records
public import Shared

/// The publication of rehearsed drafts.
public struct Publishing: Sendable {
    /// The greatest number of records listed as changed since the rehearsal.
    private static let longestList = 50

    /// The published program, and the changes that the rehearsal could not include.
    public struct Outcome: Sendable {
        /// The program after publication.
        public let program: Program
        /// The move of the records that was ordered; `nil` if they stay with their version.
        public let move: BulkChangeJob?
        /// The number of records changed, added or deleted since the rehearsal.
        public let changedSince: Int
        /// The differences in the first of these records, computed now.
        public let rows: [RehearsalRow]
    }

    private let institutions: InstitutionServices
    private let work: ProgramWork
    private let calculations: Calculations

    /// Creates a publisher for programs of these institutions; `work` moves their records. Who publishes is charged for
    /// the laws of grading that are tried, as for one of the calculations.
    public init(institutions: InstitutionServices, work: ProgramWork, calculations: Calculations) {
        self.institutions = institutions
        self.work = work
        self.calculations = calculations
    }

    /// A publication with the day in the time zone of the institution.
    public typealias Published = (outcome: Outcome, today: CalendarDay)

    /// Publishes a program's draft for a caller who may change the program, as under a permit.
    ///
    /// - Parameters:
    ///   - publication: how to publish, which is read once the caller is known to be allowed.
    ///   - expected: the revision that the caller has seen; `nil` for the one that is read.
    public func publish<Reply>(
        _ program: ProgramID, as publication: @autoclosure () async throws -> Publication,
        expecting expected: @autoclosure () throws -> Revision?, by context: AccountContext,
        answering: Answering<(Published, StandingVersions), Published, Reply>
    ) async throws -> Reply {
        let access = work.rehearsals.records.access
        let permit = try await access.permit(to: May.Write.self, in: program, for: context.principal)
        let today = try await access.today(in: permit.program, at: context.now)
        return try await answering { keep in
            let outcome = try await publish(
                under: permit, as: await publication(), expecting: expected(), by: context
            ) { keep((($0, today), $1)) }
            return (outcome, today)
        }
    }

    /// Publishes the program's draft if the digest belongs to a rehearsal of exactly this draft against exactly the
    /// newest version.
    ///
    /// - Parameter keep: makes the answer to store with it.
    /// - Throws: `digest_mismatch` if it does not, or if the program changes meanwhile; `would_lose` if the records are to
    ///   move and the draft has no place for something in them; `rate_limited` if the caller's calculations have taken
    ///   too much.
    func publish(
        under permit: ProgramPermit<May.Write>, as publication: Publication, expecting expected: Revision?,
        by context: AccountContext,
        keeping keep: @escaping @Sendable (Outcome, StandingVersions) -> KeptAnswer? = { _, _ in nil }
    ) async throws -> Outcome {
        let (program, act) = (permit.program, context.audit())
        if let draft = program.draft {
            try await work.rehearsals.records.rulesCache.check(program.scheme, draft.configuration)
        }
        guard let digest = publication.digest else { throw FaultList([Fault(.missingField, at: "/digest")]) }
        guard let draft = program.draft else { throw FaultList([Fault(.draftMissing)]) }
        guard let rehearsal = try await work.rehearsals.store.rehearsal(of: program.id, digest: digest),
            rehearsal.basis.subject == .draft, rehearsal.basis.published == program.newest,
            rehearsal.basis.executable == work.rehearsals.records.rulesCache.executable(of: program.scheme),
            rehearsal.basis.proposedConfiguration == draft.configuration
        else { throw UseCaseError.digestMismatch }
        if publication.records.isMove, rehearsal.counts.lost > 0 {
            throw FaultList([
                Fault(.wouldLose, at: "/records", ["count": .number(String(rehearsal.counts.lost))])
            ])
        }
        let since = try await changes(since: rehearsal, of: program)
        let total = try await work.rehearsals.browser.count(of: program.id)
        let outcome = { @Sendable (published: Program) -> Outcome in
            Outcome(
                program: published, move: Self.move(of: total, to: published, as: publication, by: act),
                changedSince: since.count, rows: since.rows)
        }
        let published = try await institutions.programs.publish(
            program.id, as: publication, expecting: expected ?? program.revision,
            by: act.resting(on: permit.grounds.list), spending: calculations.admit(context.request)
        ) { keep(outcome($0), $1) }
        work.bulkChangeRunner.wake()
        return outcome(published)
    }

    /// Returns the move that the publication orders; `nil` if the records stay.
    private static func move(
        of records: Int, to program: Program, as publication: Publication, by act: AuditContext
    ) -> BulkChangeJob? {
        guard publication.records.isMove, let account = act.account, let number = program.newest,
            let day = program.effectiveFrom
        else { return nil }
        var move = BulkChangeJob(
            moving: program.id, of: program.institution, to: number, by: account, from: act.source, at: act.at,
            dueOn: day, judgingClosed: publication.records == .moveClosed)
        move.progress.total = records
        return move
    }

    /// Counts the records that differ from the rehearsal, and returns rows for the first of them.
    private func changes(
        since rehearsal: Rehearsal, of program: Program
    ) async throws -> (count: Int, rows: [RehearsalRow]) {
        var seen = VersionCursor { cursor in
            try await work.rehearsals.store.versions(of: rehearsal.id, after: cursor, limit: 1_000)
        }
        var present = VersionCursor { cursor in
            try await work.rehearsals.browser.versions(of: program.id, after: cursor, limit: 1_000)
        }
        var (count, changed): (Int, [RecordID]) = (0, [])
        var (then, now) = (try await seen.next(), try await present.next())
        while then != nil || now != nil {
            if let both = then, both == now {
                (then, now) = (try await seen.next(), try await present.next())
                continue
            }
            count += 1
            if let now, changed.count < Self.longestList, then.map({ now.record <= $0.record }) ?? true {
                changed.append(now.record)
            }
            let order = (then?.record, now?.record)
            if let old = order.0, order.1.map({ old <= $0 }) ?? true { then = try await seen.next() }
            if let new = order.1, order.0.map({ new <= $0 }) ?? true { now = try await present.next() }
        }
        return (count, try await rows(of: changed, in: program, rehearsal))
    }

    private func rows(
        of records: [RecordID], in program: Program, _ rehearsal: Rehearsal
    ) async throws -> [RehearsalRow] {
        guard !records.isEmpty else { return [] }
        let service = work.rehearsals.records
        let comparison = try await work.rehearsals.comparison(of: program, for: rehearsal.basis)
        let owners = try await RecordOwners(of: records, browser: work.rehearsals.browser, service: service)
        var rows: [RehearsalRow] = []
        for record in records {
            guard let snapshot = try await service.store.snapshot(of: record) else { continue }
            let found = try await comparison.compare(
                StoredTree(
                    record: record, version: snapshot.fullVersion, programVersion: snapshot.head.programVersion,
                    tree: snapshot.full.tree, standing: snapshot.full.standing))
            for (index, details) in found.finding.details.enumerated() {
                rows.append(
                    RehearsalRow(
                        record: record, account: snapshot.head.student,
                        displayName: owners[record]?.displayName, details: details, index: index))
            }
        }
        return rows
    }
}
