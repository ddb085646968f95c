public import Messages

/// A mail that waits to be sent. It is stored in the transaction of what it tells of; its words are found, and its link
/// is made, when it is sent. So there is no secret in it.
public struct Mail: Sendable, Equatable {
    /// What mails tell.
    public enum Kind: String, Sendable, CaseIterable {
        /// A link that confirms the address of an account.
        case confirmation
        /// To the address that an account had: it has another one.
        case addressChanged
        /// To the address that an account had: it has none any more.
        case addressRemoved
        /// To the address that an account had: it was deleted. It is about no account, because it outlives it.
        case accountDeleted
        /// A link that sets a new password.
        case reset
        /// A link that accepts an invitation to an institution.
        case invitation
        /// A device signed in for the first time.
        case newDevice
        /// The ways into an account changed, or something about them was refused; the particular `action` names the act.
        case security

        /// How many of the kind are sent to an address, or about an account, within so many seconds.
        public var limits: [(seconds: Int64, most: Int)] {
            switch self {
            case .confirmation, .reset, .invitation: [(3_600, 5), (86_400, 10)]
            case .newDevice: [(900, 1), (86_400, 5)]
            case .security: [(3_600, 10), (86_400, 20)]
            // Each takes a confirmation, which is limited.
            case .addressChanged, .addressRemoved, .accountDeleted: []
            }
        }

        /// How many of the kind one person, or all service accounts of an institution together, may have sent, to whatever
        /// addresses, within so many seconds.
        public var senderLimits: [(seconds: Int64, most: Int)] {
            switch self {
            case .invitation: [(3_600, 200), (86_400, 1_000)]
            case .confirmation, .reset, .newDevice, .security, .addressChanged, .addressRemoved, .accountDeleted:
                []
            }
        }
    }

    /// Seconds for which a mail is tried.
    public static let lifetime: Int64 = 86_400

    /// Names it for ever; the name stands in its `Message-ID`, and its link is made from it.
    public let id: String
    /// What it tells.
    public let kind: Kind
    /// To whom.
    public let recipient: EmailAddress
    /// The account that it is about, with which it is erased; `nil` for a person without an account.
    public let account: AccountID?
    /// Who has it sent to another person; `nil` for the server itself.
    public let sender: AccountID?
    /// The identifier of what else it is about, with which it is taken back; `nil` for nothing.
    public let subject: String?
    /// In which language.
    public let language: Language
    /// Names that its words mention.
    public let particulars: [String: String]
    /// When it was written.
    public let createdAt: Timestamp
    /// From then on it is worth nothing and is not sent.
    public let expiresAt: Timestamp

    /// A mail that is tried for a day, or until its link ends.
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

/// A mail among those that are or were to be sent.
public struct MailRow: Sendable, Equatable {
    /// The mail.
    public let mail: Mail
    /// When it is tried next.
    public var dueAt: Timestamp
    /// Until when the sender that claimed it may try; meanwhile no other sender does.
    public var leasedUntil: Timestamp?
    /// How often it was tried.
    public var attempts: Int

    /// A mail as it is stored.
    public init(_ mail: Mail, dueAt: Timestamp, leasedUntil: Timestamp? = nil, attempts: Int = 0) {
        self.mail = mail
        self.dueAt = dueAt
        self.leasedUntil = leasedUntil
        self.attempts = attempts
    }
}

/// A mail that was taken from the queue to be sent now.
public struct MailClaim: Sendable, Equatable {
    /// The mail.
    public let mail: Mail
    /// Which attempt it is, from 1.
    public let attempt: Int

    /// A mail that was taken.
    public init(mail: Mail, attempt: Int) {
        self.mail = mail
        self.attempt = attempt
    }
}

/// What became of an attempt to send a mail.
public enum MailOutcome: Sendable, Equatable {
    /// The mail server took it.
    case sent
    /// The mail server will never take it; its reply's code.
    case refused(Int)
    /// It may be taken later.
    case postponed
}
