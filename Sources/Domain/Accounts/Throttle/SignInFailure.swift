import Cryptography
public import Shared

/// The key of a failure count. It contains only digests, since people type secrets into the wrong field.
public struct SignInFailureKey: Sendable, Hashable {
    /// The SHA-256 of what is being guessed, without the source.
    public let subject: [UInt8]
    /// The SHA-256 of the source; of an empty text if failures from all sources count together.
    public let source: [UInt8]

    /// Creates a key as it is stored.
    public init(subject: [UInt8], source: [UInt8]) {
        self.subject = subject
        self.source = source
    }

    /// Creates a key from a kind of subject, its name, and the source if each source counts separately.
    public init(_ kind: String, _ name: String, from source: String? = nil) {
        subject = SHA256.hash("\(kind) \(name)".utf8)
        self.source = SHA256.hash((source ?? "").utf8)
    }
}

/// The rule for how long failures delay the next attempt.
public enum SignInFailureRule: String, Sendable, CaseIterable {
    /// From the fifth failure on 1 s, doubling up to 15 minutes. The failures expire an hour after the delay.
    case password
    /// From the fifth failure on 1 s, doubling up to a day. The failures expire 30 days after the delay. Only people
    /// who know the password get this far, and at one attempt a day the million codes last.
    case code
    /// One failure every three seconds; a minute's worth may come at once.
    case source
    /// As for a password, from the 41st failure on: those for one login from an IPv6 site, which has many sources.
    case sitePassword
    /// Ten failures every three seconds, for an IPv6 site; a minute's worth may come at once.
    case site

    /// The number of failures before the first delay; `nil` if it depends on their rate.
    package var free: Int? {
        switch self {
        case .password, .code: 4
        case .sitePassword: 40
        case .source, .site: nil
        }
    }

    /// The time in microseconds in which one failure is forgotten; a minute's worth may come at once. `nil` if
    /// failures are not forgotten one by one.
    var interval: Int64? {
        switch self {
        case .source: 3_000_000
        case .site: 300_000
        case .password, .sitePassword, .code: nil
        }
    }
}

/// Failures that this server has counted and not yet stored.
public struct SignInFailureReport: Sendable, Equatable {
    /// The key under which they count.
    public let key: SignInFailureKey
    /// The rule for the delay.
    public let rule: SignInFailureRule
    /// The number of failures.
    public internal(set) var times: Int
    /// When the last one happened.
    public internal(set) var at: Timestamp

    /// Creates a report.
    public init(_ key: SignInFailureKey, by rule: SignInFailureRule, times: Int = 1, at: Timestamp) {
        self.key = key
        self.rule = rule
        self.times = times
        self.at = at
    }

    /// Adds the failures of another report with the same key.
    package mutating func add(_ other: SignInFailureReport) {
        times += other.times
        at = max(at, other.at)
    }
}

/// A stored failure count.
public struct SignInFailureRow: Sendable, Equatable {
    /// The key under which the failures count.
    public let key: SignInFailureKey
    /// The number of failures.
    public let count: Int
    /// The moment until which attempts are delayed; for a source, when all its failures will be a minute old.
    public let until: Timestamp
    /// When the failures expire.
    public let expiresAt: Timestamp

    /// Creates a row as it is stored.
    public init(key: SignInFailureKey, count: Int, until: Timestamp, expiresAt: Timestamp) {
        self.key = key
        self.count = count
        self.until = until
        self.expiresAt = expiresAt
    }
}
