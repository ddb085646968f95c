public import Shared
import Synchronization

/// Memberships that rules give, by what providers say of people.
///
/// A rule grants when its person signs in through the provider, and takes back then what the provider no longer says.
/// What no sign-in renews lapses.
public struct Grants: Sendable {
    /// So many accounts' grants lapse in one go.
    private static let batch = 200

    private let store: any InstitutionStore
    private let clock: WallClock
    private let rules: RuleTable

    /// The rules by issuer. They name institutions, which the configuration may have to open first.
    private final class RuleTable: Sendable {
        let rules = Mutex<[String: [GrantRule]]>([:])
    }

    init(store: any InstitutionStore, clock: WallClock) {
        self.store = store
        self.clock = clock
        rules = RuleTable()
    }

    /// Uses these rules from now on, by issuer.
    public func use(_ rules: [String: [GrantRule]]) { self.rules.rules.withLock { $0 = rules } }

    /// Takes in what an issuer says of a person: to be awaited before the session opens that the person asks for.
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

    /// Ends the grants whose time is over, and answers when the next one's will be; `nil` for none.
    ///
    /// They give nothing from that moment on, whether or not this has been called: it writes the trail, and tells those
    /// who keep connections up to date.
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
