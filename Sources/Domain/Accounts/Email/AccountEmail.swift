public import Cryptography
public import JSON
public import Messages
public import Shared

/// Where an account's owner gets mail. Nothing but the link that confirms it is sent to an address that is not
/// confirmed.
public struct AccountEmail: Sendable, Equatable {
    /// An address that waits for its owner to follow the link.
    public struct Pending: Sendable, Equatable {
        /// Seconds for which the link holds.
        public static let patience: Int64 = 86_400

        /// The address.
        public let address: EmailAddress
        /// The digest of the link's token.
        public let token: TokenDigest
        /// From then on the link is refused.
        public let expiresAt: Timestamp

        /// An address that waits.
        public init(address: EmailAddress, token: TokenDigest, expiresAt: Timestamp) {
            self.address = address
            self.token = token
            self.expiresAt = expiresAt
        }
    }

    /// Whose.
    public let account: AccountID
    /// The address that was confirmed; `nil` for none.
    public var address: EmailAddress?
    /// When it was.
    public var confirmedAt: Timestamp?
    /// The address that is to take its place.
    public var pending: Pending?
    /// The language in which the address was given.
    public var language: Language

    /// What is known of an account's address.
    public init(
        of account: AccountID, address: EmailAddress? = nil, confirmedAt: Timestamp? = nil, pending: Pending? = nil,
        in language: Language = .english
    ) {
        self.account = account
        self.address = address
        self.language = language
        self.confirmedAt = confirmedAt
        self.pending = pending
    }

    /// Whether nothing is known.
    public var isEmpty: Bool { address == nil && pending == nil }

    /// Writes what its owner alone may see. A link that is over counts as none.
    public func write(to writer: inout JSONWriter, at now: Timestamp) {
        let pending = pending.flatMap { now < $0.expiresAt ? $0 : nil }
        writer.object {
            $0.member("address", address?.text)
            $0.member("confirmedAt", confirmedAt?.description)
            $0.member("pending", pending?.address.text)
            $0.member("pendingUntil", pending?.expiresAt.description)
        }
    }
}

/// What is true around an account's address at the moment of a change.
public struct EmailSituation: Sendable {
    /// The account.
    public let account: Account
    /// Its address.
    public let email: AccountEmail
    /// When mails of the kind that is to be sent were written lately.
    public let earlier: [Timestamp]

    /// A situation.
    public init(account: Account, email: AccountEmail, earlier: [Timestamp]) {
        self.account = account
        self.email = email
        self.earlier = earlier
    }

    /// The language that the account's owner reads.
    var language: Language { account.profile.locale ?? email.language }
}

/// A request for a link that resets a password. The account is looked up later, if there is one, so neither the answer
/// nor the time it takes tells the caller anything.
public struct ResetWish: Sendable, Equatable {
    /// The most wishes that may wait.
    public static let capacity = 10_000

    /// The login as it was typed, in its one form; empty for text that no account can have.
    public let login: Login
    /// From where.
    public let source: String
    /// When.
    public let at: Timestamp

    /// A wish.
    public init(login: Login, from source: String, at: Timestamp) {
        self.login = login
        self.source = source
        self.at = at
    }
}

/// What a wish for a reset is about.
public struct ResetSituation: Sendable {
    /// The account, with its address, and when it last got links.
    public let email: EmailSituation
    /// Whether it has a password.
    public let hasPassword: Bool

    /// A situation.
    public init(email: EmailSituation, hasPassword: Bool) {
        self.email = email
        self.hasPassword = hasPassword
    }
}

/// Where the addresses of accounts are kept.
public protocol EmailStore: Sendable {
    /// An account's address.
    func email(of id: AccountID) async throws -> AccountEmail

    /// The account that the link of a token confirms an address of; `nil` for none.
    func account(confirming token: TokenDigest) async throws -> AccountID?

    /// Changes an account's address; `notFound` for an account that is not there.
    ///
    /// - Parameter mail: the kind of the mail that is to be sent, and to where, for the count of those before; `nil`
    ///   for none.
    func changeEmail<Value: Sendable>(
        of id: AccountID, sending mail: (kind: Mail.Kind, to: EmailAddress)?, at now: Timestamp,
        _ plan: @escaping @Sendable (EmailSituation) throws -> AccountPlan<Value>
    ) async throws -> Value

    /// Notes a request for a reset, in place of an earlier one for the same login; `false` while
    /// ``ResetWish/capacity`` of them wait.
    func note(_ wish: ResetWish) async throws -> Bool

    /// Up to `limit` wishes, the oldest first.
    func resetWishes(_ limit: Int) async throws -> [ResetWish]

    /// Answers a wish; what there is about its login is `nil` where there is no such account.
    func answer(
        _ wish: ResetWish, at now: Timestamp,
        _ plan: @escaping @Sendable (ResetSituation?) throws -> AccountPlan<Void>
    ) async throws
}
