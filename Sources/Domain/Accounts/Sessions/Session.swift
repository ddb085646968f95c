public import Messages
public import Shared

/// One sign-in of one account on one device.
public struct Session: Sendable, Equatable {
    /// Names the session; not a secret.
    public let id: SessionID
    /// Whose it is.
    public let account: AccountID
    /// How long it lasts.
    public internal(set) var kind: SessionKind
    /// The sign-in.
    public let createdAt: Timestamp
    /// The end, whatever happens.
    public internal(set) var expiresAt: Timestamp
    /// The last request, to about a fifteenth of the idle limit.
    public internal(set) var lastSeenAt: Timestamp
    /// The address it came from.
    public let source: String
    /// What the client says of itself, up to 200 bytes.
    public let client: String
    /// What the client calls the device; `nil` when it gave no name.
    public let device: String?
    /// How much its owner has shown.
    public internal(set) var factors: ShownFactors

    /// A session.
    public init(
        id: SessionID, account: AccountID, kind: SessionKind, createdAt: Timestamp, expiresAt: Timestamp,
        lastSeenAt: Timestamp, source: String, client: String, device: String? = nil,
        factors: ShownFactors = .one
    ) {
        self.id = id
        self.account = account
        self.kind = kind
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastSeenAt = lastSeenAt
        self.source = source
        self.client = client
        self.device = device
        self.factors = factors
    }

    /// The most sessions of an account; a sign-in beyond ends the oldest.
    public static let maximumCount = 50

    /// By what name a person recognises the device; `nil` when nothing is known of it.
    public func deviceName(in language: Language) -> String? {
        device ?? DeviceName(client: client)?.text(in: language)
    }

    /// When it ends if no request is made.
    public var endsAt: Timestamp {
        min(expiresAt, kind.idleLimit.map { lastSeenAt.adding(seconds: $0) } ?? expiresAt)
    }
}
