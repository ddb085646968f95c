@testable import RelationalStore
import Testing

@Suite struct `Attempts to make connections again` {
    private let now = ContinuousClock.now

    @Test func `wait after a failure, whoever made it`() throws {
        var attempts = ConnectionAttempts(delay: .seconds(1))
        attempts.failed(try #require(attempts.begin(at: now)), at: now)
        #expect(attempts.begin(at: now + .milliseconds(999)) == nil)
        #expect(attempts.begin(at: now + .seconds(1)) != nil)
    }

    @Test func `wait no longer once one has succeeded, though an earlier one fails after it`() throws {
        var attempts = ConnectionAttempts(delay: .seconds(1))
        let slow = try #require(attempts.begin(at: now))
        attempts.failed(try #require(attempts.begin(at: now)), at: now)
        attempts.succeeded()
        #expect(attempts.begin(at: now) != nil)
        attempts.failed(slow, at: now)
        #expect(attempts.begin(at: now) != nil)
    }
}
