import Shared
import Testing

@testable import Application

@Suite struct RateLimiterTests {
    private func moment(_ milliseconds: Int64) -> Timestamp { Timestamp(microseconds: milliseconds * 1_000) }

    @Test func `so many at once, and then so many a second`() {
        let limiter = RateLimiter<String>(10, per: 1, burst: 3)
        let waits = (0..<4).map { _ in limiter.wait(for: "a", at: moment(0)) }
        #expect(waits == [nil, nil, nil, 1])
        #expect(limiter.wait(for: "b", at: moment(0)) == nil)
        #expect(limiter.wait(for: "a", at: moment(100)) == nil)
        #expect(limiter.wait(for: "a", at: moment(100)) == 1)
    }

    @Test func `what costs more takes more, on credit where it has to`() {
        let limiter = RateLimiter<String>(10, per: 1, burst: 10)
        #expect(limiter.wait(for: "a", at: moment(0), cost: 9) == nil)
        #expect(limiter.wait(for: "a", at: moment(0), cost: 31) == nil)
        // Three seconds of credit are to be paid back before there is room for one again.
        #expect(limiter.wait(for: "a", at: moment(0)) == 4)
        #expect(limiter.wait(for: "a", at: moment(3_000)) == 1)
        #expect(limiter.wait(for: "a", at: moment(3_100), cost: 40) == nil)
        #expect(limiter.wait(for: "a", at: moment(3_100)) == 5)
    }

    @Test func `work that is done already delays the next`() {
        let limiter = RateLimiter<String>(10, per: 1, burst: 10)
        limiter.charge("a", at: moment(0), cost: 29)
        #expect(limiter.wait(for: "a", at: moment(0)) == 3)
        #expect(limiter.wait(for: "a", at: moment(2_000)) == nil)
        #expect(limiter.wait(for: "a", at: moment(2_000)) == 1)
    }

    @Test func `newcomers are counted when every bucket is in use, and who took the most is not forgotten`() {
        let limiter = RateLimiter<Int>(1, per: 1, burst: 3, capacity: 4)
        #expect(limiter.wait(for: 0, at: moment(0), cost: 60) == nil)
        for key in 1...20 {
            let waits = (0..<4).map { _ in limiter.wait(for: key, at: moment(0)) }
            #expect(waits == [nil, nil, nil, 2])
        }
        #expect(limiter.wait(for: 0, at: moment(0)) == 59)
    }
}
