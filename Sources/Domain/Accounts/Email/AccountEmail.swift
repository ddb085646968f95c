public import Cryptography
public import JSON
public import Messages
public import Shared

/// The e-mail address of an account. An unconfirmed address is sent nothing but the link that confirms it.
public struct AccountEmail: Sendable, Equatable {
    /// An address that its owner has yet to confirm with the link.
    public struct Pending: Sendable, Equatable {
        /// The time that the link is valid, in seconds.
        public static let lifetime: Int64 = 86_400

        /// The address.
        public let address: EmailAddress
        /// The digest of the link's token.
        public let token: TokenDigest
        /// The moment from which the link is refused.
        public let expiresAt: Timestamp

        /// Creates an unconfirmed address.
        public init(address: EmailAddress, token: TokenDigest, expiresAt: Timestamp) {
            self.address = address
            self.token = token
            self.expiresAt = expiresAt
        }
    }

    /// The account.
    public let account: AccountID
    /// The confirmed address; `nil` if there is none.
    public var address: EmailAddress?
    /// When the address was confirmed.
    public var confirmedAt: Timestamp?
    /// The unconfirmed address that will replace it; `nil` if there is none.
    public var pending: Pending?
    /// The language in which the address was entered.
    public var language: Language

    /// Creates the addresses of an account.
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

    /// Whether the account has neither a confirmed nor an unconfirmed address.
    public var isEmpty: Bool { address == nil && pending == nil }

    /// Writes the addresses for their owner, who alone may see them; omits an unconfirmed one whose link has expired.
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

/// An account's address at the moment of a change, with what the rules of the change need to know.
public struct EmailSituation: Sendable {
    /// The account.
    public let account: Account
    /// Its address.
    public let email: AccountEmail
    /// The times of recent mails of the kind to be sent.
    public let earlier: [Timestamp]

    /// Creates a situation.
    public init(account: Account, email: AccountEmail, earlier: [Timestamp]) {
        self.account = account
        self.email = email
        self.earlier = earlier
    }

    /// The language for the account's owner.
    package var language: Language { account.profile.locale ?? email.language }
}

/// A request for a link that resets a password. The account is looked up later, so that neither the answer nor its
/// duration reveals whether there is one.
public struct ResetWish: Sendable, Equatable {
    /// The maximum number of waiting wishes.
    public static let capacity = 10_000

    /// The login in its normal form; empty if no account can have the text that was typed.
    public let login: Login
    /// The account that was signed in; `nil` for a guest.
    public let account: AccountID?
    /// The digest of the device token that came with the request, which may be anything; `nil` if none did.
    public let device: TokenDigest?
    /// The source of the request.
    public let source: String
    /// When the request was made.
    public let at: Timestamp

    /// Creates a wish.
    public init(
        login: Login, account: AccountID? = nil, device: TokenDigest? = nil, from source: String, at: Timestamp
    ) {
        self.login = login
        self.account = account
        self.device = device
        self.source = source
        self.at = at
    }
}

/// The account of a reset wish.
public struct ResetSituation: Sendable {
    /// The account with its address, and the times of recent mails of the kind.
    public let email: EmailSituation
    /// The kind of the mail.
    public let kind: Mail.Kind
    /// Whether it has a password.
    public let hasPassword: Bool

    /// Creates a situation.
    public init(email: EmailSituation, kind: Mail.Kind, hasPassword: Bool) {
        self.email = email
        self.kind = kind
        self.hasPassword = hasPassword
    }

    /// Returns the kind of mail that answers a wish: the owner's own, from a session or a known device, or that of
    /// anyone.
    public static func kind(of wish: ResetWish, by account: AccountID, knowsDevice: Bool) -> Mail.Kind {
        knowsDevice || wish.account == account ? .ownReset : .reset
    }
}
