import Cryptography
import Institutions
public import Live
public import Records
public import Shared

/// The statistics of cohorts that are being viewed, kept up to date by following the log of changes.
///
/// Only changed records are read again. A cohort that has not been asked for in a while is no longer followed; the next
/// request computes its statistics from the stored standings again.
public actor CohortProjector {
    /// How long changes are collected before the statistics are updated.
    private static let interval = Duration.milliseconds(250)
    /// How long a cohort is followed after the last request for it, in seconds.
    private static let followedFor: Int64 = 600
    private static let slice = 64

    private struct Followed {
        var tally = CohortTally()
        /// The last change that the tally includes.
        var place: Int
        var askedAt: Timestamp
        /// The latest document of the tally; `nil` before the first one, and when the tally has changed since.
        var document: LiveDocument?
    }

    private let projections: any ProjectionStore
    private let browser: any RecordBrowser
    private let programs: Programs
    private let clock: WallClock
    private var followed: [ProgramID: Followed] = [:]
    private var busy: Set<ProgramID> = []
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private let wakes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let told: AsyncStream<(ProgramID, LiveDocument)>.Continuation
    /// Each new version of a cohort's statistics.
    public nonisolated let pictures: AsyncStream<(ProgramID, LiveDocument)>

    /// Creates a projector that follows no cohort yet.
    public init(
        projections: any ProjectionStore, browser: any RecordBrowser, programs: Programs, clock: WallClock
    ) {
        self.projections = projections
        self.browser = browser
        self.programs = programs
        self.clock = clock
        (pictures, told) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1_000))
    }

    /// Returns the current statistics; `nil` when the program does not exist.
    func document(under permit: ProgramPermit<May.Oversee>) async throws -> LiveDocument? {
        try await document(of: permit.program.id)
    }

    /// Returns the current statistics; `nil` when the program does not exist.
    func document(of program: ProgramID) async throws -> LiveDocument? {
        guard try await programs.find(program) != nil else { return nil }
        let document = try await exclusively(program) { try await follow(program) }
        wakes.continuation.yield()
        return document
    }

    /// Keeps the statistics up to date until the task is cancelled.
    func run() async {
        for await _ in wakes.stream {
            while !followed.isEmpty, !Task.isCancelled {
                try? await Task.sleep(for: Self.interval)
                let oldest = clock.now.adding(seconds: -Self.followedFor)
                followed = followed.filter { busy.contains($0.key) || $0.value.askedAt > oldest }
                // If the store fails, the next round tries again.
                for program in followed.keys { _ = try? await exclusively(program) { try await refresh(program) } }
            }
        }
        told.finish()
    }

    /// Runs one body at a time for each cohort, so that newer statistics never get an older version.
    private func exclusively<Value: Sendable>(
        _ program: ProgramID, _ body: () async throws -> Value
    ) async rethrows -> Value {
        while busy.contains(program) { await withCheckedContinuation { waiting.append($0) } }
        busy.insert(program)
        defer {
            busy.remove(program)
            for waiter in waiting { waiter.resume() }
            waiting.removeAll()
        }
        return try await body()
    }

    private func follow(_ program: ProgramID) async throws -> LiveDocument? {
        if followed[program] == nil {
            // Read before the standings, so that a change made meanwhile is processed again.
            var cohort = Followed(place: try await browser.lastChange(), askedAt: clock.now)
            var cursor: RecordID?
            repeat {
                let slice = try await browser.versions(of: program, after: cursor, limit: Self.slice).map(\.record)
                cohort.tally.update(slice, to: try await browser.standings(of: slice, in: program))
                cursor = slice.last
            } while cursor != nil
            followed[program] = cohort
        }
        followed[program]?.askedAt = clock.now
        return try await refresh(program)
    }

    /// Includes the changes since the last update, and makes a new document if the tally changed.
    private func refresh(_ program: ProgramID) async throws -> LiveDocument? {
        guard var cohort = followed[program] else { return nil }
        let name = "cohort/\(program)"
        // Read before the changes, so that what is made of them is no older than what other nodes have made.
        let before = projections.hasOtherWriters ? try await projections.version(of: name) : nil
        while true {
            let changed = try await browser.changed(after: cohort.place, limit: 512)
            if changed.records.isEmpty { break }
            for start in stride(from: 0, to: changed.records.count, by: Self.slice) {
                let slice = Array(changed.records[start..<min(start + Self.slice, changed.records.count)])
                let standings = try await browser.standings(of: slice, in: program)
                if cohort.tally.update(slice, to: standings) { cohort.document = nil }
            }
            cohort.place = changed.place
        }
        if projections.hasOtherWriters, let known = cohort.document, known.revision.version != before {
            cohort.document = nil
        }
        if cohort.document == nil {
            let bytes = cohort.tally.json(of: program)
            let digest = SHA256.hash(bytes)
            var revision: Revision?
            if projections.hasOtherWriters {
                revision = try await projections.assign(name, digest: digest, after: before)
            } else {
                revision = try await projections.assign(name, digest: digest)
            }
            guard let revision else { return try await refresh(program) }
            let document = LiveDocument(revision: revision, bytes: bytes)
            cohort.document = document
            told.yield((program, document))
        }
        cohort.askedAt = followed[program]?.askedAt ?? cohort.askedAt
        followed[program] = cohort
        return cohort.document
    }
}
