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

    /// A standing.
    public init(hasApp: Bool = false, hasPasskey: Bool = false, isWanted: Bool = false) {
        self.hasApp = hasApp
        self.hasPasskey = hasPasskey
        self.isWanted = isWanted
    }
}

/// Who must have a second factor: administrators, unless the operator says otherwise, and the staff of institutions that
/// want it.
public struct SecondFactorDuty: Sendable {
    let administrators: Bool
    let countsPasskeys: Bool

    /// A duty.
    ///
    /// - Parameters:
    ///   - administrators: Whether administrators must have one.
    ///   - countsPasskeys: Whether passkeys can be used here.
    public init(administrators: Bool, countsPasskeys: Bool = true) {
        self.administrators = administrators
        self.countsPasskeys = countsPasskeys
    }

    /// What an account's owner has to do before anything else; `nil` for nothing. The session itself, or the one that
    /// made the token, has to have shown two factors: a password alone is not enough even if the account has a passkey.
    ///
    /// - Parameters:
    ///   - shown: what was shown in that session.
    ///   - factors: what is true of the account's second factor.
    func enrolment(
        of account: Account, showing shown: ShownFactors, having factors: FactorStanding
    ) -> Enrolment? {
        guard account.role == .administrator && administrators || factors.isWanted else { return nil }
        let ways = (factors.hasPasskey && countsPasskeys ? [Proofs.Way.passkey] : []) + (factors.hasApp ? [.totp] : [])
        switch shown {
        case .vouched: return nil
        case .own where !ways.isEmpty: return nil
        case .own, .one: return Enrolment(ways: ways)
        }
    }
}

/// What the owner of a session has to do before anything else: show the second factor, or set one up.
public struct Enrolment: Sendable, Equatable {
    /// The ways to show the one that the account has; none where one has to be set up.
    public let ways: [Proofs.Way]

    /// What has to be done.
    public init(ways: [Proofs.Way]) { self.ways = ways }

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
