public import Storage

/// How long a sign-in lasts: the more it can do, the shorter.
public enum SessionKind: String, Sendable, CaseIterable {
    /// 30 days.
    case student
    /// 24 hours, and one hour without a request.
    case staff
    /// 12 hours, and 15 minutes without a request.
    case administrator

    /// Seconds from signing in to the end.
    public var lifetime: Int64 {
        switch self {
        case .student: 30 * 86_400
        case .staff: 86_400
        case .administrator: 12 * 3_600
        }
    }

    /// Seconds without a request after which it ends; `nil` for never.
    public var idleLimit: Int64? {
        switch self {
        case .student: nil
        case .staff: 3_600
        case .administrator: 15 * 60
        }
    }

    /// How old the stored time of the last request may grow, in seconds, so that requests rarely write.
    var touchInterval: Int64 { idleLimit.map { $0 / 15 } ?? 3_600 }
}

/// One sign-in of one account on one device.
public struct Session: Sendable, Equatable {
    /// Names the session; not a secret.
    public let id: SessionID
    /// Whose it is.
    public let account: AccountID
    /// How long it lasts.
    public let kind: SessionKind
    /// The sign-in.
    public let createdAt: Instant
    /// The end, whatever happens.
    public let expiresAt: Instant
    /// The last request, to about a fifteenth of the idle limit.
    public let lastSeenAt: Instant
    /// The address it came from.
    public let source: String
    /// What the client says of itself, up to 200 bytes.
    public let client: String

    /// A session.
    public init(
        id: SessionID, account: AccountID, kind: SessionKind, createdAt: Instant, expiresAt: Instant,
        lastSeenAt: Instant, source: String, client: String
    ) {
        self.id = id
        self.account = account
        self.kind = kind
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastSeenAt = lastSeenAt
        self.source = source
        self.client = client
    }

    /// When it ends if nobody makes a request.
    public var endsAt: Instant {
        min(expiresAt, kind.idleLimit.map { lastSeenAt.adding(seconds: $0) } ?? expiresAt)
    }
}

/// Where a request comes from, as far as sign-ins want to know.
public struct Client: Sendable, Equatable {
    /// The peer's address.
    public let source: String
    /// Whether failed sign-ins of the address are limited.
    public let isLimited: Bool
    /// What the client says of itself (`User-Agent`).
    public let description: String

    /// A client; of its description the first 200 bytes are kept.
    public init(source: String, isLimited: Bool = true, description: String = "") {
        self.source = source
        self.isLimited = isLimited
        self.description = String(
            decoding: description.utf8.prefix(200).filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self)
    }
}
