public import Cryptography
public import Forms
import JSON
import Messages
public import Shared

/// What a token turned out to be.
public enum TokenVerdict: Sendable, Equatable {
    /// It holds.
    case bearer(TokenBearer)
    /// It held once.
    case expired
    /// It opens nothing, or its account may not act.
    case unknown
}

/// API tokens: who shows one, and what their owners do with them.
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
    /// As for sessions: an entry holds until something is heard of its account.
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

    // MARK: Who asks

    /// The bearer of a token seen a moment ago, without asking the store; `nil` says nothing: ask `authenticate`. Never
    /// answers for a token that ended on this node.
    public func recent(_ token: SecretToken) -> TokenBearer? { recent(token.digest, at: clock.now) }

    private func recent(_ digest: TokenDigest, at now: Timestamp) -> TokenBearer? {
        guard let entry = cache.value(digest), now < entry.until else { return nil }
        return entry.bearer
    }

    /// What a token opens.
    public func authenticate(_ token: SecretToken) async throws -> TokenVerdict {
        let (digest, now) = (token.digest, clock.now)
        if let bearer = recent(digest, at: now) { return .bearer(bearer) }
        // Before the token is read: a change in between makes the entry worthless rather than wrong.
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

    /// Notes a use, unless the last one was noted lately.
    ///
    /// - Returns: the moment of the use that was noted last.
    private func note(_ token: APIToken, at now: Timestamp) async -> Timestamp {
        // Of an access token, the secret's last use says enough.
        guard token.kind == .lasting else { return now }
        if let used = token.usedAt, now < used.adding(seconds: APIToken.touchInterval) { return used }
        // A store that cannot write can still be read: the use then goes unnoted rather than the request unanswered.
        try? await store.changeAPITokens(of: token.account) { TokenPlans.touch(token.id, at: now, in: $0) }
        return now
    }

    /// The bearer of a token as the store has it now, or `nil` when it does not hold (any more).
    public func bearer(by id: APITokenID, of account: AccountID) async throws -> TokenBearer? {
        guard let standing = try await store.apiToken(id, of: account), clock.now < standing.token.expiresAt,
            standing.token.kind != .secret, !standing.account.isDisabled
        else { return nil }
        return TokenBearer(standing, under: duty)
    }

    // MARK: One's own

    /// An account's lasting tokens, in the order in which they were made, also those that expired lately.
    public func list(of account: AccountID) async throws -> [APIToken] {
        try await store.apiTokens(of: account).filter { $0.kind == .lasting }
    }

    /// Makes a token, which from then on is worth as many factors as the session is now.
    ///
    /// - Parameter network: reads an address or a network as CIDR and answers its one form, or `nil`.
    /// - Returns: the token, and its secret, which is shown only this once.
    /// - Throws: `StoreError.notFound` for a session that has ended, a `FaultList` for what is wrong with the request.
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

    /// Ends a token; `StoreError.notFound` for one that the account does not have.
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
