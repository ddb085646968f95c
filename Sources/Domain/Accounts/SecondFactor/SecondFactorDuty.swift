public import JSON

/// The factors that an account's owner has shown in a session, in rising order.
public enum ShownFactors: Sendable, Hashable {
    /// One factor: a password, or a sign-in with a provider.
    case one
    /// Also the account's own second factor, or a passkey, which is both.
    case own
    /// Two factors that a provider vouches for, by its issuer.
    case vouched(by: String)

    /// Creates factors as they are stored; `nil` for an unknown kind, and for two factors that no issuer vouches for.
    public init?(kind: String, voucher: String?) {
        switch (kind, voucher) {
        case ("one", _): self = .one
        case ("own", _): self = .own
        case ("vouched", let issuer?): self = .vouched(by: issuer)
        default: return nil
        }
    }

    /// The kind, as it is stored.
    public var kind: String {
        switch self {
        case .one: "one"
        case .own: "own"
        case .vouched: "vouched"
        }
    }

    /// The issuer that vouches for them; `nil` for other kinds.
    public var voucher: String? { if case .vouched(let issuer) = self { issuer } else { nil } }

    /// Returns what counts after others were shown: the higher ones; of equal ones the later.
    func adding(_ later: ShownFactors) -> ShownFactors { later.rank < rank ? self : later }

    private var rank: Int {
        switch self {
        case .one: 0
        case .own: 1
        case .vouched: 2
        }
    }
}

/// A session with the state of its account at the same moment.
public struct SessionStanding: Sendable, Equatable {
    /// The session.
    public package(set) var session: Session
    /// The account of its owner.
    public let account: Account
    /// The account's access version.
    public let accessVersion: Int
    /// The state of the account's second factor.
    public let factors: FactorStanding

    /// Creates the state of a session.
    public init(session: Session, account: Account, accessVersion: Int, factors: FactorStanding) {
        self.session = session
        self.account = account
        self.accessVersion = accessVersion
        self.factors = factors
    }
}

/// The state of an account's second factor at one moment.
public struct FactorStanding: Sendable, Equatable {
    /// Whether it has an authenticator app.
    public let hasApp: Bool
    /// Whether it has a passkey.
    public let hasPasskey: Bool
    /// Whether the account is staff of an institution that requires a second factor of its staff.
    public let isWanted: Bool
    /// The issuers that have vouched for a second factor of its owner.
    public let vouchers: Set<String>

    /// Creates a state.
    public init(
        hasApp: Bool = false, hasPasskey: Bool = false, isWanted: Bool = false, vouchers: Set<String> = []
    ) {
        self.hasApp = hasApp
        self.hasPasskey = hasPasskey
        self.isWanted = isWanted
        self.vouchers = vouchers
    }
}

/// The rules of who must have a second factor: administrators, unless the operator decides otherwise, and the staff of
/// institutions that require it.
public struct SecondFactorDuty: Sendable {
    let administrators: Bool
    let countsPasskeys: Bool
    let vouchers: [(issuer: String, provider: ProviderID)]
    /// The issuers whose word on a second factor counts.
    let believed: Set<String>

    /// Creates the rules.
    ///
    /// - Parameters:
    ///   - administrators: Whether administrators must have one.
    ///   - countsPasskeys: Whether this server offers passkeys.
    ///   - providers: The sign-in providers.
    public init(administrators: Bool, countsPasskeys: Bool = true, providers: [any IdentityProvider] = []) {
        self.administrators = administrators
        self.countsPasskeys = countsPasskeys
        believed = Set(providers.filter(\.vouchesForFactors).map(\.issuer))
        vouchers = providers.filter { $0.vouchesForFactors && $0.asksAgain }.map { ($0.issuer, $0.id) }
    }

    /// Returns the enrolment that is required before anything else; `nil` if none is. The session, or the one that made
    /// the token, must have shown two factors. A password alone is not enough even if the account has a passkey or a
    /// provider vouches for its second factor, and it cannot set up another factor in their place.
    ///
    /// - Parameters:
    ///   - shown: The factors shown in that session.
    ///   - factors: The state of the account's second factor.
    func enrolment(
        of account: Account, showing shown: ShownFactors, having factors: FactorStanding
    ) -> Enrolment? {
        // A service account has no second factor: the person who created it has shown one.
        guard account.service == nil else { return nil }
        guard account.role == .administrator && administrators || factors.isWanted else { return nil }
        let ways = (factors.hasPasskey && countsPasskeys ? [ProofWay.passkey] : []) + (factors.hasApp ? [.totp] : [])
        switch shown {
        // Not after the operator has withdrawn the belief in that provider, or the link with it has ended.
        case .vouched(let issuer) where believed.contains(issuer) && factors.vouchers.contains(issuer): return nil
        case .own where !ways.isEmpty: return nil
        case .vouched, .own, .one: break
        }
        let providers = vouchers.filter { factors.vouchers.contains($0.issuer) }.map(\.provider)
        guard ways.isEmpty, !providers.isEmpty else { return Enrolment(ways: ways) }
        return Enrolment(ways: [.provider], providers: providers)
    }
}

/// The required step before anything else: to show the second factor, or to set one up.
public struct Enrolment: Sendable, Equatable {
    /// The ways to show the account's second factor; empty if one must be set up.
    public let ways: [ProofWay]
    /// The providers that vouch for it, if that is the way.
    public let providers: [ProviderID]

    /// Creates an enrolment.
    public init(ways: [ProofWay], providers: [ProviderID] = []) {
        self.ways = ways
        self.providers = providers
    }

    /// The ways as JSON.
    public var json: JSON { .array(ways.map { .string($0.rawValue) }) }
}

/// The error if the session may do nothing until its owner has shown a second factor or set one up, or if the token may
/// do nothing and must be replaced after that.
public struct EnrolmentRequired: Error, Equatable, Sendable {
    /// The required step.
    public let enrolment: Enrolment

    /// Creates the error.
    public init(_ enrolment: Enrolment) { self.enrolment = enrolment }
}
