import Cryptography
import Shared
private import Synchronization

/// Slows guessing down: from the fifth failure for a login from one source, each further attempt waits 1 s, doubling
/// to 15 min, and one source has at most twenty failures a minute.
///
/// A count per login alone would let anybody lock an account's owner out. A device that has signed in to the account
/// before, and a session that is open, have counts of their own and are not subject to the source's limit, so that
/// an owner gets in however many others guess from the same network. Unknown logins are counted like known ones.
/// Attempts that are turned away here are neither examined nor counted. Memory is bounded; the counts do not outlive
/// the process.
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
    }

    /// An attempt under way; to be settled once.
    struct Attempt: Sendable {
        let subject: Subject
        let source: String?
    }

    fileprivate struct Failures {
        var count = 0
        var inFlight = 0
        var blockedUntil = Timestamp(microseconds: 0)
    }

    fileprivate struct Tables {
        var subjects: [Subject: Failures] = [:]
        /// When the address's failures will all be a minute old, each one counting for three seconds.
        var sources: [String: Timestamp] = [:]
    }

    private static let freeFailures = 4
    private static let longestDelay: Int64 = 900
    fileprivate static let memory: Int64 = 3_600
    private static let concurrent = 16
    fileprivate static let capacity = 50_000

    private let tables = Mutex(Tables())

    /// A throttle that has seen nothing yet.
    public init() {}

    /// Lets an attempt go on, or throws `throttled`; `source` is `nil` when no limit of a source applies.
    func admit(_ subject: Subject, from source: String?, at now: Timestamp) throws(AccountError) -> Attempt {
        let wait: Int64 = tables.withLock { tables in
            tables.shrink(at: now)
            var wait = source.flatMap { tables.sources[$0] }.map { $0.seconds(after: now) - 57 } ?? 0
            let failures = tables.failures(of: subject, at: now)
            wait = max(wait, failures.blockedUntil.seconds(after: now))
            let allowed = failures.count < SignInThrottle.freeFailures ? SignInThrottle.concurrent : 1
            if failures.inFlight >= allowed { wait = max(wait, 1) }
            if wait <= 0 { tables.subjects[subject, default: Failures()].inFlight += 1 }
            return wait
        }
        guard wait <= 0 else { throw .throttled(retryAfter: Int(wait)) }
        return Attempt(subject: subject, source: source)
    }

    /// The password was right: the login's failures are forgotten.
    func succeed(_ attempt: Attempt) {
        tables.withLock { tables in
            tables.land(attempt)
            if let failures = tables.subjects[attempt.subject] {
                tables.subjects[attempt.subject] = failures.inFlight == 0 ? nil : Failures(inFlight: failures.inFlight)
            }
        }
    }

    /// The attempt came to nothing through no fault of who made it.
    func abandon(_ attempt: Attempt) {
        tables.withLock { $0.land(attempt) }
    }

    /// The password was wrong, or the login unknown or disabled.
    func fail(_ attempt: Attempt, at now: Timestamp) {
        tables.withLock { tables in
            tables.land(attempt)
            var failures = tables.failures(of: attempt.subject, at: now)
            failures.count = min(failures.count + 1, 1_000)
            failures.blockedUntil = now.adding(seconds: SignInThrottle.delay(after: failures.count))
            tables.subjects[attempt.subject] = failures
            if let source = attempt.source {
                tables.sources[source] = max(tables.sources[source] ?? now, now).adding(seconds: 3)
            }
        }
    }

    private static func delay(after failures: Int) -> Int64 {
        let excess = failures - freeFailures - 1
        return excess < 0 ? 0 : excess < 10 ? 1 << Int64(excess) : longestDelay
    }

    /// Forgets the failures of a subject: its owner has signed in.
    func forget(_ subject: Subject) {
        tables.withLock { tables in
            guard let failures = tables.subjects[subject] else { return }
            tables.subjects[subject] = failures.inFlight == 0 ? nil : Failures(inFlight: failures.inFlight)
        }
    }

    /// Forgets the failures of a login whose owner has set a new password, from every source.
    func forget(_ login: Login) {
        tables.withLock { tables in
            tables.subjects = tables.subjects.filter { subject, failures in
                if case .login(login.text, _) = subject { failures.inFlight > 0 } else { true }
            }
        }
    }
}

extension SignInThrottle.Tables {
    /// What counts still: an hour after the last delay ended, nothing does.
    fileprivate func failures(of subject: SignInThrottle.Subject, at now: Timestamp) -> SignInThrottle.Failures {
        guard let failures = subjects[subject] else { return SignInThrottle.Failures() }
        let isOld = failures.blockedUntil.adding(seconds: SignInThrottle.memory) < now
        return isOld ? SignInThrottle.Failures(inFlight: failures.inFlight) : failures
    }

    fileprivate mutating func land(_ attempt: SignInThrottle.Attempt) {
        guard var failures = subjects[attempt.subject] else { return }
        failures.inFlight = max(0, failures.inFlight - 1)
        subjects[attempt.subject] = failures.inFlight == 0 && failures.count == 0 ? nil : failures
    }

    /// At capacity drops what has been quiet for an hour; if that is not half, those quiet the longest.
    fileprivate mutating func shrink(at now: Timestamp) {
        let half = SignInThrottle.capacity / 2
        if sources.count >= SignInThrottle.capacity {
            sources = sources.filter { $0.value > now }
            if sources.count > half { sources = [:] }
        }
        guard subjects.count >= SignInThrottle.capacity else { return }
        subjects = subjects.filter { $0.value.blockedUntil.adding(seconds: SignInThrottle.memory) > now }
        guard subjects.count > half else { return }
        let latest = subjects.sorted { $0.value.blockedUntil > $1.value.blockedUntil }.prefix(half)
        subjects = Dictionary(latest.map { ($0.key, $0.value) }) { first, _ in first }
    }
}

extension Timestamp {
    /// Whole seconds from `earlier` to this moment, rounded up; negative when it is before.
    fileprivate func seconds(after earlier: Timestamp) -> Int64 {
        let difference = microseconds - earlier.microseconds
        return difference > 0 ? (difference + 999_999) / 1_000_000 : difference / 1_000_000
    }
}
