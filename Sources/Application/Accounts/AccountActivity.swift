import Accounts
public import GradingKit
public import Shared

/// The recent sign-ins and changes of credentials of an account, from the audit trail, for its owner.
public struct AccountActivity: Sendable {
    let store: any AccountStore
    let identities: Identities

    /// The audit actions that are listed.
    public static let actions = [
        "session.opened", "session.ended", "session.loggedOut", "sessions.ended", "proof.refused", "password.changed",
        "password.set", "link.issued", "second-factor.set", "second-factor.removed", "second-factor.refused",
        "recovery-codes.renewed", "recovery-code.used", "passkey.added", "passkey.renamed", "passkey.removed",
        "passkey.refused", "identity.linked", "identity.unlinked", "token.created", "token.ended", "email.requested",
        "email.confirmed", "email.removed", "link.mailed",
    ]

    /// One listed action.
    public struct Item: Sendable {
        /// The number of the audit row; it rises over all trails.
        public let number: Int
        private let entry: AuditEntry
        private let particulars: SignInParticulars
        private let provider: String?
        private let isOwn: Bool

        init(_ item: AuditItem, of account: AccountID, provider: (String) -> ProviderID?) {
            number = item.number
            entry = item.entry
            particulars = SignInParticulars(item.entry.detail)
            isOwn = item.entry.account == account
            self.provider = particulars.issuer.map { provider($0)?.text ?? $0 }
        }

        /// Writes the item. If another person acted, the account's owner learns neither who nor from where.
        public func write(to writer: inout JSONWriter, in language: Language) {
            writer.object {
                $0.member("id", number)
                $0.member("at", entry.at.description)
                $0.member("action", entry.action)
                $0.member("own", isOwn)
                $0.member("source", isOwn ? Self.shortened(entry.source) : nil)
                $0.member("way", particulars.way)
                $0.member("provider", provider)
                $0.member("deviceName", particulars.deviceName(in: language))
                $0.member("newDevice", particulars.isNewDevice)
            }
        }

        /// Returns an address without the part that distinguishes neighbours: 192.0.2.… or 2001:db8:1:….
        private static func shortened(_ source: String) -> String {
            let separator: Character = source.contains(":") ? ":" : "."
            let parts = source.split(separator: separator, omittingEmptySubsequences: false)
            guard parts.count > 3 else { return source }
            return parts.prefix(3).joined(separator: String(separator)) + "\(separator)…"
        }
    }

    /// Returns up to `limit` items, 1…200, before a number, newest first.
    public func list(of account: AccountID, before number: Int? = nil, limit: Int = 50) async throws -> [Item] {
        let query = AuditQuery(
            trail: .server, subject: account.text, actions: Self.actions, before: number, limit: limit)
        return try await store.auditItems(query).map { item in
            Item(item, of: account) { identities.provider(of: $0) }
        }
    }
}
