import Accounts
import Shared

/// How fast one account may write: so many changes a second and at once, long changes counting for more. A client that
/// is not limited, such as loopback in a demonstration, may write at any rate.
public struct WriteRate: Sendable {
    private let limiter: RateLimiter<AccountID>

    /// - Parameters:
    ///   - perSecond: changes of one account in a second.
    ///   - burst: changes of one account at once.
    public init(perSecond: Int, burst: Int) { limiter = RateLimiter(perSecond, per: 1, burst: burst) }

    /// Counts what a change turned out to cost beyond its own length: computing and storing a long record again.
    ///
    /// - Parameter size: the length of the answer, which has the record's standing in it, in bytes.
    public func charge(_ context: AccountContext, standing size: Int) {
        guard context.client.isLimited, size >= 65_536 else { return }
        limiter.charge(context.account, at: context.now, cost: size / 65_536)
    }

    /// Counts a change that is `size` bytes long; throws `rate_limited` where it is one too many.
    public func check(_ context: AccountContext, size: Int) throws {
        guard context.client.isLimited else { return }
        // One more for every 16 KiB, up to what a change of a record may have; an import is as long as a class is large.
        let cost = 1 + min(size, 1 << 20) / 16_384
        if let wait = limiter.wait(for: context.account, at: context.now, cost: cost) {
            throw UseCaseError.rateLimited(retryAfter: wait)
        }
    }
}
