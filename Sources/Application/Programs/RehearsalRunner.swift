import Cryptography
import GradingKit
import Institutions
public import Records
public import Shared
import Synchronization

/// Holds rehearsals, one after the other, away from the loops and the writer.
public final class RehearsalRunner: Sendable {
    /// Records read at once, few enough that they are still in the processor's cache when they are compared.
    private static let slice = 32
    /// Records whose findings are kept at once.
    private static let batch = 256
    /// Records compared between two reports of progress.
    private static let stride = 8

    let store: any RehearsalStore
    let browser: any RecordBrowser
    let records: RecordService
    private let identifiers: UUIDSource
    private let queue = WorkQueue<Rehearsal>(capacity: 64)
    /// Rehearsals under way or waiting, as far as they are.
    private let running = Mutex<[String: Rehearsal]>([:])

    init(store: any RehearsalStore, browser: any RecordBrowser, records: RecordService, identifiers: UUIDSource) {
        self.store = store
        self.browser = browser
        self.records = records
        self.identifiers = identifiers
    }

    /// Works until the task is cancelled.
    func run() async { await queue.forEach { await hold($0) } }

    /// Begins a rehearsal of the program's draft, or of the build that computes its scheme now. One of the program that is
    /// under way is given up.
    ///
    /// - Parameter keep: keeps the answer that tells of it; when it throws, nothing has begun.
    public func begin(
        _ subject: RehearsalBasis.Subject = .draft, under permit: ProgramPermit<May.Write>, at now: Timestamp,
        keeping keep: (Rehearsal) async throws -> Void = { _ in }
    ) async throws -> Rehearsal {
        let program = permit.program
        let basis = try await basis(subject, of: program)
        var rehearsal = Rehearsal(id: identifiers.next(), program: program.id, basis: basis, startedAt: now)
        rehearsal.total = try await count(basis, in: program)
        let begun = rehearsal
        let hasBegun = try await queue.push(begun) {
            // Keep the answer first, so that of two requests with one key only one begins. A crash in between loses
            // the rehearsal, as at any other time.
            try await keep(begun)
            try await store.begin(begun)
            running.withLock { running in
                for (id, other) in running where other.program == program.id {
                    running[id]?.state = other.state.stopped
                }
                running[begun.id] = begun
            }
        }
        guard hasBegun else { throw UseCaseError.unavailable("Too many rehearsals wait", retryAfter: 10) }
        return begun
    }

    private func basis(_ subject: RehearsalBasis.Subject, of program: Program) async throws -> RehearsalBasis {
        let executable = records.books.executable(of: program.scheme)
        var proposed: [UInt8] = []
        switch subject {
        case .draft:
            guard let draft = program.draft else { throw FaultList([Fault(.draftMissing)]) }
            proposed = draft.configuration
        case .executable: guard executable != nil else { throw FaultList([Fault(.notExecutable, at: "/of")]) }
        }
        let published = try await records.institutions.programs.newestVersion(of: program)
        return RehearsalBasis(
            subject, by: executable, published: published?.number,
            publishedConfiguration: published?.configuration ?? [], proposedConfiguration: proposed)
    }

    /// How many records are to be compared.
    private func count(_ basis: RehearsalBasis, in program: Program) async throws -> Int {
        guard basis.subject == .executable, let executable = basis.executable else {
            return try await browser.count(of: program.id)
        }
        return try await browser.stale(in: program.id, besides: executable)
    }

    /// A rehearsal of the program, as far as it is.
    public func find(_ id: String, under permit: ProgramPermit<May.Oversee>) async throws -> Rehearsal {
        try await find(id, of: permit.program.id)
    }

    private func find(_ id: String, of program: ProgramID) async throws -> Rehearsal {
        if let rehearsal = running.withLock({ $0[id] }), rehearsal.program == program { return rehearsal }
        guard let rehearsal = try await store.rehearsal(id), rehearsal.program == program else {
            throw UseCaseError.notFound
        }
        return rehearsal
    }

