public import Messages

/// A mail that waits to be sent. It is stored in the transaction of the change that it reports. Its text and its link
/// are made when it is sent, so it contains no secret.
public struct Mail: Sendable, Equatable {
    /// The kind of a mail.
    public enum Kind: String, Sendable, CaseIterable {
        /// A link that confirms the address of an account.
        case confirmation
        /// To the previous address of an account: it has another one now.
        case addressChanged
        /// To the previous address of an account: it has none now.
        case addressRemoved
        /// To the address that an account had: it was deleted. It is about no account, because it outlives it.
        case accountDeleted
        /// A link that sets a new password, for which anyone may have asked.
        case reset
        /// The same link, asked for with a device or a session of the account. It is limited for itself, so that
        /// strangers use up no mail of the owner's.
        case ownReset
        /// A link that accepts an invitation to an institution.
        case invitation
        /// A sign-in from a device for the first time.
        case newDevice
        /// A change or a refusal concerning an account's credentials; the particular `action` names it.
        case security
        /// News of a person's feed, which the person asked to have mailed.
        case notice

        /// The maximum numbers of mails of the kind to an address or about an account, each within a time in seconds.
        public var limits: [(seconds: Int64, most: Int)] {
            switch self {
            case .confirmation, .reset, .ownReset, .invitation: [(3_600, 5), (86_400, 10)]
            case .newDevice: [(900, 1), (86_400, 5)]
            case .security: [(3_600, 10), (86_400, 20)]
            case .notice: [(3_600, 20), (86_400, 60)]
            // Each takes a confirmation, which is limited.
            case .addressChanged, .addressRemoved, .accountDeleted: []
            }
        }

        /// The maximum numbers of mails of the kind from one person, or from all service accounts of an institution
        /// together, to any addresses, each within a time in seconds.
        public var senderLimits: [(seconds: Int64, most: Int)] {
            switch self {
            case .invitation: [(3_600, 200), (86_400, 1_000)]
            case .confirmation, .reset, .ownReset, .newDevice, .security, .notice, .addressChanged, .addressRemoved,
                .accountDeleted:
                []
            }
        }
    }

    /// The maximum time in seconds during which a mail is tried.
    public static let lifetime: Int64 = 86_400

    /// The identifier, which never changes; it is part of the `Message-ID`, and the link is derived from it.
    public let id: String
    /// The kind.
    public let kind: Kind
    /// The address of the recipient.
    public let recipient: EmailAddress
    /// The account that it is about, and with which it is erased; `nil` for a person without an account.
    public let account: AccountID?
    /// The account that sends it to another person; `nil` for the server itself.
    public let sender: AccountID?
    /// The identifier of the object that it is about, and with which it is removed; `nil` if there is none.
    public let subject: String?
    /// The language.
    public let language: Language
    /// The values that its text mentions, by name.
    public let particulars: [String: String]
    /// When it was written.
    public let createdAt: Timestamp
    /// The moment from which it is useless and no longer sent.
    public let expiresAt: Timestamp

    /// Creates a mail that is tried for a day, or until its link expires.
    public init(
        id: String, _ kind: Kind, to recipient: EmailAddress, about account: AccountID? = nil,
        from sender: AccountID? = nil, subject: String? = nil, in language: Language,
        _ particulars: [String: String] = [:], at createdAt: Timestamp, until end: Timestamp? = nil
    ) {
        self.id = id
        self.kind = kind
        self.recipient = recipient
        self.account = account
        self.sender = sender
        self.subject = subject
        self.language = language
        self.particulars = particulars
        self.createdAt = createdAt
        let latest = createdAt.adding(seconds: Mail.lifetime)
        expiresAt = min(end ?? latest, latest)
    }
}

/// A mail in the queue.
public struct MailRow: Sendable, Equatable {
    /// The mail.
    public let mail: Mail
    /// When it is tried next.
    public var dueAt: Timestamp
    /// The moment until which only the sender that claimed it may try; `nil` if it is not claimed.
    public var leasedUntil: Timestamp?
    /// The number of attempts.
    public var attempts: Int

    /// Creates a mail as it is stored.
    public init(_ mail: Mail, dueAt: Timestamp, leasedUntil: Timestamp? = nil, attempts: Int = 0) {
        self.mail = mail
        self.dueAt = dueAt
        self.leasedUntil = leasedUntil
        self.attempts = attempts
    }
}

/// A mail that a sender has claimed from the queue.
public struct MailClaim: Sendable, Equatable {
    /// The mail.
    public let mail: Mail
    /// The number of this attempt, from 1.
    public let attempt: Int

    /// Creates a claim.
    public init(mail: Mail, attempt: Int) {
        self.mail = mail
        self.attempt = attempt
    }
}

/// The outcome of an attempt to send a mail.
public enum MailOutcome: Sendable, Equatable {
    /// The mail server accepted it.
    case sent
    /// The mail server will never accept it; the value is its reply code.
    case refused(Int)
    /// The mail server may accept it later.
    case postponed
    /// There is nothing left to tell, because a right or a consent ended.
    case withdrawn
}
