public import JSON
public import Shared

/// A key that an authenticator keeps for an account: both factors at once.
public struct Passkey: Sendable, Equatable {
    /// The most of an account.
    public static let capacity = 20
    /// The most code points of a name.
    public static let longestName = 60

    /// Names it in addresses.
    public let id: String
    /// Whose it is.
    public let account: AccountID
    /// The authenticator's own name for it.
    public let credential: [UInt8]
    /// Its public key in COSE form.
    public let key: [UInt8]
    /// When it was made.
    public let createdAt: Timestamp
    /// What its owner calls it.
    public var name: String
    /// How often it was used, as far as the authenticator counts.
    public var counter: UInt32
    /// When it was last used.
    public var usedAt: Timestamp?
    /// When it was last refused because its counter did not rise: there may be a copy of it.
    public var refusedAt: Timestamp?

    /// A passkey as it is stored.
    public init(
        id: String, account: AccountID, credential: [UInt8], key: [UInt8], createdAt: Timestamp, name: String,
        counter: UInt32, usedAt: Timestamp? = nil, refusedAt: Timestamp? = nil
    ) {
        self.id = id
        self.account = account
        self.credential = credential
        self.key = key
        self.createdAt = createdAt
        self.name = name
        self.counter = counter
        self.usedAt = usedAt
        self.refusedAt = refusedAt
    }

    /// Writes what its owner may see of it.
    public func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("id", id)
            $0.member("name", name)
            $0.member("createdAt", createdAt.description)
            $0.member("usedAt", usedAt?.description)
            $0.member("refusedAt", refusedAt?.description)
        }
    }
}

/// An account's passkeys, and what is true around them at the moment of a change.
public struct PasskeySituation: Sendable {
    /// Whose.
    public let account: AccountID
    /// The passkeys, in the order in which they were made.
    public let passkeys: [Passkey]
    /// The account's sessions.
    public let sessions: [Session]
    /// How the account's owner can sign in without a passkey.
    public let otherWays: WaysIn
    /// Whether the credential in question is a passkey already, of whatever account.
    public let isTaken: Bool

    /// A situation.
    public init(
        account: AccountID, passkeys: [Passkey], sessions: [Session], otherWays: WaysIn, isTaken: Bool
    ) {
        self.account = account
        self.passkeys = passkeys
        self.sessions = sessions
        self.otherWays = otherWays
        self.isTaken = isTaken
    }
}

/// What passkeys need of a store.
public protocol PasskeyStore: Sendable {
    /// An account's passkeys, in the order in which they were made.
    func passkeys(of id: AccountID) async throws -> [Passkey]

    /// The passkey that an authenticator knows by a name; `nil` for none.
    func passkey(credential: [UInt8]) async throws -> Passkey?

    /// What authenticators know an account by; `fresh` becomes that where there is nothing yet.
    func userHandle(of id: AccountID, orElse fresh: [UInt8]) async throws -> [UInt8]

    /// Changes an account's passkeys; `StoreError.notFound` without such an account.
    func changePasskeys<Value: Sendable>(
        of id: AccountID, credential: [UInt8]?,
        _ plan: @escaping @Sendable (PasskeySituation) throws -> AccountPlan<Value>
    ) async throws -> Value
}
