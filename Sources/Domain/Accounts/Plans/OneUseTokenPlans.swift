public import Cryptography
public import Shared

/// The rules of tokens that are used once, over the rows that a store has found.
public enum OneUseTokenPlans {
    /// How many tokens that have expired are dropped at most with each that is issued.
    public static let dropped = 8

    /// A token in the order in which those of its kind were issued.
    public struct Row: Sendable, Equatable {
        /// Its number among those of its kind, which rises by one.
        public let number: Int
        /// Its digest.
        public let digest: TokenDigest
        /// When it expires.
        public let expiresAt: Timestamp

        /// A token as it is stored.
        public init(number: Int, digest: TokenDigest, expiresAt: Timestamp) {
            self.number = number
            self.digest = digest
            self.expiresAt = expiresAt
        }
    }

    /// Issues a token unless too many of its kind were issued lately. Used tokens leave gaps in the numbering, so nothing
    /// has to be counted.
    ///
    /// - Parameters:
    ///   - first: the ``dropped`` first tokens of the kind that are there.
    ///   - last: the number given last; `nil` when there is no token of the kind.
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

    /// A token that is shown: it is used up if it is wanted, also when it is over.
    public static func redemption(
        _ digest: TokenDigest, _ token: OneUseToken?, at now: Timestamp, if isWanted: (OneUseToken) -> Bool
    ) -> AccountPlan<OneUseToken?> {
        guard let token, isWanted(token) else { return AccountPlan([], value: nil) }
        return AccountPlan([.removeOneUse(digest)], value: now < token.expiresAt ? token : nil)
    }
}
