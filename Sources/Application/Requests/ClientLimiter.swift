public import Accounts
public import Shared

/// Limits how often clients may ask for something: by account where there is one, otherwise by network address and, with
/// ten times as much, by IPv6 site.
public struct ClientLimiter: Sendable {
    /// How many sources' worth a site has.
    private static let sourcesOfSite = 10

    private let payers: RateLimiter<String>
    private let sites: RateLimiter<String>

    /// Creates a limiter.
    ///
    /// - Parameter count: The number of requests in a minute, which may all come at once; at most a million.
    public init(perMinute count: Int) {
        payers = RateLimiter(count, per: 60, burst: count)
        sites = RateLimiter(count * Self.sourcesOfSite, per: 60, burst: count * Self.sourcesOfSite)
    }

    /// Counts a request; returns the whole seconds to wait if there were too many, which is then not counted.
    ///
    /// - Parameter account: The account that asks, if requests count for accounts; `nil` to count for the client.
    public func wait(for client: Client, as account: AccountID? = nil, at now: Timestamp) -> Int? {
        guard client.isLimited else { return nil }
        if let account { return payers.wait(for: "account \(account)", at: now) }
        if let site = client.site, let wait = sites.look(for: site, at: now) { return wait }
        if let wait = payers.wait(for: client.source, at: now) { return wait }
        if let site = client.site { sites.charge(site, at: now, cost: 1) }
        return nil
    }
}
