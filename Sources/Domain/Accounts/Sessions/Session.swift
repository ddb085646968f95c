public import Messages
public import Shared

/// One sign-in of one account on one device.
public struct Session: Sendable, Equatable {
    /// The identifier, which is not secret.
    public let id: SessionID
    /// The account.
    public let account: AccountID
    /// The kind, which sets its limits.
    public internal(set) var kind: SessionKind
    /// When the person signed in.
    public let createdAt: Timestamp
    /// When it ends at the latest.
    public internal(set) var expiresAt: Timestamp
    /// When it last made a request, precise to about a fifteenth of the idle limit.
    public package(set) var lastSeenAt: Timestamp
    /// The address that the sign-in came from.
    public let source: String
    /// The client's `User-Agent`, up to 200 bytes.
    public let client: String
    /// The name that the client gave its device; `nil` if it gave none.
    public let device: String?
    /// The factors that its owner has shown.
    public internal(set) var factors: ShownFactors

    /// Creates a session.
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

    /// The maximum number of sessions of an account; a further sign-in ends the oldest.
    public static let maximumCount = 50

    /// Returns the name by which a person recognises the device; `nil` if nothing is known about it.
    public func deviceName(in language: Language) -> String? {
        device ?? DeviceName(client: client)?.text(in: language)
    }

    /// When it ends if it makes no further request.
    public var endsAt: Timestamp {
        min(expiresAt, kind.idleLimit.map { lastSeenAt.adding(seconds: $0) } ?? expiresAt)
    }
}
