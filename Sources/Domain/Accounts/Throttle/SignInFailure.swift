import Cryptography
public import Shared

/// What failures are counted for. It holds digests alone: what people type into the wrong field is not kept.
public struct SignInFailureKey: Sendable, Hashable {
    /// SHA-256 over what is guessed at; the same for all sources.
    public let subject: [UInt8]
    /// SHA-256 over the source; over nothing where failures from every source count together.
    public let source: [UInt8]

    /// A key as it is stored.
    public init(subject: [UInt8], source: [UInt8]) {
        self.subject = subject
        self.source = source
    }

    /// A kind of subject with its name, and the source where each counts for itself.
    public init(_ kind: String, _ name: String, from source: String? = nil) {
        subject = SHA256.hash("\(kind) \(name)".utf8)
        self.source = SHA256.hash((source ?? "").utf8)
    }
}

/// How failures make the next attempt wait.
public enum SignInFailureRule: String, Sendable, CaseIterable {
    /// From the fifth on 1 s, doubling to 15 minutes; forgotten an hour after the wait.
    case password
    /// From the fifth on 1 s, doubling to a day; forgotten after 30 days without another. It takes a right password to
    /// come so far, and a code has a million forms: at one a day they last.
    case code
    /// One failure every three seconds; a minute's worth may come at once.
    case source
}

/// Failures that a server has seen and the store has not.
public struct SignInFailureReport: Sendable, Equatable {
    /// What they count for.
    public let key: SignInFailureKey
    /// How they make the next attempt wait.
    public let rule: SignInFailureRule
    /// How many.
    public internal(set) var times: Int
    /// When the last one was.
    public internal(set) var at: Timestamp

    /// So many failures.
    public init(_ key: SignInFailureKey, by rule: SignInFailureRule, times: Int = 1, at: Timestamp) {
        self.key = key
        self.rule = rule
        self.times = times
        self.at = at
    }

    /// Both together.
    mutating func add(_ other: SignInFailureReport) {
        times += other.times
        at = max(at, other.at)
    }
}

/// Counted failures as they are stored.
public struct SignInFailureRow: Sendable, Equatable {
    /// What they count for.
    public let key: SignInFailureKey
    /// How many there were.
    public let count: Int
    /// How long attempts wait; for a source, when its failures will all be a minute old.
    public let until: Timestamp
    /// When they are forgotten.
    public let expiresAt: Timestamp

    /// A row as it is stored.
    public init(key: SignInFailureKey, count: Int, until: Timestamp, expiresAt: Timestamp) {
        self.key = key
        self.count = count
        self.until = until
        self.expiresAt = expiresAt
    }
}

/// What the throttle of sign-ins needs of a store. Any number of servers count together.
public protocol SignInFailureStore: Sendable {
    /// What is counted under some keys, forgotten or not.
    func signInFailures(_ keys: [SignInFailureKey]) async throws -> [SignInFailureRow]

    /// Counts failures, all in one transaction. Where more than `most` rows would be kept, those that are forgotten next
    /// go.
    func count(_ reports: [SignInFailureReport], keeping most: Int) async throws

    /// Forgets what is counted under a key.
    func forgetSignInFailures(_ key: SignInFailureKey) async throws

    /// Forgets what is counted for a subject, from every source.
    func forgetSignInFailures(ofSubject subject: [UInt8]) async throws
}
