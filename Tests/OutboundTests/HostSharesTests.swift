import TestKit
import Testing

@testable import Outbound

@Suite struct HostSharesTests {
    /// Waits until so many wait for a turn.
    private func wait(for count: Int, in shares: HostShares) async {
        let deadline = ContinuousClock.now + .seconds(Patience.seconds)
        while shares.waiting(for: "a") != count, ContinuousClock.now < deadline { await Task.yield() }
        #expect(shares.waiting(for: "a") == count)
    }

    @Test func `a host takes no more than its share, and leaves the others theirs`() async {
        let shares = HostShares(running: 2, waiting: 0, longestWait: .seconds(60))
        var turns: [Bool] = []
        for host in ["a", "a", "a", "b"] { turns.append(await shares.enter(host)) }
        shares.leave("a")
        turns.append(await shares.enter("a"))
        #expect(turns == [true, true, false, true, true])
    }

    @Test func `who waits gets the turn that ends, in order`() async {
        let shares = HostShares(running: 1, waiting: 2, longestWait: .seconds(60))
        var turns = [await shares.enter("a")]
        async let first = shares.enter("a")
        await wait(for: 1, in: shares)
        async let second = shares.enter("a")
        await wait(for: 2, in: shares)
        turns.append(await shares.enter("a"))
        shares.leave("a")
        turns.append(await first)
        #expect(shares.waiting(for: "a") == 1)
        shares.leave("a")
        turns.append(await second)
        shares.leave("a")
        #expect(turns == [true, false, true, true])
        #expect(shares.hosts == 0)
    }

    @Test func `a turn that comes too late is not taken`() async {
        let shares = HostShares(running: 1, waiting: 1, longestWait: .zero)
        var turns = [await shares.enter("a")]
        async let late = shares.enter("a")
        await wait(for: 1, in: shares)
        shares.leave("a")
        turns.append(await late)
        #expect(turns == [true, false])
        #expect(shares.hosts == 0)
    }

    @Test(arguments: [
        ("https://Login.example.org/realm", "login.example.org"), ("https://a.example:8443?x", "a.example:8443"),
        ("http://127.0.0.1:80#x", "127.0.0.1:80"), ("nothing", ""),
    ])
    func `requests are counted by host and port`(url: String, host: String) {
        #expect(OutboundPolicy.authority(of: url) == host)
    }
}
