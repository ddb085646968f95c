import Cryptography
import Shared
private import Synchronization

/// Slows guessing down: from the fifth failure for a login from one source, each further attempt waits 1 s, doubling
/// to 15 min, and one source has at most twenty failures a minute.
///
/// A count per login alone would let anybody lock an account's owner out. A device that has signed in to the account
/// before, and a session that is open, have counts of their own and are not subject to the source's limit, so that
/// an owner gets in however many others guess from the same network. Unknown logins are counted like known ones.
/// Attempts that are turned away here are neither examined nor counted.
///
/// The counts are in the store, bounded and digested: they outlive the process, and servers over one store count together.
/// A failure is answered once it is stored. Failures that come quickly share their writes: forty at once, then four in a
/// second are the most that a flood of guesses costs the store. Where the store cannot write, this server goes on
/// counting by itself.
public final class SignInThrottle: Sendable {
    /// What failures are counted for.
    enum Subject: Hashable, Sendable {
        /// A login as typed at one source.
        case login(String, from: String)
        /// A device that signed in to the account before.
        case device(TokenDigest)
        /// A person who is signed in and gives the password again.
        case session(SessionID)
        /// An account whose password was right, and whose second factor is asked for.
        case secondFactor(AccountID)

        var key: SignInFailureKey {
            switch self {
            case .login(let login, let source): SignInFailureKey("login", login, from: source)
            case .device(let digest): SignInFailureKey("device", digest.bytes.hexadecimal)
            case .session(let session): SignInFailureKey("session", session.text)
            case .secondFactor(let account): SignInFailureKey("second factor", account.text)
            }
        }

        var rule: SignInFailureRule { if case .secondFactor = self { .code } else { .password } }
    }

    /// An attempt under way; to be settled once.
    struct Attempt: Sendable {
        fileprivate let key: SignInFailureKey
        fileprivate let rule: SignInFailureRule
        fileprivate let source: SignInFailureKey?
        /// Whether anything was counted for the subject before.
        fileprivate var isCounted = false

        fileprivate init(_ subject: Subject, from source: String?) {
            key = subject.key
            rule = subject.rule
            self.source = source.map { SignInFailureKey("source", $0) }
        }
    }

    fileprivate enum Decision {
        case admitted(isCounted: Bool)
        case wait(seconds: Int64)
        case readAgain
    }

    /// What this server alone knows.
    fileprivate struct Tables {
        /// Attempts under way.
        var inFlight: [SignInFailureKey: Int] = [:]
        /// Failures for the next write, and those that are being written.
        var reported: [SignInFailureKey: SignInFailureReport] = [:]
        var writing: [SignInFailureKey: SignInFailureReport] = [:]
        /// Who waits for the next write.
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isWriting = false
        /// How many writes have ended.
        var writes = 0
    }

    fileprivate static let concurrent = 16
    /// How often counts are read that change meanwhile.
    private static let readings = 3
    /// The most subjects whose failures are not stored yet.
    private static let capacity = 10_000

    private let store: any SignInFailureStore
    private let tables = Mutex(Tables())
    private let pace = Mutex(Pace())

    /// A throttle over the counts of a store.
    public init(store: any SignInFailureStore) { self.store = store }

    /// How many failures the store has not heard of.
    var unwritten: Int { tables.withLock { $0.reported.values.reduce(0) { $0 + $1.times } } }

    /// Lets an attempt go on, or throws `throttled`; `source` is `nil` when no limit of a source applies.
    func admit(_ subject: Subject, from source: String?, at now: Timestamp) async throws -> Attempt {
        var attempt = Attempt(subject, from: source)
        for reading in 1...Self.readings {
            let writes = tables.withLock { $0.writes }
            let found = try await store.signInFailures([attempt.key] + (attempt.source.map { [$0] } ?? []))
            let decision = tables.withLock { tables in
                // A write that has ended meanwhile may be missing in what was read, and is no longer known here.
                guard tables.writes == writes || reading == Self.readings else { return Decision.readAgain }
                return tables.decide(on: attempt, found, at: now)
            }
            switch decision {
            case .readAgain: continue
            case .wait(let seconds): throw AccountError.throttled(retryAfter: Int(seconds))
            case .admitted(let isCounted):
                attempt.isCounted = isCounted
                return attempt
            }
        }
        throw AccountError.busy(retryAfter: 1)
    }

    /// The password was right: the failures of the subject are forgotten.
    func succeed(_ attempt: Attempt) async {
        tables.withLock { tables in
            tables.land(attempt)
            tables.reported[attempt.key] = nil
        }
        // What cannot be forgotten now is with the next right password.
        if attempt.isCounted { try? await store.forgetSignInFailures(attempt.key) }
    }

    /// The attempt came to nothing through no fault of who made it.
    func abandon(_ attempt: Attempt) { tables.withLock { $0.land(attempt) } }

    /// The password was wrong, or the login unknown or disabled. Returns when that is stored, or cannot be.
    func fail(_ attempt: Attempt, at now: Timestamp) async {
        tables.withLock { tables in
            tables.land(attempt)
            tables.report(SignInFailureReport(attempt.key, by: attempt.rule, at: now), atMost: Self.capacity)
            if let source = attempt.source {
                tables.report(SignInFailureReport(source, by: .source, at: now), atMost: Self.capacity)
            }
        }
        await written()
    }

