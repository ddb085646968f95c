public import Cryptography
public import Shared

/// The provider session through which a person signed in: enough to find the session when the provider ends its own.
public struct SessionOrigin: Sendable, Equatable {
    /// The issuer that the person signed in with.
    public let issuer: String
    /// The SHA-256 of the issuer's identifier of the person.
    public let subject: [UInt8]
    /// The SHA-256 of the issuer's identifier of its own session; `nil` if it gave none.
    public let session: [UInt8]?

    /// Creates an origin as it is stored.
    public init(issuer: String, subject: [UInt8], session: [UInt8]?) {
        self.issuer = issuer
        self.subject = subject
        self.session = session
    }

    /// Creates the origin of a sign-in.
    init(of assertion: Assertion) {
        self.init(
            issuer: assertion.issuer, subject: Self.digest(assertion.subject),
            session: assertion.session.map { Self.digest($0) })
    }

    /// Returns the digest of an identifier, which is stored in its place.
    public static func digest(_ name: String) -> [UInt8] { SHA256.hash(name.utf8) }
}

/// A provider's notice that a person has signed out there.
public struct LogoutNotice: Sendable, Equatable {
    /// The sessions that a notice ends.
    public enum Target: Sendable, Equatable {
        /// Those that were opened in a session of the issuer, by the digest of that session's identifier; if a person
        /// is named too, by the digest of the person's identifier, only that person's.
        case session([UInt8], of: [UInt8]?)
        /// All sessions of a person that were opened through the issuer, by the digest of the person's identifier.
        case person([UInt8])
    }

    /// The issuer of the notice.
    public let issuer: String
    /// The sessions that it ends.
    public let target: Target
    /// The digest of a notice that is accepted once, with the moment from which it is refused anyway; `nil` if it may
    /// be repeated.
    public let once: (digest: TokenDigest, until: Timestamp)?

    /// Creates a notice.
    public init(issuer: String, ending target: Target, once: (digest: TokenDigest, until: Timestamp)? = nil) {
        self.issuer = issuer
        self.target = target
        self.once = once
    }

    /// Returns whether it ends a session with that origin.
    public func ends(_ origin: SessionOrigin) -> Bool {
        guard origin.issuer == issuer else { return false }
        switch target {
        case .session(let session, let person):
            return origin.session == session && (person == nil || origin.subject == person)
        case .person(let person): return origin.subject == person
        }
    }

    /// Returns whether two notices are the same.
    public static func == (left: Self, right: Self) -> Bool {
        left.issuer == right.issuer && left.target == right.target && left.once?.digest == right.once?.digest
            && left.once?.until == right.once?.until
    }
}
