public import Accounts
import Cryptography
import Shared
private import Synchronization

/// Slows down guessing: from the fifth failure for a login from one source on, each further attempt is delayed by 1 s,
/// doubling up to 15 min, and one source has at most twenty failures a minute. An IPv6 site, which has many sources,
/// counts as well, with ten times as much of both.
///
/// Counting by login alone would let anyone lock out an account's owner. A device that has signed in to the account
/// before, and an open session, have counts of their own and no limit by source, so that owners get in however many
/// others guess from the same network. Unknown logins count like known ones. Attempts that are refused here are neither
/// checked nor counted.
///
/// The counts are stored as digests, in a limited number of rows: they survive a restart, and servers that share a
/// store count together. A failed attempt is answered once the failure is stored. Failures in quick succession share
/// their writes: a flood of guesses costs the store at most forty writes at once, then four a second. If the store
/// cannot write, this server counts on its own.
public final class SignInThrottle: Sendable {
    /// The subject that failures count for.
    enum Subject: Hashable, Sendable {
        /// A login as typed, from one source.
        case login(String, from: String)
        /// A device that has signed in to the account before.
        case device(TokenDigest)
        /// An open session whose owner proves their identity again.
        case session(SessionID)
        /// An account that waits for its second factor after a correct first one.
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

    /// One of the counts to which a failure adds.
    fileprivate struct Count: Sendable {
        let key: SignInFailureKey
        let rule: SignInFailureRule

        init(_ key: SignInFailureKey, _ rule: SignInFailureRule) {
            self.key = key
            self.rule = rule
        }
    }

    /// An attempt in progress, which must be finished once.
    struct Attempt: Sendable {
        /// The count of the subject, the only one that a correct secret removes.
        fileprivate let own: Count
        /// The counts of what is guessed, among them `own`. Each admits few attempts at a time.
        fileprivate let subjects: [Count]
        /// The counts of those who guess.
        fileprivate let sources: [Count]
        /// Whether the store had a count for the subject before.
        fileprivate var isCounted = false

        fileprivate var counts: [Count] { subjects + sources }

        fileprivate init(_ subject: Subject, from client: Client?) {
            own = Count(subject.key, subject.rule)
            var subjects = [own]
            if case .login(let login, _) = subject, let site = client?.site {
                subjects.append(Count(Subject.login(login, from: site).key, .sitePassword))
            }
            self.subjects = subjects
            let source = client.map { Count(SignInFailureKey("source", $0.source), .source) }
            let site = client?.site.map { Count(SignInFailureKey("source", $0), .site) }
            sources = [source, site].compactMap(\.self)
        }
    }

    fileprivate enum Decision {
        case admitted(isCounted: Bool)
        case wait(seconds: Int64)
        case readAgain
    }

    /// The state of this server.
    fileprivate struct Tables {
        /// The number of attempts in progress, by subject.
        var inFlight: [SignInFailureKey: Int] = [:]
        /// The failures for the next write; `writing` has those of the current write.
        var reported: [SignInFailureKey: SignInFailureReport] = [:]
        var writing: [SignInFailureKey: SignInFailureReport] = [:]
        /// The callers that wait for the next write.
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isWriting = false
        /// The number of writes that have ended.
        var writes = 0
    }

    fileprivate static let concurrent = 16
    /// How often to read counts that change during the read.
    private static let readings = 3
    /// The maximum number of keys with failures that are not yet stored.
    private static let capacity = 10_000

    private let store: any SignInFailureStore
    private let tables = Mutex(Tables())
    private let pace = Mutex(Pace())

    /// Creates a throttle that stores its counts.
    public init(store: any SignInFailureStore) { self.store = store }

    /// The number of failures that are not yet stored.
    var unwritten: Int { tables.withLock { $0.reported.values.reduce(0) { $0 + $1.times } } }