    /// Forgets the failures of a subject: its owner has shown who he or she is.
    func forget(_ subject: Subject) async {
        let key = subject.key
        tables.withLock { $0.reported[key] = nil }
        // As a rule there are none, and nothing has to be written.
        guard (try? await store.signInFailures([key]).isEmpty) != true else { return }
        try? await store.forgetSignInFailures(key)
    }

    /// Forgets the failures of a login whose owner has set a new password, from every source.
    func forget(_ login: Login) async {
        let subject = Subject.login(login.text, from: "").key.subject
        tables.withLock { tables in tables.reported = tables.reported.filter { $0.key.subject != subject } }
        try? await store.forgetSignInFailures(ofSubject: subject)
    }
}

extension SignInThrottle {
    /// Waits until what was reported is stored, or the store has refused it.
    private func written() async {
        await withCheckedContinuation { continuation in
            let begins = tables.withLock { tables in
                tables.waiting.append(continuation)
                defer { tables.isWriting = true }
                return !tables.isWriting
            }
            // A task of its own: it writes for all who wait, whatever becomes of the request that began it.
            if begins { Task.detached { [self] in await write() } }
        }
    }

    private func write() async {
        while true {
            if let pause = pace.withLock({ $0.next(at: .now) }) { try? await Task.sleep(for: pause) }
            let (reports, waiting) = tables.withLock { $0.beginWriting() }
            let isStored = await count(reports)
            let isDone = tables.withLock { $0.endWriting(isStored: isStored, atMost: Self.capacity) }
            for continuation in waiting { continuation.resume() }
            if isDone { return }
        }
    }

    /// Whether the store has counted failures.
    private func count(_ reports: [SignInFailureReport]) async -> Bool {
        if reports.isEmpty { return true }
        return (try? await store.count(reports, keeping: SignInFailurePlans.capacity)) != nil
    }
}

/// Spreads writes: forty at once, then four in a second.
private struct Pace {
    private static let interval = Duration.milliseconds(250)
    private static let burst = 40
    /// When as many writes as were made would have been made at an even pace.
    private var even = ContinuousClock.now

    /// How long the next write has to wait; `nil` for not at all.
    mutating func next(at now: ContinuousClock.Instant) -> Duration? {
        even = max(even, now) + Self.interval
        let ahead = now.duration(to: even) - Self.interval * Self.burst
        return ahead > .zero ? ahead : nil
    }
}

extension SignInThrottle.Tables {
    /// Lets an attempt go on, which is under way from then on, or says how long it has to wait.
    fileprivate mutating func decide(
        on attempt: SignInThrottle.Attempt, _ found: [SignInFailureRow], at now: Timestamp
    ) -> SignInThrottle.Decision {
        let row = counted(attempt.key, found, at: now)
        var wait = row.map { $0.until.seconds(after: now) } ?? 0
        if let source = attempt.source, let full = counted(source, found, at: now) {
            wait = max(wait, full.until.seconds(after: now) - 57)
        }
        let underWay = inFlight[attempt.key] ?? 0
        let isFree = (row?.count ?? 0) < SignInFailureRow.freeFailures
        if underWay >= (isFree ? SignInThrottle.concurrent : 1) { wait = max(wait, 1) }
        guard wait <= 0 else { return .wait(seconds: wait) }
        inFlight[attempt.key] = underWay + 1
        return .admitted(isCounted: row != nil)
    }

    /// What counts under a key: what the store has, and what it has not heard of yet.
    private func counted(
        _ key: SignInFailureKey, _ found: [SignInFailureRow], at now: Timestamp
    ) -> SignInFailureRow? {
        let stored = found.first { $0.key == key }
        let row = [writing[key], reported[key]].compactMap(\.self).reduce(stored) {
            SignInFailureRow(counting: $1, besides: $0)
        }
        return row.flatMap { $0.isForgotten(at: now) ? nil : $0 }
    }

    fileprivate mutating func land(_ attempt: SignInThrottle.Attempt) {
        let underWay = inFlight[attempt.key] ?? 0
        inFlight[attempt.key] = underWay > 1 ? underWay - 1 : nil
    }

    /// Keeps failures for the next write; of too many that could not be written, the oldest go.
    fileprivate mutating func report(_ report: SignInFailureReport, atMost capacity: Int) {
        if reported[report.key] == nil, reported.count >= capacity {
            let latest = reported.values.sorted { $0.at > $1.at }.prefix(capacity / 2)
            reported = Dictionary(latest.map { ($0.key, $0) }) { first, _ in first }
        }
        if reported[report.key]?.add(report) == nil { reported[report.key] = report }
    }

    fileprivate mutating func beginWriting() -> ([SignInFailureReport], [CheckedContinuation<Void, Never>]) {
        defer { (reported, waiting) = ([:], []) }
        writing = reported
        return (Array(reported.values), waiting)
    }

    /// Answers whether nothing more is to be written.
    fileprivate mutating func endWriting(isStored: Bool, atMost capacity: Int) -> Bool {
        if !isStored { for failure in writing.values { report(failure, atMost: capacity) } }
        writing = [:]
        writes += 1
        isWriting = !waiting.isEmpty
        return !isWriting
    }
}

extension Timestamp {
    /// Whole seconds from `earlier` to this moment, rounded up; negative when it is before.
    fileprivate func seconds(after earlier: Timestamp) -> Int64 {
        let difference = microseconds - earlier.microseconds
        return difference > 0 ? (difference + 999_999) / 1_000_000 : difference / 1_000_000
    }
}
