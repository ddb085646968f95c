import Accounts
import Cryptography
import Deadlines
import GradingKit
import Institutions
import Records
public import Shared

/// The runner of imports: short ones while their sender waits, long ones one after another. It parses bodies outside
/// the event loops, where parsing would delay every other request.
///
/// The body is stored before the first row is entered, and each row has its own key, so an interrupted import resumes
/// and enters no row twice.
public final class ImportRunner: Sendable {
    /// How often to look for imports left by other processes.
    private static let interval = Duration.seconds(10)

    private let store: any ImportStore
    private let browser: any RecordBrowser
    private let records: RecordService
    private let accounts: AccountServices
    private let identifiers: UUIDSource
    private let clock: WallClock
    private let claimer: WorkClaimer

    init(
        store: any ImportStore, browser: any RecordBrowser, records: RecordService, accounts: AccountServices,
        identifiers: UUIDSource, clock: WallClock
    ) {
        self.store = store
        self.browser = browser
        self.records = records
        self.accounts = accounts
        self.identifiers = identifiers
        self.clock = clock
        claimer = WorkClaimer(.imports, in: store, identifiers: identifiers, clock: clock)
    }

    /// Works until the task is cancelled.
    func run() async { await claimer.whenWoken(atLeastEvery: Self.interval) { await carryOutAll() } }

    /// Carries out every import that no process is working on.
    func carryOutAll() async { await claimer.carryOutAll { try await resume($0) } }

    /// An import as its sender asks for it.
    public struct Request: Sendable {
        let body: ResultBody
        let hidden: Bool?
        let waits: Bool
        let context: AccountContext

        /// Creates a request.
        ///
        /// - Parameters:
        ///   - hidden: whether rows are hidden from the student if they do not say so themselves.
        ///   - waits: whether to return before anything is entered; has no effect on a preview.
        ///   - context: the request with its conditions.
        public init(_ body: ResultBody, hidden: Bool?, waits: Bool = false, by context: AccountContext) {
            self.body = body
            self.hidden = hidden
            self.waits = waits
            self.context = context
        }
    }

    /// Begins an import into the records of a program that the caller may grade, as the import by a writer does.
    ///
    /// - Parameter request: the import, which is read once the caller is known to be allowed.
    public func begin(
        _ request: @autoclosure () throws -> Request, into program: ProgramID, by context: AccountContext
    ) async throws -> ResultImport {
        let permit = try await records.access.permit(to: May.Grade.self, in: program, for: context.principal)
        let request = try request()
        return try await begin(request.body, by: writer(for: request, under: permit), waits: request.waits)
    }

    /// Returns what an import would do with each row; stores nothing.
    ///
    /// - Parameter request: the import, which is read once the caller is known to be allowed.
    public func preview(
        _ request: @autoclosure () throws -> Request, into program: ProgramID, by context: AccountContext
    ) async throws -> [ResultPreview.Row] {
        let permit = try await records.access.permit(to: May.Grade.self, in: program, for: context.principal)
        let request = try request()
        return try await preview(request.body, by: writer(for: request, under: permit))
    }

    private func writer(for request: Request, under permit: ProgramPermit<May.Grade>) -> ResultWriter {
        ResultWriter(
            under: permit, of: records, accounts: accounts, hidden: request.hidden, by: request.context)
    }

    /// Begins an import. Carries it out before returning, unless the import is long or `waits` is set. If the same key
    /// was used before, returns that import; a failed one starts again.
    func begin(_ body: ResultBody, by results: ResultWriter, waits: Bool) async throws -> ResultImport {
        let body = try await results.reading(body)
        return try await withTaskExecutorPreference(globalConcurrentExecutor) {
            let order = ImportOrder(
                source: results.context.client.source, reading: body.reading(hidden: results.hidden),
                size: body.bytes.count)
            let entry = ImportEntry(
                id: identifiers.next(), program: results.program.id, account: results.context.account,
                startedAt: results.context.now, key: results.context.idempotencyKey, total: try await body.count(),
                order: order)
            switch try await store.begin(entry, by: claimer.claim) {
            case .known(let known): return ResultImport(known, listing: try await store.rows(of: known.id))
            case .refused: throw UseCaseError.unavailable("Too many imports are under way", retryAfter: 10)
            case .begun(let begun, let lease):
                // Wakes the runner for whatever is left to do.
                defer { claimer.wake() }
                // A started import is carried out completely, even if its sender stops waiting.
                return try await Deadline.$current.withValue(nil) {
                    try await claimer.hold(lease) {
                        try await start(begun, body, by: results, waits: waits, under: lease)
                    }
                }
            }
        }
    }

    /// Returns an import into the program with its progress, for the program's staff.
    public func find(
        _ id: String, into program: ProgramID, for context: AccountContext
    ) async throws -> ResultImport? {
        _ = try await records.access.permit(to: May.Oversee.self, in: program, for: context.principal)
        guard let entry = try await store.entry(id), entry.program == program else { return nil }
        return ResultImport(entry, listing: try await store.rows(of: id))
    }

    /// Deletes the row lists of imports that ended a day ago, and the bodies that ended imports left behind.
    func tidy() async throws { try await store.forgetRows(endedBy: clock.now.adding(seconds: -ImportPlans.listed)) }

    /// Returns the students of the records that an import lists.
    public func owners(of found: ResultImport) async throws -> RecordOwners {
        let listed = found.items.compactMap { $0["record"]?.string.map { RecordID($0) } }
        return try await RecordOwners(of: listed, browser: browser, service: records)
    }