    /// Admits an attempt, or throws `throttled`; `client` is `nil` if no limit by source applies.
    func admit(_ subject: Subject, from client: Client?, at now: Timestamp) async throws -> Attempt {
        var attempt = Attempt(subject, from: client)
        for reading in 1...Self.readings {
            let writes = tables.withLock { $0.writes }
            let found = try await store.signInFailures(attempt.counts.map(\.key))
            let decision = tables.withLock { tables in
                // The failures of a write that ended in the meantime may be missing in what was read, and are no longer
                // here.
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

    /// Finishes an attempt with a correct secret, and removes the failures of its subject.
    func succeed(_ attempt: Attempt) async {
        tables.withLock { tables in
            tables.land(attempt)
            tables.reported[attempt.own.key] = nil
        }
        // If this fails, the next correct password removes them.
        if attempt.isCounted { try? await store.forgetSignInFailures(attempt.own.key) }
    }

    /// Finishes an attempt that failed for another reason than a wrong secret.
    func abandon(_ attempt: Attempt) { tables.withLock { $0.land(attempt) } }

    /// Finishes an attempt with a wrong password or an unknown or disabled login. Returns when the failure is stored,
    /// or cannot be.
    func fail(_ attempt: Attempt, at now: Timestamp) async {
        tables.withLock { tables in
            tables.land(attempt)
            for count in attempt.counts {
                tables.report(SignInFailureReport(count.key, by: count.rule, at: now), atMost: Self.capacity)
            }
        }
        await written()
    }

    /// Removes the failures of a subject whose owner has proven their identity.
    func forget(_ subject: Subject) async {
        let key = subject.key
        tables.withLock { $0.reported[key] = nil }
        // Usually there are none, and no write is needed.
        guard (try? await store.signInFailures([key]).isEmpty) != true else { return }
        try? await store.forgetSignInFailures(key)
    }

    /// Removes the failures of a login whose owner has set a new password, from all sources.
    func forget(_ login: Login) async {
        let subject = Subject.login(login.text, from: "").key.subject
        tables.withLock { tables in tables.reported = tables.reported.filter { $0.key.subject != subject } }
        try? await store.forgetSignInFailures(ofSubject: subject)
    }
}

extension SignInThrottle {
    /// Waits until the reported failures are stored, or the store has refused them.
    private func written() async {
        await withCheckedContinuation { continuation in
            let begins = tables.withLock { tables in
                tables.waiting.append(continuation)
                defer { tables.isWriting = true }
                return !tables.isWriting
            }
            // A detached task, because it writes for all waiting callers, even if the request that started it is
            // cancelled.
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

    /// Stores failures; returns whether the store accepted them.
    private func count(_ reports: [SignInFailureReport]) async -> Bool {
        if reports.isEmpty { return true }
        return (try? await store.count(reports, keeping: SignInFailurePlans.capacity)) != nil
    }
}

/// Limits the rate of writes: forty at once, then four a second.
private struct Pace {
    private static let interval = Duration.milliseconds(250)
    private static let burst = 40
    /// The moment at which the writes so far would be due at an even rate.
    private var even = ContinuousClock.now

    /// Returns how long the next write must wait; `nil` if it need not.
    mutating func next(at now: ContinuousClock.Instant) -> Duration? {
        even = max(even, now) + Self.interval
        let ahead = now.duration(to: even) - Self.interval * Self.burst
        return ahead > .zero ? ahead : nil
    }
}

extension SignInThrottle.Tables {
    /// Admits an attempt and counts it as in progress, or returns how long it must wait.
    fileprivate mutating func decide(
        on attempt: SignInThrottle.Attempt, _ found: [SignInFailureRow], at now: Timestamp
    ) -> SignInThrottle.Decision {
        var wait: Int64 = 0
        for subject in attempt.subjects {
            let row = counted(subject.key, found, at: now)
            wait = max(wait, row.map { $0.until.seconds(after: now) } ?? 0)
            let isFree = (row?.count ?? 0) < (subject.rule.free ?? 0)
            if inFlight[subject.key] ?? 0 >= (isFree ? SignInThrottle.concurrent : 1) { wait = max(wait, 1) }
        }
        for source in attempt.sources {
            guard let full = counted(source.key, found, at: now) else { continue }
            wait = max(wait, full.retry(by: source.rule).seconds(after: now))
        }
        guard wait <= 0 else { return .wait(seconds: wait) }
        for subject in attempt.subjects { inFlight[subject.key, default: 0] += 1 }
        return .admitted(isCounted: counted(attempt.own.key, found, at: now) != nil)
    }

    /// Returns the row of a key, with the failures that are not yet stored; `nil` if there is none or it has expired.
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
        for subject in attempt.subjects {
            let underWay = inFlight[subject.key] ?? 0
            inFlight[subject.key] = underWay > 1 ? underWay - 1 : nil
        }
    }

    /// Keeps failures for the next write. If too many keys could not be written, drops the older half.
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

    /// Ends a write; returns whether no further write is needed.
    fileprivate mutating func endWriting(isStored: Bool, atMost capacity: Int) -> Bool {
        if !isStored { for failure in writing.values { report(failure, atMost: capacity) } }
        writing = [:]
        writes += 1
        isWriting = !waiting.isEmpty
        return !isWriting
    }
}

extension Timestamp {
    /// Returns the whole seconds from `earlier` to this moment, rounded up; not positive if this moment is earlier.
    fileprivate func seconds(after earlier: Timestamp) -> Int64 {
        let difference = microseconds - earlier.microseconds
        return difference > 0 ? (difference + 999_999) / 1_000_000 : difference / 1_000_000
    }
}
