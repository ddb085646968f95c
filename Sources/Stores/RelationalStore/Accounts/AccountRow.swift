import Accounts
import Cryptography
import Database
import GradingKit
import Shared

/// The form of accounts in the tables.
enum AccountRow {
    /// The columns that `account(_:)` reads, from 0 to `count` - 1.
    static let columns = columns(of: "accounts")
    static let count: Int32 = 18
    static let accessVersion = AccessVersionTable.select("account", "accounts.id")

    static func columns(of table: String) -> String {
        [
            "id", "created_at", "login", "display_name", "description", "gender", "hue", "locale", "role",
            "disabled", "picture", "service_of", "service_scopes", "discoverable", "followers", "lists", "given_name",
            "family_name",
        ].map { "\(table).\($0)" }.joined(separator: ", ")
    }

    static func account(_ row: borrowing Row) -> Account {
        Account(
            id: AccountID(row.text(0)), createdAt: Timestamp(microseconds: Int64(row.integer(1))),
            login: Login(stored: row.text(2)),
            profile: Profile(
                displayName: row.text(3), personName: personName(row, from: 16), description: row.text(4),
                gender: Gender(rawValue: row.text(5)) ?? .unspecified, hue: AvatarHue(tenths: row.integer(6)),
                locale: Language(rawValue: row.text(7)), isDiscoverable: row.boolean(13),
                followers: FollowerRule(rawValue: row.text(14)) ?? .approve,
                lists: ListAudience(rawValue: row.text(15)) ?? .none),
            role: row.optionalText(8).flatMap { ServerRole(rawValue: $0) }, isDisabled: row.boolean(9),
            picture: row.optionalText(10),
            service: row.optionalText(11).map {
                Account.Service(institution: InstitutionID($0), scopes: APITokenRow.scopes(row.text(12)))
            })
    }

    /// Reads a first and a last name from two columns that start at `first`.
    static func personName(_ row: borrowing Row, from first: Int32) -> PersonName {
        PersonName(given: row.optionalText(first), family: row.optionalText(first + 1))
    }

    /// Returns the columns of an account that may change: login, profile, role, search text and so on.
    static func values(_ account: Account) -> [SQLValue] {
        [
            .text(account.login.text), .text(account.profile.displayName), .text(account.profile.description),
            .text(account.profile.gender.rawValue), .integer(account.profile.hue.tenths),
            .text(account.profile.locale?.rawValue ?? ""), .text(account.role?.rawValue),
            .boolean(account.isDisabled), .text(account.picture), .text(account.searchText),
            .boolean(account.profile.isDiscoverable), .text(account.profile.followers.rawValue),
            .text(account.profile.lists.rawValue), .text(account.profile.personName.given),
            .text(account.profile.personName.family),
        ]
    }

    /// Reads a password hash. An unreadable one lets no one sign in, just like a missing one.
    static func password(_ text: String?) -> PasswordHash? { text.flatMap { PasswordHash(text: $0) } }
}

/// The form of sessions in the tables.
enum SessionRow {
    static let columns = [
        "id", "account", "kind", "created_at", "expires_at", "last_seen_at", "source", "client", "device",
        "factors", "voucher",
    ].map { "sessions.\($0)" }.joined(separator: ", ")
    static let count: Int32 = 11

    /// Reads a session from the columns that start at `first`.
    static func session(_ row: borrowing Row, from first: Int32 = 0) -> Session {
        Session(
            id: SessionID(row.text(first)), account: AccountID(row.text(first + 1)),
            // An unknown kind gets the strictest limits.
            kind: SessionKind(rawValue: row.text(first + 2)) ?? .administrator,
            createdAt: Timestamp(microseconds: Int64(row.integer(first + 3))),
            expiresAt: Timestamp(microseconds: Int64(row.integer(first + 4))),
            lastSeenAt: Timestamp(microseconds: Int64(row.integer(first + 5))), source: row.text(first + 6),
            client: row.text(first + 7), device: row.optionalText(first + 8),
            // An unknown value counts as the weakest.
            factors: ShownFactors(kind: row.text(first + 9), voucher: row.optionalText(first + 10)) ?? .one)
    }
}
