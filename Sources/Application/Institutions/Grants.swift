public import Institutions
public import Shared
import Synchronization

/// The memberships that rules grant from providers' claims.
///
/// When a person signs in through the provider, the rules grant what its claims say and revoke what they no longer say.
/// A grant that no sign-in renews lapses.
public struct Grants: Sendable {
    /// The maximum number of lapsing grants to read at once.
    private static let batch = 200

    private let store: any InstitutionStore
    private let clock: WallClock
    private let rules: RuleTable

    /// The rules by issuer, set after the start: they name institutions, which the configuration may have to create
    /// first.
    private final class RuleTable: Sendable {
        let rules = Mutex<[String: [GrantRule]]>([:])
    }

    init(store: any InstitutionStore, clock: WallClock) {
        self.store = store
        self.clock = clock
        rules = RuleTable()
    }

    /// Replaces the rules, which are keyed by issuer.
    public func use(_ rules: [String: [GrantRule]]) { self.rules.rules.withLock { $0 = rules } }

    /// Applies an issuer's claims about a person to the grants. Await it before opening the session that the person
    /// requested.
    public func heed(
        _ claims: AssertedClaims, of account: AccountID, by issuer: String, as act: AuditContext
    ) async throws {
        let rules = rules.rules.withLock { $0[issuer] ?? [] }
        if rules.isEmpty, try await !isGranted(account, by: issuer, at: act.at) { return }
        try await store.changeGrants(of: account, numbering: rules.studentNumbers(for: claims)) { rows in
            GrantPlans.renewal(of: rows, by: rules, of: issuer, for: claims, as: act)
        }
    }

    private func isGranted(_ account: AccountID, by issuer: String, at now: Timestamp) async throws -> Bool {
        try await store.places(of: account, at: now).memberships.contains { membership in
            membership.grants.contains { $0.rule?.issuer == issuer }
        }
    }

    /// Ends the grants whose time is over. Returns when the next one lapses; `nil` if none does.
    ///
    /// A lapsed grant gives no rights even before this call, which writes the audit trail and informs live connections.
    public func lapse() async throws -> Timestamp? {
        while true {
            let now = clock.now
            let next = try await store.lapses(limit: Self.batch)
            let due = next.prefix { $0.until <= now }
            if due.isEmpty { return next.first?.until }
            for account in Set(due.map(\.account)) {
                try await store.changeGrants(of: account) {
                    GrantPlans.lapse(of: $0, as: AuditContext(by: nil, from: "server", at: now))
                }
            }
        }
    }
}
