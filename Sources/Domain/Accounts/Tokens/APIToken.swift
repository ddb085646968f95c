public import Cryptography
public import JSON
public import Shared

/// What a machine shows to act for an account: within its scopes, until its end. It opens no session.
public struct APIToken: Sendable, Equatable {
    /// Where tokens come from.
    public enum Kind: String, Sendable, CaseIterable {
        /// Made by a person, for months.
        case lasting
        /// What a service account shows to get an access token. By itself it opens nothing.
        case secret
        /// Given by the server for the secret of a service account, for an hour.
        case access

        /// What its text begins with, so that one that got into public is recognised.
        public var prefix: String { self == .secret ? "gcs_" : "gct_" }
    }

    /// The most lasting tokens of an account that have not expired, and the most secrets.
    public static let capacity = 50
    /// The most code points of a name.
    public static let longestName = 60
    /// The most networks that a token may list.
    public static let mostNetworks = 20
    /// The longest life in days.
    public static let longestLife = 400
    /// The life in days where none is asked for.
    public static let usualLife = 90
    /// Seconds for which an access token holds.
    public static let accessLife: Int64 = 3_600
    /// The most access tokens that one secret has given: one more ends the oldest.
    public static let accessCapacity = 50
    /// How long an expired token is remembered, in seconds, so that its user learns that it has expired.
    public static let memory: Int64 = 30 * 86_400
    /// How old the stored moment of the last use may grow, in seconds, so that requests rarely write.
    static let touchInterval: Int64 = 900

    /// Names it; not a secret.
    public let id: APITokenID
    /// For whom it acts.
    public let account: AccountID
    /// Where it comes from.
    public let kind: Kind
    /// What its owner calls it.
    public let name: String
    /// What it may be used for; empty for a secret, whose access tokens have what the service account may have.
    public let scopes: Set<Scope>
    /// The networks from which it works, as CIDR; empty for everywhere.
    public let networks: [String]
    /// The secret for which an access token was given; `nil` for other kinds.
    public let granter: APITokenID?
    /// What its maker had shown in the session that made it.
    public let factors: ShownFactors
    /// When it was made.
    public let createdAt: Timestamp
    /// From then on it opens nothing.
    public let expiresAt: Timestamp
    /// Its last use, to about ``touchInterval``; `nil` before the first.
    public var usedAt: Timestamp?

    /// A token as it is stored.
    public init(
        id: APITokenID, account: AccountID, kind: Kind = .lasting, name: String, scopes: Set<Scope>,
        networks: [String] = [], granter: APITokenID? = nil, factors: ShownFactors = .one, createdAt: Timestamp,
        expiresAt: Timestamp, usedAt: Timestamp? = nil
    ) {
        self.id = id
        self.account = account
        self.kind = kind
        self.name = name
        self.scopes = scopes
        self.networks = networks
        self.granter = granter
        self.factors = factors
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.usedAt = usedAt
    }

    /// The text that only its owner receives.
    public static func text(_ secret: SecretToken, of kind: Kind = .lasting) -> String { kind.prefix + secret.text }

    /// The secret in the text of a token, or of another kind; `nil` for any other text.
    public static func secret(in text: some Collection<UInt8>, of kind: Kind = .lasting) -> SecretToken? {
        // Every request asks this: the bytes themselves are compared without the heap.
        let prefix = kind.prefix.utf8
        let begins = text.withContiguousStorageIfAvailable { $0.starts(with: prefix) } ?? text.starts(with: prefix)
        guard begins else { return nil }
        return SecretToken(text: text.dropFirst(kind.prefix.utf8.count))
    }

    /// Writes what its owner may see of it; with its text when it has just been made.
    public func write(to writer: inout JSONWriter, text: String? = nil) {
        writer.object {
            $0.member("id", id.text)
            $0.member("name", name)
            if kind != .secret { $0.member("scopes", .array(scopes.sorted().map { .string($0.rawValue) })) }
            $0.member("networks", .array(networks.map { .string($0) }))
            $0.member("createdAt", createdAt.description)
            $0.member("expiresAt", expiresAt.description)
            $0.member("usedAt", usedAt?.description)
            if let text { $0.member(kind == .secret ? "secret" : "token", text) }
        }
    }

    /// The token as JSON text, for the audit trail.
    var auditText: [UInt8] {
        var detail: JSONObject = ["name": .string(name)]
        if kind != .secret { detail["scopes"] = .array(scopes.sorted().map { .string($0.rawValue) }) }
        detail["networks"] = .array(networks.map { .string($0) })
        detail["expiresAt"] = .string(expiresAt.description)
        return JSON.object(detail).bytes
    }
}

/// The bearer of an API token that holds at this moment.
public struct TokenBearer: Sendable, Equatable {
    /// The account for which it acts, as it stands.
    public let acting: ActingAccount
    /// By which token.
    public let token: APITokenID
    /// What the token may be used for.
    public let scopes: Set<Scope>
    /// The networks from which it works, as CIDR; empty for everywhere.
    public let networks: [String]
    /// When the token ends.
    public let expiresAt: Timestamp
    /// What keeps the token from doing anything: its owner must have a second factor by now, and it was made without
    /// one. `nil` for nothing.
    public let enrolment: Enrolment?

    init(_ standing: TokenStanding, under duty: SecondFactorDuty) {
        let token = standing.token
        acting = ActingAccount(standing.account, asOf: standing.accessVersion)
        self.token = token.id
        scopes = standing.account.service.map { token.scopes.intersection($0.scopes) } ?? token.scopes
        networks = token.networks
        expiresAt = token.expiresAt
        enrolment = duty.enrolment(of: standing.account, showing: token.factors, having: standing.factors)
    }
}

/// A token with its account, as a store has found both at one moment.
public struct TokenStanding: Sendable, Equatable {
    /// The token.
    public let token: APIToken
    /// For whom it acts.
    public let account: Account
    /// The account's access version.
    public let accessVersion: Int
    /// What is true of the account's second factor.
    public let factors: FactorStanding

    /// A token as it stands.
    public init(token: APIToken, account: Account, accessVersion: Int, factors: FactorStanding) {
        self.token = token
        self.account = account
        self.accessVersion = accessVersion
        self.factors = factors
    }
}

/// An account's tokens, at the moment of a change.
public struct TokenSituation: Sendable {
    /// Whose.
    public let account: Account
    /// All of its tokens, in the order in which they were made.
    public let tokens: [APIToken]
    /// All of its sessions.
    public let sessions: [Session]

    /// A situation.
    public init(account: Account, tokens: [APIToken], sessions: [Session]) {
        self.account = account
        self.tokens = tokens
        self.sessions = sessions
    }
}

/// What API tokens need of a store.
public protocol APITokenStore: Sendable {
    /// A token with the account for which it acts, as both are at one moment; `nil` when there is none. The caller looks
    /// at the clock.
    func apiToken(_ digest: TokenDigest) async throws -> TokenStanding?

    /// A token of an account, in the same way.
    func apiToken(_ id: APITokenID, of account: AccountID) async throws -> TokenStanding?

    /// An account's tokens, in the order in which they were made.
    func apiTokens(of id: AccountID) async throws -> [APIToken]

    /// Changes an account's tokens; `StoreError.notFound` without such an account.
    func changeAPITokens<Value: Sendable>(
        of id: AccountID, _ plan: @escaping @Sendable (TokenSituation) throws -> AccountPlan<Value>
    ) async throws -> Value
}