    /// The program's rehearsals, newest first.
    public func list(under permit: ProgramPermit<May.Oversee>) async throws -> [Rehearsal] {
        let kept = try await store.rehearsals(of: permit.program.id)
        return running.withLock { running in kept.map { running[$0.id] ?? $0 } }
    }

    /// The rows of what rehearsals found.
    public var rows: RehearsalRows { RehearsalRows(store: store, browser: browser, records: records) }

    /// Stops a rehearsal that is under way; forgets one that has ended.
    public func cancel(_ id: String, under permit: ProgramPermit<May.Write>) async throws -> Rehearsal {
        let stopped = running.withLock { running -> Rehearsal? in
            guard let rehearsal = running[id], rehearsal.program == permit.program.id else { return nil }
            running[id]?.state = rehearsal.state.stopped
            return running[id]
        }
        if let stopped {
            try await store.update(stopped)
            return stopped
        }
        let ended = try await find(id, of: permit.program.id)
        try await store.remove(id)
        return ended
    }

    // MARK: - Holding one

    /// Holds one that was begun, to its end.
    func hold(_ begun: Rehearsal) async {
        var rehearsal = begun
        do {
            try await compare(&rehearsal)
            if rehearsal.state == .running { rehearsal.state = .done }
        } catch {
            rehearsal.state = .failed
        }
        // No caller waits for this; a rehearsal whose end cannot be kept is found to have failed at the next start.
        try? await end(rehearsal)
    }

    private func end(_ rehearsal: Rehearsal) async throws {
        defer { running.withLock { $0[rehearsal.id] = nil } }
        try await store.update(rehearsal)
    }

    private func compare(_ rehearsal: inout Rehearsal) async throws {
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
        var digest = RehearsalDigest(of: rehearsal.program, rehearsal.basis)
        var found: [RehearsedRecord] = []
        var trees = try await slice(after: nil)
        while let last = trees.last {
            async let next = slice(after: last.record)
            for (number, stored) in trees.enumerated() {
                let record = try await comparison.compare(stored)
                digest.add(record)
                rehearsal.counts.add(record)
                rehearsal.done += 1
                found.append(record)
                if number % Self.stride == 0 {
                    guard goesOn(&rehearsal) else { return }
                }
            }
            if found.count >= Self.batch {
                try await store.append(found, to: rehearsal.id)
                found.removeAll()
            }
            trees = try await next
        }
        try await store.append(found, to: rehearsal.id)
        rehearsal.total = rehearsal.done
        if goesOn(&rehearsal) { rehearsal.digest = digest.text }
    }

    /// Tells how far it is; `false` when it was stopped.
    private func goesOn(_ rehearsal: inout Rehearsal) -> Bool {
        let (progress, isCancelled) = (rehearsal, Task.isCancelled)
        let state = running.withLock { running -> Rehearsal.State in
            guard let state = running[progress.id]?.state, state == .running, !isCancelled else { return .cancelled }
            running[progress.id] = progress
            return state
        }
        rehearsal.state = isCancelled ? .failed : state
        return state == .running
    }

    private func comparison(for rehearsal: Rehearsal) async throws -> CohortComparison {
        guard let program = try await records.institutions.programs.find(rehearsal.program) else {
            throw StoreError.notFound
        }
        return try await records.comparison(of: program, for: rehearsal.basis)
    }
}

extension Rehearsal.State {
    /// The state of one that is stopped.
    fileprivate var stopped: Rehearsal.State { self == .running ? .cancelled : self }
}

extension RecordService {
    /// Compares how records are judged, each by its version, with how the draft or the build of a rehearsal would judge
    /// them.
    func comparison(of program: Program, for basis: RehearsalBasis) async throws -> CohortComparison {
        var published: [Version: Rulebook] = [:]
        for version in try await institutions.programs.versions(of: program.id) {
            published[version.number] = try await books.book(of: program, version: version.number).rules
        }
        if basis.subject == .executable { return CohortComparison(recomputing: published) }
        return CohortComparison(
            from: published, to: try await books.rules(program.scheme, basis.proposedConfiguration))
    }
}
