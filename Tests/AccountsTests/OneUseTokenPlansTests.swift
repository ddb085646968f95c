import Accounts
import Cryptography
import Shared
import Testing

/// The bound on tokens that are used once, without any store.
@Suite struct OneUseTokenPlansTests {
    private let now = Timestamp(microseconds: 1_800_000_000_000_000)
    private var token: OneUseToken {
        OneUseToken(
            .session(digest(0)), of: OneUseToken.Holder(network: [1], source: [1]), expiresAt: now.adding(seconds: 30))
    }

    private func digest(_ number: Int) -> TokenDigest { TokenDigest(bytes: [UInt8(truncatingIfNeeded: number)]) }

    private func row(_ number: Int, endsIn seconds: Int64) -> OneUseTokenPlans.Row {
        OneUseTokenPlans.Row(digest: digest(number), expiresAt: now.adding(seconds: seconds))
    }

    /// Which tokens go for a new one, where ten may be stored and 99 is the oldest of the fullest holder.
    private func gone(stored: Int, besides first: [OneUseTokenPlans.Row]) throws -> [TokenDigest] {
        let plan = OneUseTokenPlans.issue(
            token, digest: digest(9), at: now, after: nil, stored: stored, besides: first, keeping: 10
        ) { digest(99) }
        #expect(plan.changes.count { if case .token(.insertOneUse) = $0 { true } else { false } } == 1)
        return plan.changes.compactMap { if case .token(.removeOneUse(let digest)) = $0 { digest } else { nil } }
    }

    @Test func `while there is room nothing goes`() throws {
        #expect(try gone(stored: 0, besides: []) == [])
        #expect(try gone(stored: 9, besides: [row(1, endsIn: 1)]) == [])
    }

    @Test func `without room the oldest of the fullest holder goes`() throws {
        #expect(try gone(stored: 10, besides: [row(1, endsIn: 1)]) == [digest(99)])
    }

    @Test func `what has expired goes first`() throws {
        #expect(try gone(stored: 10, besides: [row(1, endsIn: 0), row(2, endsIn: 1)]) == [digest(1)])
        #expect(try gone(stored: 5, besides: [row(1, endsIn: -1), row(2, endsIn: 0)]) == [digest(1), digest(2)])
    }
}
