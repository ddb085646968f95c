public import JSON

/// How much an account's owner has shown in a session. The later ones are worth more.
public enum ShownFactors: String, Sendable, CaseIterable, Comparable {
    /// One factor: a password, or what a provider says.
    case one
    /// The account's own second factor as well, or a passkey, which is both.
    case own
    /// Two factors, for which a provider vouches.
    case vouched

    /// Whether the first is worth less.
    public static func < (first: ShownFactors, second: ShownFactors) -> Bool { first.rank < second.rank }

    private var rank: Int {
        switch self {
        case .one: 0
        case .own: 1
        case .vouched: 2
        }
    }
}

/// A session with its owner, as a store has found both at one moment.
public struct SessionStanding: Sendable, Equatable {
    /// The session.
    public let session: Session
    /// Whose it is.
    public let account: Account
    /// The account's access version.
    public let accessVersion: Int
    /// What is true of the account's second factor.
    public let factors: FactorStanding

    /// A session as it stands.
    public init(session: Session, account: Account, accessVersion: Int, factors: FactorStanding) {
        self.session = session
        self.account = account
        self.accessVersion = accessVersion
        self.factors = factors
    }
}

/// What is true of an account's second factor at one moment.
public struct FactorStanding: Sendable, Equatable {
    /// Whether an authenticator app counts for it.
    public let hasApp: Bool
    /// Whether it has a passkey.
    public let hasPasskey: Bool
    /// Whether an institution of whose staff it is wants its staff to have a second factor.
    public let isWanted: Bool
    /// The issuers that have vouched for a second factor of its owner.
    public let vouchers: Set<String>

    /// A standing.
    public init(
        hasApp: Bool = false, hasPasskey: Bool = false, isWanted: Bool = false, vouchers: Set<String> = []
    ) {
        self.hasApp = hasApp
        self.hasPasskey = hasPasskey
        self.isWanted = isWanted
        self.vouchers = vouchers
    }
}

/// Who must have a second factor: administrators, unless the operator says otherwise, and the staff of institutions that
/// want it.
public struct SecondFactorDuty: Sendable {
    let administrators: Bool
    let countsPasskeys: Bool
    let vouchers: [(issuer: String, provider: ProviderID)]
    /// The issuers whose word on a second factor counts.
    let believed: Set<String>

    /// A duty.
    ///
    /// - Parameters:
    ///   - administrators: Whether administrators must have one.
    ///   - countsPasskeys: Whether passkeys can be used here.
    ///   - providers: Who vouches for people.
    public init(administrators: Bool, countsPasskeys: Bool = true, providers: [any IdentityProvider] = []) {
        self.administrators = administrators
        self.countsPasskeys = countsPasskeys
        believed = Set(providers.filter(\.vouchesForFactors).map(\.issuer))
        vouchers = providers.filter { $0.vouchesForFactors && $0.asksAgain }.map { ($0.issuer, $0.id) }
    }

    /// What an account's owner has to do before anything else; `nil` for nothing. The session itself, or the one that
    /// made the token, has to have shown two factors: a password alone is not enough even if the account has a passkey or
    /// a provider vouches for its second factor, and sets up no other factor in its place.
    ///
    /// - Parameters:
    ///   - shown: what was shown in that session.
    ///   - factors: what is true of the account's second factor.
    func enrolment(
        of account: Account, showing shown: ShownFactors, having factors: FactorStanding
    ) -> Enrolment? {
        // A service account has none: its maker has shown one.
        guard account.service == nil else { return nil }
        guard account.role == .administrator && administrators || factors.isWanted else { return nil }
        let ways = (factors.hasPasskey && countsPasskeys ? [Proofs.Way.passkey] : []) + (factors.hasApp ? [.totp] : [])
        switch shown {
        // Not after the operator has withdrawn the belief in the provider, or the link has ended.
        case .vouched where !believed.isDisjoint(with: factors.vouchers): return nil
        case .own where !ways.isEmpty: return nil
        case .vouched, .own, .one: break
        }
        let providers = vouchers.filter { factors.vouchers.contains($0.issuer) }.map(\.provider)
        guard ways.isEmpty, !providers.isEmpty else { return Enrolment(ways: ways) }
        return Enrolment(ways: [.provider], providers: providers)
    }
}

/// What the owner of a session has to do before anything else: show the second factor, or set one up.
public struct Enrolment: Sendable, Equatable {
    /// The ways to show the one that the account has; none where one has to be set up.
    public let ways: [Proofs.Way]
    /// The providers that vouch for it, where that is the way.
    public let providers: [ProviderID]

    /// What has to be done.
    public init(ways: [Proofs.Way], providers: [ProviderID] = []) {
        self.ways = ways
        self.providers = providers
    }

    /// The ways, as clients get them.
    public var json: JSON { .array(ways.map { .string($0.rawValue) }) }
}

/// The session may do nothing before its owner has shown a second factor, or has set one up; the token may do nothing, and
/// a new one has to be made after that.
public struct EnrolmentRequired: Error, Equatable, Sendable {
    /// What has to be done.
    public let enrolment: Enrolment

    /// What is asked for.
    public init(_ enrolment: Enrolment) { self.enrolment = enrolment }
}
