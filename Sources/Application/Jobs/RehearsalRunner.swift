import Cryptography
import Gradebook
import GradingKit
import Institutions
import Records
import Shared

/// The runner of rehearsals: one after another, away from the event loops and the writer.
///
/// Progress is kept only in the store: a rehearsal interrupted by the end of its process resumes after the last record
/// that was stored.
public final class RehearsalRunner: Sendable {
    /// Records read at once: few enough that they are still in the processor's cache when they are compared.
    private static let slice = 32
    /// The greatest number of records whose findings are stored or deleted in one transaction, so few that grade writes
    /// hardly wait; and the longest time that findings wait to be stored.
    private static let batch = (records: 64, time: Duration.milliseconds(500))
    /// How often to look for rehearsals left by other processes.
    private static let interval = Duration.seconds(10)

    let store: any RehearsalStore
    let browser: any RecordBrowser
    let records: RecordService
    private let gradebook: any GradebookStore
    private let identifiers: UUIDSource
    private let claimer: WorkClaimer

    init(
        store: any RehearsalStore, browser: any RecordBrowser, records: RecordService,
        gradebook: any GradebookStore, identifiers: UUIDSource, clock: WallClock
    ) {
        self.store = store
        self.browser = browser
        self.records = records
        self.gradebook = gradebook
        self.identifiers = identifiers
        claimer = WorkClaimer(.rehearsals, in: store, identifiers: identifiers, clock: clock)
    }

    /// Works until the task is cancelled.
    func run() async { await claimer.whenWoken(atLeastEvery: Self.interval) { await carryOutAll() } }

    /// Carries every rehearsal that no process is working on to its end, and deletes the findings of forgotten ones.
    func carryOutAll() async {
        await claimer.carryOutAll { try await hold($0) }
        await deleteForgotten()
    }

    /// Deletes the findings of forgotten rehearsals. Whatever fails is retried at the next wake.
    private func deleteForgotten() async {
        do { while !Task.isCancelled, try await store.deleteForgotten(limit: Self.batch.records) {} } catch {}
    }

    /// Begins a rehearsal of the program's draft, or of the build that now computes its scheme. Cancels a running
    /// rehearsal of the program.
    ///
    /// - Parameter keep: makes the answer to store with it.
    func begin(
        _ subject: RehearsalBasis.Subject = .draft, under permit: ProgramPermit<May.Write>, at now: Timestamp,
        keeping keep: (Rehearsal) -> KeptAnswer? = { _ in nil }
    ) async throws -> Rehearsal {
        let program = permit.program
        let basis = try await basis(subject, of: program)
        var rehearsal = Rehearsal(id: identifiers.next(), program: program.id, basis: basis, startedAt: now)
        rehearsal.total = try await count(basis, in: program)
        guard try await store.begin(rehearsal, keeping: keep(rehearsal)) else {
            throw UseCaseError.unavailable("Too many rehearsals wait", retryAfter: 10)
        }
        claimer.wake()
        return rehearsal
    }

    private func basis(_ subject: RehearsalBasis.Subject, of program: Program) async throws -> RehearsalBasis {
        let executable = records.rulesCache.executable(of: program.scheme)
        var proposed: [UInt8] = []
        switch subject {
        case .draft:
            guard let draft = program.draft else { throw FaultList([Fault(.draftMissing)]) }
            proposed = draft.configuration
            try await records.rulesCache.check(program.scheme, proposed)
        case .executable: guard executable != nil else { throw FaultList([Fault(.notExecutable, at: "/of")]) }
        }
        let published = try await records.institutions.programs.newestVersion(of: program)
        return RehearsalBasis(
            subject, by: executable, published: published?.number,
            publishedConfiguration: published?.configuration ?? [], proposedConfiguration: proposed)
    }

    /// Returns how many records there are to compare.
    private func count(_ basis: RehearsalBasis, in program: Program) async throws -> Int {
        guard basis.subject == .executable, let executable = basis.executable else {
            return try await browser.count(of: program.id)
        }
        return try await browser.stale(in: program.id, besides: executable)
    }

    /// Returns a rehearsal of the program with its progress.
    func find(_ id: String, under permit: ProgramPermit<May.Oversee>) async throws -> Rehearsal {
        try await find(id, of: permit.program.id)
    }

    private func find(_ id: String, of program: ProgramID) async throws -> Rehearsal {
        guard let rehearsal = try await store.rehearsal(id), rehearsal.program == program else {
            throw UseCaseError.notFound
        }
        return rehearsal
    }

