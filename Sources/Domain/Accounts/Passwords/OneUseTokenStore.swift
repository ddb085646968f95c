public import Cryptography
public import Shared

/// The store of tokens that can be used once, at any node, whichever node issued them.
public protocol OneUseTokenStore: Sendable {
    /// Stores a token, by ``OneUseTokenPlans/issue(_:digest:at:after:stored:besides:keeping:oldestOfFullest:)``.
    ///
    /// - Parameter most: The maximum number of stored tokens of a kind; at least 1.
    func issue(_ token: OneUseToken, digest: TokenDigest, at now: Timestamp, keeping most: Int) async throws

    /// Uses up a token and returns its meaning; `nil` if it has expired, was used or never existed. A token for which
    /// `isWanted` returns `false` is not used up. An unknown token costs no write.
    func redeem(
        _ digest: TokenDigest, at now: Timestamp, if isWanted: @escaping @Sendable (OneUseToken) -> Bool
    ) async throws -> OneUseToken?
}

extension OneUseTokenStore {
    /// Stores a token, one of at most ``OneUseToken/capacity`` of its kind.
    public func issue(_ token: OneUseToken, digest: TokenDigest, at now: Timestamp) async throws {
        try await issue(token, digest: digest, at: now, keeping: OneUseToken.capacity)
    }
}
