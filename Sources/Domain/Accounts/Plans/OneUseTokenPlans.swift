public import Cryptography
public import Shared

/// Plans the writes of one-use tokens from the rows that the store found.
public enum OneUseTokenPlans {
    /// The maximum number of expired tokens to remove with each new one.
    public static let dropped = 8

    /// A stored token, numbered in the order of issue within its kind.
    public struct Row: Sendable, Equatable {
        /// Its number within its kind; it rises by one.
        public let number: Int
        /// Its digest.
        public let digest: TokenDigest
        /// When it expires.
        public let expiresAt: Timestamp

        /// Creates a token as it is stored.
        public init(number: Int, digest: TokenDigest, expiresAt: Timestamp) {
            self.number = number
            self.digest = digest
            self.expiresAt = expiresAt
        }
    }

    /// Plans to issue a token, unless too many of its kind were issued recently. Used tokens leave gaps in the numbers,
    /// so the numbers alone show how many were issued, and nothing has to be counted.
    ///
    /// - Parameters:
    ///   - first: The first ``dropped`` stored tokens of the kind.
    ///   - last: The last number given; `nil` if no token of the kind is stored.
    public static func issue(
        _ token: OneUseToken, digest: TokenDigest, at now: Timestamp, after last: Int?, besides first: [Row]
    ) -> AccountPlan<Bool> {
        let ended = first.prefix { $0.expiresAt <= now }
        let drops = ended.map { AccountRowChange.removeOneUse($0.digest) }
        let number = (last ?? 0) + 1
        let oldest = first.dropFirst(ended.count).first?.number ?? ended.last.map { $0.number + 1 } ?? number
        guard number - oldest < OneUseToken.capacity else { return AccountPlan(drops, value: false) }
        return AccountPlan(drops + [.insertOneUse(token, digest: digest, number: number)], value: true)
    }

    /// Plans to redeem a token: if it is wanted, it is used up even if it has expired; the value is `nil` unless it is
    /// valid.
    public static func redemption(
        _ digest: TokenDigest, _ token: OneUseToken?, at now: Timestamp, if isWanted: (OneUseToken) -> Bool
    ) -> AccountPlan<OneUseToken?> {
        guard let token, isWanted(token) else { return AccountPlan([], value: nil) }
        return AccountPlan([.removeOneUse(digest)], value: now < token.expiresAt ? token : nil)
    }
}
