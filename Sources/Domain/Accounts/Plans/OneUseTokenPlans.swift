public import Cryptography
public import Shared

/// Plans the writes of one-use tokens from the rows that the store found.
public enum OneUseTokenPlans {
    /// The maximum number of expired tokens to remove with each new one.
    public static let dropped = 8

    /// A stored token.
    public struct Row: Sendable, Equatable {
        /// Its digest.
        public let digest: TokenDigest
        /// When it expires.
        public let expiresAt: Timestamp

        /// Creates a token as it is stored.
        public init(digest: TokenDigest, expiresAt: Timestamp) {
            self.digest = digest
            self.expiresAt = expiresAt
        }
    }

    /// Plans to issue a token. It removes some expired ones and, if too many of the kind are stored even then, the
    /// oldest of the holder with the most.
    ///
    /// - Parameters:
    ///   - last: The last number given; `nil` if no token of the kind is stored.
    ///   - stored: The number of stored tokens of the kind.
    ///   - first: The first ``dropped`` of them.
    ///   - most: The maximum number; at least 1.
    ///   - oldestOfFullest: Finds the oldest token of the source with the most tokens in the network with the most.
    public static func issue(
        _ token: OneUseToken, digest: TokenDigest, at now: Timestamp, after last: Int?, stored: Int,
        besides first: [Row], keeping most: Int, oldestOfFullest: () throws -> TokenDigest?
    ) rethrows -> AccountPlan<Void> {
        var gone = first.prefix { $0.expiresAt <= now }.map(\.digest)
        if stored - gone.count >= most, let oldest = try oldestOfFullest() { gone.append(oldest) }
        return AccountPlan(
            gone.map { .token(.removeOneUse($0)) } + [
                .token(.insertOneUse(token, digest: digest, number: (last ?? 0) + 1))
            ])
    }

    /// Plans to redeem a token: if it is wanted, it is used up even if it has expired; the value is `nil` unless it is
    /// valid.
    public static func redemption(
        _ digest: TokenDigest, _ token: OneUseToken?, at now: Timestamp, if isWanted: (OneUseToken) -> Bool
    ) -> AccountPlan<OneUseToken?> {
        guard let token, isWanted(token) else { return AccountPlan([], value: nil) }
        return AccountPlan([.token(.removeOneUse(digest))], value: now < token.expiresAt ? token : nil)
    }
}
