public import Cryptography
public import JSON
public import Shared

/// A token with which software acts for an account, within its scopes, until it expires. It opens no session.
public struct APIToken: Sendable, Equatable {
    /// The kind of a token.
    public enum Kind: String, Sendable, CaseIterable {
        /// Created by a person, valid for months.
        case lasting
        /// The secret with which a service account gets access tokens. It gives no access by itself.
        case secret
        /// Issued by the server for the secret of a service account, valid for an hour.
        case access

        /// The beginning of its text, by which a published token is recognised.
        public var prefix: String { self == .secret ? "gcs_" : "gct_" }
    }

    /// The maximum number of unexpired lasting tokens of an account, and of secrets.
    public static let capacity = 50
    /// The maximum number of code points of a name.
    public static let longestName = 60
    /// The maximum number of networks of a token.
    public static let mostNetworks = 20
    /// The maximum lifetime in days.
    public static let longestLife = 400
    /// The lifetime in days if the request gives none.
    public static let usualLife = 90
    /// The lifetime of an access token in seconds.
    public static let accessLife: Int64 = 3_600
    /// The maximum number of access tokens of a secret; a further one ends the oldest.
    public static let accessCapacity = 50
    /// The time in seconds that an expired token is kept, so that its user learns that it has expired.
    public static let memory: Int64 = 30 * 86_400
    /// The time in seconds after which the stored time of the last use is renewed, so that requests rarely write.
    package static let touchInterval: Int64 = 900

    /// The identifier, which is not secret.
    public let id: APITokenID
    /// The account that it acts for.
    public let account: AccountID
    /// The kind.
    public let kind: Kind
    /// The name that its owner gave it.
    public let name: String
    /// Its scopes; empty for a secret, whose access tokens have scopes of the service account.
    public let scopes: Set<Scope>
    /// The networks that it may be used from, as CIDR; empty for any.
    public let networks: [String]
    /// The secret for which an access token was issued; `nil` for other kinds.
    public let granter: APITokenID?
    /// The factors that its maker had shown in the session that created it.
    public let factors: ShownFactors
    /// When it was created.
    public let createdAt: Timestamp
    /// When it expires.
    public let expiresAt: Timestamp
    /// When it was last used, precise to about ``touchInterval``; `nil` for never.
    public var usedAt: Timestamp?

    /// Creates a token as it is stored.
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

    /// Returns the text of a token, which only its owner receives.
    public static func text(_ secret: SecretToken, of kind: Kind = .lasting) -> String { kind.prefix + secret.text }

    /// Returns the secret in the text of a token of a kind; `nil` for any other text.
    public static func secret(in text: some Collection<UInt8>, of kind: Kind = .lasting) -> SecretToken? {
        // Every request does this, so it compares bytes without allocating memory.
        let prefix = kind.prefix.utf8
        let begins = text.withContiguousStorageIfAvailable { $0.starts(with: prefix) } ?? text.starts(with: prefix)
        guard begins else { return nil }
        return SecretToken(text: text.dropFirst(kind.prefix.utf8.count))
    }

    /// Writes the token as its owner may see it, with its text if it has just been created.
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

/// The bearer of an API token that is valid now.
public struct TokenBearer: Sendable, Equatable {
    /// The account that the token acts for, as of when it was read.
    public let acting: ActingAccount
    /// The token.
    public let token: APITokenID
    /// The scopes of the token; for a service account, only those that the account still has.
    public let scopes: Set<Scope>
    /// The networks that it may be used from, as CIDR; empty for any.
    public let networks: [String]
    /// When the token expires.
    public let expiresAt: Timestamp
    /// The enrolment that blocks the token: its owner must now have a second factor, and the token was created without
    /// one. `nil` if nothing blocks it.
    public let enrolment: Enrolment?

    package init(_ standing: TokenStanding, under duty: SecondFactorDuty) {
        let token = standing.token
        acting = ActingAccount(standing.account, asOf: standing.accessVersion)
        self.token = token.id
        scopes = standing.account.service.map { token.scopes.intersection($0.scopes) } ?? token.scopes
        networks = token.networks
        expiresAt = token.expiresAt
        enrolment = duty.enrolment(of: standing.account, showing: token.factors, having: standing.factors)
    }
}

/// A token with the state of its account at the same moment.
public struct TokenStanding: Sendable, Equatable {
    /// The token.
    public let token: APIToken
    /// The account that it acts for.
    public let account: Account
    /// The account's access version.
    public let accessVersion: Int
    /// The state of the account's second factor.
    public let factors: FactorStanding

    /// Creates the state of a token.
    public init(token: APIToken, account: Account, accessVersion: Int, factors: FactorStanding) {
        self.token = token
        self.account = account
        self.accessVersion = accessVersion
        self.factors = factors
    }
}

/// An account's tokens at the moment of a change.
public struct TokenSituation: Sendable {
    /// The account.
    public let account: Account
    /// All its tokens, in the order of their creation.
    public let tokens: [APIToken]
    /// All its sessions.
    public let sessions: [Session]

    /// Creates a situation.
    public init(account: Account, tokens: [APIToken], sessions: [Session]) {
        self.account = account
        self.tokens = tokens
        self.sessions = sessions
    }
}

/// The error if software requests a scope that its service account does not have.
public struct ScopeExceeded: Error, Equatable, Sendable {
    /// Creates the error.
    public init() {}
}
