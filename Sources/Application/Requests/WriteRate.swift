import Accounts
import Shared

/// The limit on how fast one account may write: changes per second and in a burst, where long changes count more. A
/// client without limits, such as loopback in a demonstration, may write at any rate.
public struct WriteRate: Sendable {
    private let limiter: RateLimiter<AccountID>

    /// Creates a limit.
    ///
    /// - Parameters:
    ///   - perSecond: changes per second of one account.
    ///   - burst: changes in a burst of one account.
    public init(perSecond: Int, burst: Int) { limiter = RateLimiter(perSecond, per: 1, burst: burst) }

    /// Charges the extra cost of a change to a long record, which is computed and stored again as a whole.
    ///
    /// - Parameter size: the length in bytes of the answer, which contains the record's standing.
    public func charge(_ context: AccountContext, standing size: Int) {
        guard context.client.isLimited, size >= 65_536 else { return }
        limiter.charge(context.account, at: context.now, cost: size / 65_536)
    }

    /// Charges a change of `size` bytes.
    ///
    /// - Throws: `rate_limited` when the account's limit is used up.
    public func check(_ context: AccountContext, size: Int) throws {
        guard context.client.isLimited else { return }
        // One more for each 16 KiB, up to the greatest size of a record change, so that a large import does not cost
        // more.
        let cost = 1 + min(size, 1 << 20) / 16_384
        if let wait = limiter.wait(for: context.account, at: context.now, cost: cost) {
            throw UseCaseError.rateLimited(retryAfter: wait)
        }
    }
}
