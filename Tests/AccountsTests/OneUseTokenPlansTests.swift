import Accounts
import Cryptography
import Shared
import Testing

/// The bound on tokens that are used once, without any store.
@Suite struct OneUseTokenPlansTests {
    private let now = Timestamp(microseconds: 1_800_000_000_000_000)
    private var token: OneUseToken { OneUseToken(.session(digest(0)), expiresAt: now.adding(seconds: 30)) }

    private func digest(_ number: Int) -> TokenDigest { TokenDigest(bytes: [UInt8(truncatingIfNeeded: number)]) }

    private func row(_ number: Int, endsIn seconds: Int64) -> OneUseTokenPlans.Row {
        OneUseTokenPlans.Row(number: number, digest: digest(number), expiresAt: now.adding(seconds: seconds))
    }

    private func issue(after last: Int?, besides first: [OneUseTokenPlans.Row]) -> (isIssued: Bool, dropped: Int) {
        let plan = OneUseTokenPlans.issue(token, digest: digest(9), at: now, after: last, besides: first)
        return (plan.value, plan.changes.count { if case .removeOneUse = $0 { true } else { false } })
    }

    @Test func `the first of its kind is issued`() {
        #expect(issue(after: nil, besides: []) == (true, 0))
    }

    @Test func `as many are issued within their time as there may be, and no more`() {
        #expect(issue(after: OneUseToken.capacity, besides: [row(2, endsIn: 1)]) == (true, 0))
        #expect(issue(after: OneUseToken.capacity, besides: [row(1, endsIn: 1)]) == (false, 0))
    }

    @Test func `what has expired makes harness, and goes`() {
        let last = OneUseToken.capacity
        #expect(issue(after: last, besides: [row(1, endsIn: 0), row(2, endsIn: 1)]) == (true, 1))
        #expect(issue(after: last, besides: [row(1, endsIn: -1), row(2, endsIn: 0)]) == (true, 2))
        #expect(issue(after: last + 5, besides: [row(1, endsIn: 0), row(2, endsIn: 1)]) == (false, 1))
    }
}
