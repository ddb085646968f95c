import Accounts
import Shared
import Synchronization
import TestKit
import Testing

@testable import Application

/// Counts in memory, behind a gate.
private final class Counts: SignInFailureStore {
    struct Full: Error {}

    private let rows = Mutex<[SignInFailureKey: SignInFailureRow]>([:])
    private let isFull = Mutex(false)
    let writes = Recorder<Int>()
    let held = Gate()
    private let holdsFirst: Bool

    init(holdsFirst: Bool = false) { self.holdsFirst = holdsFirst }

    func fill() { isFull.withLock { $0 = true } }
    func clear() { isFull.withLock { $0 = false } }
    var total: Int { rows.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    func signInFailures(_ keys: [SignInFailureKey]) async throws -> [SignInFailureRow] {
        rows.withLock { rows in keys.compactMap { rows[$0] } }
    }

    func count(_ reports: [SignInFailureReport], keeping most: Int) async throws {
        if isFull.withLock({ $0 }) { throw Full() }
        writes.record(reports.count)
        if holdsFirst, writes.items.count == 1 { try await onThread { self.held.pass() } }
        rows.withLock { rows in
            for report in reports {
                rows[report.key] = SignInFailureRow(counting: report, besides: rows[report.key])
            }
        }
    }

    func forgetSignInFailures(_ key: SignInFailureKey) async throws { rows.withLock { $0[key] = nil } }

    func forgetSignInFailures(ofSubject subject: [UInt8]) async throws {
        rows.withLock { rows in rows = rows.filter { $0.key.subject != subject } }
    }
}

@Suite struct SignInThrottleTests {
    private let now = Timestamp(microseconds: 1_800_000_000_000_000)

    @Test func `failures that come while others are written share one write`() async throws {
        let counts = Counts(holdsFirst: true)
        let throttle = SignInThrottle(store: counts)
        var attempts: [SignInThrottle.Attempt] = []
        for number in 0..<500 {
            attempts.append(try await throttle.admit(.login("l\(number)", from: "s"), from: nil, at: now))
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [attempt = attempts[0]] in await throttle.fail(attempt, at: now) }
            await counts.held.waitUntilReached()
            for attempt in attempts.dropFirst() { group.addTask { await throttle.fail(attempt, at: now) } }
            while throttle.unwritten < 499 { await Task.yield() }
            counts.held.open()
        }
        #expect(counts.writes.items == [1, 499])
        #expect(counts.total == 500)
    }

    @Test func `where the store cannot write, a server goes on counting and tells it later`() async throws {
        let counts = Counts()
        let throttle = SignInThrottle(store: counts)
        let subject = SignInThrottle.Subject.login("alice", from: "s")
        counts.fill()
        for _ in 0..<5 {
            let attempt = try await throttle.admit(subject, from: nil, at: now)
            await throttle.fail(attempt, at: now)
        }
        await #expect(throws: AccountError.throttled(retryAfter: 1)) {
            try await throttle.admit(subject, from: nil, at: now)
        }
        counts.clear()
        let other = try await throttle.admit(.login("bob", from: "s"), from: nil, at: now)
        await throttle.fail(other, at: now)
        #expect(counts.total == 6)
        #expect(throttle.unwritten == 0)
    }

    private func client(_ network: Int, site: String = "2001:db8::/48") -> Client {
        Client(source: "\(site) \(network)", site: site)
    }

    @Test func `guesses for one login from one site count together, with a wider allowance`() async throws {
        let throttle = SignInThrottle(store: Counts())
        func attempt(_ login: String, from client: Client) async throws {
            let attempt = try await throttle.admit(.login(login, from: client.source), from: client, at: now)
            await throttle.fail(attempt, at: now)
        }
        for number in 0..<41 { try await attempt("alice", from: client(number)) }
        await #expect(throws: AccountError.throttled(retryAfter: 1)) { try await attempt("alice", from: client(99)) }
        try await attempt("bob", from: client(99))
        try await attempt("alice", from: client(99, site: "2001:db8:1::/48"))
        // What the owner's own success removes is the count of the owner's network alone.
        let right = try await throttle.admit(
            .login("alice", from: client(1).source), from: client(1), at: now.adding(seconds: 1))
        await throttle.succeed(right)
        await #expect(throws: AccountError.throttled(retryAfter: 1)) { try await attempt("alice", from: client(1)) }
        await throttle.forget(Login(stored: "alice"))
        try await attempt("alice", from: client(1))
    }

    @Test func `a site has two hundred failures a minute in all its networks`() async throws {
        let throttle = SignInThrottle(store: Counts())
        func admit(_ number: Int) async throws -> SignInThrottle.Attempt {
            let client = client(number)
            return try await throttle.admit(.login("l\(number)", from: client.source), from: client, at: now)
        }
        var attempts: [SignInThrottle.Attempt] = []
        for number in 0..<200 { attempts.append(try await admit(number)) }
        await withTaskGroup(of: Void.self) { group in
            for attempt in attempts.dropFirst() { group.addTask { await throttle.fail(attempt, at: now) } }
        }
        throttle.abandon(try await admit(200))
        await throttle.fail(attempts[0], at: now)
        await #expect(throws: AccountError.throttled(retryAfter: 1)) { try await admit(200) }
        let other = client(1, site: "2001:db8:1::/48")
        throttle.abandon(try await throttle.admit(.login("l", from: other.source), from: other, at: now))
    }

    @Test func `of attempts for one login from one site few are under way at a time`() async throws {
        let throttle = SignInThrottle(store: Counts())
        for number in 0..<16 {
            let client = client(number)
            _ = try await throttle.admit(.login("alice", from: client.source), from: client, at: now)
        }
        await #expect(throws: AccountError.throttled(retryAfter: 1)) {
            try await throttle.admit(.login("alice", from: "x"), from: client(99), at: now)
        }
    }

    @Test func `wrong codes wait up to a day, and are not forgotten in an hour`() {
        let key = SignInFailureKey("second factor", "a")
        func waits(after codes: Int) -> Int64 {
            let report = SignInFailureReport(key, by: .code, times: codes, at: now)
            let row = SignInFailureRow(counting: report, besides: nil)
            return (row.until.microseconds - now.microseconds) / 1_000_000
        }
        #expect([4, 5, 6, 21, 22, 1_000].map(waits) == [0, 1, 2, 65_536, 86_400, 86_400])
        let first = SignInFailureRow(
            counting: SignInFailureReport(key, by: .code, times: 4, at: now), besides: nil)
        let weeks = SignInFailureReport(key, by: .code, at: now.adding(seconds: 29 * 86_400))
        #expect(SignInFailureRow(counting: weeks, besides: first).count == 5)
        let months = SignInFailureReport(key, by: .code, at: now.adding(seconds: 30 * 86_400))
        #expect(SignInFailureRow(counting: months, besides: first).count == 1)
    }
}
