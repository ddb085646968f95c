public import Accounts
public import Cryptography
public import Forms
import GradingKit
public import Shared

/// The result of checking a token.
public enum TokenVerdict: Sendable, Equatable {
    /// The token is valid.
    case bearer(TokenBearer)
    /// The token has expired.
    case expired
    /// The token is unknown, gives no access by itself, or its account may not act.
    case unknown
}

/// The use cases of API tokens: identifying the bearer, and managing one's own.
public struct APITokens: Sendable {
    private struct Entry: Sendable {
        let bearer: TokenBearer
        let until: Timestamp
    }

    let store: any AccountStore
    let clock: WallClock
    let random: RandomSource
    let identifiers: UUIDSource
    private let duty: SecondFactorDuty
    /// The cache of bearers; as for sessions, an entry is valid until its account changes.
    private let cache: AccessCache<TokenDigest, Entry>

    init(
        store: any AccountStore, clock: WallClock, random: RandomSource, identifiers: UUIDSource, duty: SecondFactorDuty
    ) {
        self.store = store
        self.clock = clock
        self.random = random
        self.identifiers = identifiers
        self.duty = duty
        cache = AccessCache(capacity: 20_000, news: store.accessNews)
    }

    // MARK: Identifying the bearer

    /// Returns the cached bearer of a token without asking the store; if it is `nil`, call `authenticate`. Never
    /// returns the bearer of a token that ended on this node.
    public func recent(_ token: SecretToken) -> TokenBearer? { recent(token.digest, at: clock.now) }

    private func recent(_ digest: TokenDigest, at now: Timestamp) -> TokenBearer? {
        guard let entry = cache.value(digest), now < entry.until else { return nil }
        return entry.bearer
    }

    /// Checks a token and returns its bearer.
    public func authenticate(_ token: SecretToken) async throws -> TokenVerdict {
        let (digest, now) = (token.digest, clock.now)
        if let bearer = recent(digest, at: now) { return .bearer(bearer) }
        // Taken before the token is read: a change in between makes the entry useless, but not wrong.
        let moment = cache.moment
        guard let standing = try await store.apiToken(digest), standing.token.kind != .secret,
            !standing.account.isDisabled
        else { return .unknown }
        let token = standing.token
        guard now < token.expiresAt else { return .expired }
        let bearer = TokenBearer(standing, under: duty)
        let used = await note(token, at: now)
        let until = min(token.expiresAt, used.adding(seconds: APIToken.touchInterval))
        cache.keep(
            Entry(bearer: bearer, until: until), for: digest, restingOn: .account(standing.account.id), readAt: moment)
        return .bearer(bearer)
    }

    /// Stores when a token was used, unless this was stored recently.
    ///
    /// - Returns: When it was last stored.
    private func note(_ token: APIToken, at now: Timestamp) async -> Timestamp {
        // For an access token, the last use of its secret is enough.
        guard token.kind == .lasting else { return now }
        if let used = token.usedAt, now < used.adding(seconds: APIToken.touchInterval) { return used }
        // If the store can be read but not written, the request continues and the use is not stored.
        try? await store.changeAPITokens(of: token.account) { TokenPlans.touch(token.id, at: now, in: $0) }
        return now
    }

    /// Returns the bearer of a token as currently stored; `nil` if the token is not valid (any more).
    public func bearer(by id: APITokenID, of account: AccountID) async throws -> TokenBearer? {
        guard let standing = try await store.apiToken(id, of: account), clock.now < standing.token.expiresAt,
            standing.token.kind != .secret, !standing.account.isDisabled
        else { return nil }
        return TokenBearer(standing, under: duty)
    }

    // MARK: Managing one's own tokens

    /// Returns an account's lasting tokens in the order of their creation, including recently expired ones.
    public func list(of account: AccountID) async throws -> [APIToken] {
        try await store.apiTokens(of: account).filter { $0.kind == .lasting }
    }

    /// Creates a token, which keeps the factors that the session has shown by now.
    ///
    /// - Parameter network: Reads an address or a network and returns it as CIDR; `nil` if it is neither.
    /// - Returns: The token, and its secret, which is shown only once.
    /// - Throws: `StoreError.notFound` if the session has ended; `FaultList`.
    public func create(
        _ input: FormInput<TokenRequest>, in session: SessionID, of account: AccountID, by act: AuditContext,
        network: @Sendable (String) -> String?
    ) async throws -> (token: APIToken, secret: SecretToken) {
        var form = input.form
        let (request, scopes) = (input.value, input.value.scopes)
        let networks = Self.networks(request.networks, &form, read: network)
        if scopes.contains(where: \.isGuarded) {
            let isAdministrator = try await store.account(account)?.role == .administrator
            if !isAdministrator { form.refuse("scopes", .scopeRefused) }
            if networks.isEmpty { form.refuse("networks", .missingField) }
        }
        try form.finish()
        let life = Int64(request.days ?? APIToken.usualLife)
        let (id, name) = (APITokenID(identifiers.next()), request.name ?? "")
        let secret = SecretToken(random: random)
        let made = try await store.changeAPITokens(of: account) { situation in
            let token = APIToken(
                id: id, account: account, name: name, scopes: scopes, networks: networks,
                factors: try TokenPlans.factors(shownIn: session, of: situation), createdAt: act.at,
                expiresAt: act.at.adding(seconds: life * 86_400))
            return try TokenPlans.creation(of: token, digest: secret.digest, in: situation, by: act)
        }
        return (made, secret)
    }

    /// Ends a token; throws `StoreError.notFound` if the account has no such token.
    public func end(_ id: APITokenID, of account: AccountID, by act: AuditContext) async throws {
        try await store.changeAPITokens(of: account) { try TokenPlans.removal(of: id, in: $0, by: act) }
    }

    static func networks(
        _ texts: [String], _ form: inout Form, read: (String) -> String?
    ) -> [String] {
        var networks: [String] = []
        for (index, text) in texts.enumerated() {
            guard let network = read(text) else {
                form.refuse("networks", FaultList([Fault(.networkInvalid, at: JSONPointer.step(index))]))
                continue
            }
            if !networks.contains(network) { networks.append(network) }
        }
        return networks
    }
}