    /// Returns the program's rehearsals, newest first.
    func list(under permit: ProgramPermit<May.Oversee>) async throws -> [Rehearsal] {
        try await store.rehearsals(of: permit.program.id)
    }

    /// Access to the rows that rehearsals found.
    var rows: RehearsalRows { RehearsalRows(store: store, browser: browser, records: records) }

    /// Stops a running rehearsal; deletes one that has ended.
    func cancel(_ id: String, under permit: ProgramPermit<May.Write>) async throws -> Rehearsal {
        _ = try await find(id, of: permit.program.id)
        guard let left = try await store.cancel(id) else { throw UseCaseError.notFound }
        claimer.wake()
        return left
    }

    // MARK: - Running one rehearsal

    /// Runs the rehearsal to its end, under a lease.
    private func hold(_ lease: WorkLease) async throws {
        guard var rehearsal = try await store.rehearsal(lease.work) else { return }
        do {
            try await compare(&rehearsal, under: lease)
        } catch let error where Self.isPassing(error) {
            throw error
        } catch {
            rehearsal.state = .failed
            try await store.advance(rehearsal, finding: [], under: lease)
        }
    }

    /// Returns whether an error is temporary, so that the rehearsal can resume later.
    private static func isPassing(_ error: any Error) -> Bool {
        switch error {
        case is LeaseLost, is CancellationError, StoreError.full, StoreError.unavailable: true
        default: false
        }
    }

    private func compare(_ rehearsal: inout Rehearsal, under lease: WorkLease) async throws {
        let comparison = try await comparison(for: rehearsal)
        let (program, basis) = (rehearsal.program, rehearsal.basis)
        func slice(after cursor: RecordID?) async throws -> [StoredTree] {
            guard comparison.needsStandings else {
                return try await browser.trees(of: program, after: cursor, limit: Self.slice)
            }
            return try await browser.standings(
                of: program, besides: basis.subject == .executable ? basis.executable : nil, after: cursor,
                limit: Self.slice)
        }
        let beginning = try await beginning(of: rehearsal)
        var digest = beginning.digest
        var found: [RehearsedRecord] = []
        var kept = ContinuousClock.now
        var trees = try await slice(after: beginning.cursor)
        while let last = trees.last {
            async let next = slice(after: last.record)
            for stored in trees {
                let record = try await comparison.compare(stored)
                digest.add(record.compared)
                rehearsal.counts.add(record)
                rehearsal.done += 1
                found.append(record)
            }
            try Task.checkCancellation()
            if found.count >= Self.batch.records || .now - kept >= Self.batch.time {
                try await store.advance(rehearsal, finding: found, under: lease)
                found.removeAll()
                kept = .now
            }
            trees = try await next
        }
        (rehearsal.total, rehearsal.state, rehearsal.digest) = (rehearsal.done, .done, digest.text)
        try await store.advance(rehearsal, finding: found, under: lease)
    }

    /// Returns the digest over the records compared before the interruption, and the last of those records.
    private func beginning(of rehearsal: Rehearsal) async throws -> (digest: RehearsalDigest, cursor: RecordID?) {
        var digest = RehearsalDigest(of: rehearsal.program, rehearsal.basis)
        var cursor: RecordID?
        while true {
            let compared = try await store.compared(in: rehearsal.id, after: cursor, limit: 1_000)
            guard let last = compared.last else { return (digest, cursor) }
            for record in compared { digest.add(record) }
            cursor = last.record
        }
    }

    private func comparison(for rehearsal: Rehearsal) async throws -> LinkedComparison {
        guard let program = try await records.institutions.programs.find(rehearsal.program),
            // A build other than the one in the digest may be running by now.
            records.rulesCache.executable(of: program.scheme) == rehearsal.basis.executable
        else { throw StoreError.notFound }
        return try await comparison(of: program, for: rehearsal.basis)
    }

    /// Returns a comparison between how records are judged now, each under its own version, and how the rehearsal's
    /// draft or build would judge them.
    func comparison(of program: Program, for basis: RehearsalBasis) async throws -> LinkedComparison {
        let cache = records.rulesCache
        var rules: [Version: RecordRules] = [:]
        for version in try await records.institutions.programs.versions(of: program.id) {
            rules[version.number] = try await cache.rules(of: program, version: version.number)
        }
        let published = rules.mapValues(\.rules)
        if basis.subject == .executable {
            return LinkedComparison(
                CohortComparison(recomputing: published), from: rules, draft: nil, gradebook: gradebook)
        }
        let draft = try await cache.rules(program.scheme, basis.proposedConfiguration)
        return LinkedComparison(
            CohortComparison(from: published, to: draft), from: rules, draft: draft, gradebook: gradebook)
    }
}