    /// Returns what an import would do with each row; stores nothing. Records in the audit trail that the caller read
    /// the records.
    func preview(_ body: ResultBody, by results: ResultWriter) async throws -> [ResultPreview.Row] {
        let body = try await results.reading(body)
        let rows = try await withTaskExecutorPreference(globalConcurrentExecutor) {
            var preview = ResultPreview(results)
            return try await preview.rows(of: body)
        }
        let seen = rows.compactMap { row -> (id: RecordID, student: AccountID?)? in
            guard case .success(let entering) = row.result else { return nil }
            return (entering.head.id, entering.head.student)
        }
        try await records.readings.note(results.context, lists: seen, of: results.program)
        return rows
    }

    // MARK: - Carrying out one import

    /// Stores the body, and carries out a short import unless `waits` is set.
    private func start(
        _ begun: ImportEntry, _ body: ResultBody, by results: ResultWriter, waits: Bool, under lease: WorkLease
    ) async throws -> ResultImport {
        var found = ResultImport(begun)
        do {
            try await store.keep(body.bytes, under: lease)
        } catch {
            // An import stored in part cannot resume. If even this update fails, the next claim notices the incomplete
            // body.
            found.end(.failed, at: clock.now)
            try? await found.keep(in: store, under: lease)
            throw error
        }
        guard !waits, begun.total <= ResultImport.fullyListed else { return found }
        do {
            return try await carryOut(found, body, by: results, under: lease)
        } catch  where ResultWriter.isPassing(error) || error is LeaseLost {
            // The body is stored completely, so the import resumes later. An error would make its sender send it again.
            guard let entry = try? await store.entry(begun.id) else { throw error }
            return ResultImport(entry, listing: (try? await store.rows(of: begun.id)) ?? [])
        }
    }

    /// Resumes an import where it stopped.
    private func resume(_ lease: WorkLease) async throws {
        guard let entry = try await store.entry(lease.work), entry.state == .running else { return }
        var found = ResultImport(entry, listing: try await store.rows(of: entry.id))
        if let (results, body) = try await order(of: entry) {
            _ = try await carryOut(found, body, by: results, under: lease)
        } else {
            found.end(.failed, at: clock.now)
            try await found.keep(in: store, under: lease)
        }
    }

    /// Returns what is needed to resume an import; `nil` if it cannot resume: after a day, when the keys of its rows
    /// are deleted; when its sender may no longer grade the program; or when its body is incomplete.
    private func order(of entry: ImportEntry) async throws -> (ResultWriter, ResultBody)? {
        let now = clock.now
        guard entry.startedAt > IdempotencyKey.horizon(at: now),
            let owner = try await accounts.sessions.goesOn(entry.account),
            let permit = try await permit(for: owner, in: entry.program),
            let (body, hidden) = try await ResultBody.read(store.body(of: entry.id), as: entry.order.reading),
            body.bytes.count == entry.order.size
        else { return nil }
        let request = RequestContext(
            principal: .job(orderedBy: owner), client: Client(source: entry.order.source), language: .english, now: now,
            under: .resultsWrite)
        let results = ResultWriter(
            under: permit, of: records, accounts: accounts, hidden: hidden, by: try AccountContext(request))
        return (results, body)
    }

    /// Returns whether the sender may still grade the program.
    private func mayGoOn(_ entry: ImportEntry) async throws -> Bool {
        guard let owner = try await accounts.sessions.goesOn(entry.account) else { return false }
        return try await permit(for: owner, in: entry.program) != nil
    }

    private func permit(
        for owner: ActingAccount, in program: ProgramID
    ) async throws -> ProgramPermit<May.Grade>? {
        let job = Principal.job(orderedBy: owner)
        guard job.has(.resultsWrite) else { return nil }
        do {
            return try await records.access.permit(to: May.Grade.self, in: program, for: job)
        } catch is UseCaseError {
            return nil
        }
    }

    /// Enters the remaining rows. When the task is cancelled, another runner continues.
    private func carryOut(
        _ begun: ResultImport, _ body: ResultBody, by results: ResultWriter, under lease: WorkLease
    ) async throws -> ResultImport {
        var progress = begun
        var resolved = ResultWriter.Resolved()
        let repeated = try await RepeatedRows(in: body)
        var reader = try ResultReader(body)
        for _ in 0..<progress.entry.done { guard try reader.skip() else { break } }
        while !Task.isCancelled {
            guard try await mayGoOn(progress.entry) else {
                progress.end(.failed, at: clock.now)
                try await progress.keep(in: store, under: lease)
                return progress
            }
            let items = try await results.enter(&reader, but: repeated, &resolved, under: progress.entry)
            for item in items { progress.add(item) }
            if progress.entry.done >= progress.entry.total {
                progress.end(.done, at: clock.now)
            } else if items.isEmpty {
                progress.end(.failed, at: clock.now)
            }
            try await progress.keep(in: store, under: lease)
            if progress.entry.state != .running { break }
            await Task.yield()
        }
        return progress
    }
}

extension ImportStore {
    /// Bytes in a stored piece of a body: few enough that writing one never delays other writes for long.
    private static var pieceSize: Int { 256 << 10 }

    /// Stores a body, piece by piece.
    fileprivate func keep(_ body: [UInt8], under lease: WorkLease) async throws {
        for (number, start) in stride(from: 0, to: body.count, by: Self.pieceSize).enumerated() {
            let end = min(start + Self.pieceSize, body.count)
            try await keep(Array(body[start..<end]), number: number, under: lease)
        }
    }

    /// Reads the stored pieces of a body.
    fileprivate func body(of id: String) async throws -> [UInt8] {
        var (body, number): ([UInt8], Int) = ([], 0)
        while let piece = try await piece(number, of: id) {
            body += piece
            number += 1
        }
        return body
    }
}
