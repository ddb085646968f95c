import Accounts
import Application
import Shared
import Testing

@Suite struct ClientLimiterTests {
    private let now = Timestamp(microseconds: 1_800_000_000_000_000)

    private func client(_ network: Int, site: String? = "2001:db8::/48") -> Client {
        Client(source: "network \(network)", site: site)
    }

    @Test func `a network has its share, and a site ten times as much`() {
        let limiter = ClientLimiter(perMinute: 2)
        #expect((0..<3).map { _ in limiter.wait(for: client(0), at: now) } == [nil, nil, 31])
        for number in 1..<10 { for _ in 0..<2 { #expect(limiter.wait(for: client(number), at: now) == nil) } }
        #expect(limiter.wait(for: client(10), at: now) == 4)
        #expect(limiter.wait(for: client(10, site: "2001:db8:1::/48"), at: now) == nil)
        #expect(limiter.wait(for: client(11, site: nil), at: now) == nil)
    }

    @Test func `an account counts for itself, and what is not limited does not count`() {
        let limiter = ClientLimiter(perMinute: 1)
        #expect(limiter.wait(for: client(0), as: AccountID("a"), at: now) == nil)
        #expect(limiter.wait(for: client(0), as: AccountID("b"), at: now) == nil)
        #expect(limiter.wait(for: client(1), as: AccountID("b"), at: now) == 61)
        #expect(limiter.wait(for: client(0), at: now) == nil)
        let free = Client(source: "127.0.0.1", isLimited: false)
        #expect((0..<5).allSatisfy { _ in limiter.wait(for: free, at: now) == nil })
    }
}
