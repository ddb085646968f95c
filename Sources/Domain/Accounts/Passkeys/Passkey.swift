public import JSON
public import Shared

/// A passkey: a key that an authenticator holds for an account. It counts as both factors.
public struct Passkey: Sendable, Equatable {
    /// The maximum number of passkeys of an account.
    public static let capacity = 20
    /// The maximum number of code points of a name.
    public static let longestName = 60

    /// The identifier in URLs.
    public let id: String
    /// The account that it belongs to.
    public let account: AccountID
    /// The credential identifier that the authenticator gave it.
    public let credential: [UInt8]
    /// Its public key in COSE form.
    public let key: [UInt8]
    /// When it was created.
    public let createdAt: Timestamp
    /// The name that its owner gave it.
    public var name: String
    /// The authenticator's signature counter; 0 if it does not count.
    public var counter: UInt32
    /// When it was last used; `nil` for never.
    public var usedAt: Timestamp?
    /// When it was last refused because its counter did not rise, which suggests a copy; `nil` for never.
    public var refusedAt: Timestamp?

    /// Creates a passkey as it is stored.
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

    /// Writes the passkey as its owner may see it.
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

/// An account's passkeys at the moment of a change, with what the rules of the change need to know.
public struct PasskeySituation: Sendable {
    /// The account.
    public let account: AccountID
    /// Its passkeys, in the order of their creation.
    public let passkeys: [Passkey]
    /// The account's sessions.
    public let sessions: [Session]
    /// The ways in which the account's owner can sign in without a passkey.
    public let otherWays: WaysIn
    /// Whether the credential in question already is a passkey of any account.
    public let isTaken: Bool

    /// Creates a situation.
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
