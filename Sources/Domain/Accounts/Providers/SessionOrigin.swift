public import Cryptography
public import Shared

/// Through which provider a person signed in: enough to find the session when the provider says that it is over.
public struct SessionOrigin: Sendable, Equatable {
    /// Who vouched.
    public let issuer: String
    /// SHA-256 of the person's name at the issuer.
    public let subject: [UInt8]
    /// SHA-256 of the issuer's name for its own session; `nil` where it gave none.
    public let session: [UInt8]?

    /// An origin as it is stored.
    public init(issuer: String, subject: [UInt8], session: [UInt8]?) {
        self.issuer = issuer
        self.subject = subject
        self.session = session
    }

    /// The origin of a sign-in.
    init(of assertion: Assertion) {
        self.init(
            issuer: assertion.issuer, subject: Self.digest(assertion.subject),
            session: assertion.session.map { Self.digest($0) })
    }

    /// What is kept of a name.
    public static func digest(_ name: String) -> [UInt8] { SHA256.hash(name.utf8) }
}

/// A provider says that a person has signed out there.
public struct LogoutNotice: Sendable, Equatable {
    /// Which sessions it ends.
    public enum Target: Sendable, Equatable {
        /// Those that were opened in a session of the issuer's, by the digest of its name; if a person is named as well, by
        /// the digest of his or her name, those of that person.
        case session([UInt8], of: [UInt8]?)
        /// All of a person that were opened through the issuer, by the digest of the person's name.
        case person([UInt8])
    }

    /// Who says it.
    public let issuer: String
    /// Which sessions it ends.
    public let target: Target
    /// Tells a notice that counts once from all others, with the moment from which it is refused anyway; `nil` for one
    /// that may be repeated.
    public let once: (digest: TokenDigest, until: Timestamp)?

    /// A notice.
    public init(issuer: String, ending target: Target, once: (digest: TokenDigest, until: Timestamp)? = nil) {
        self.issuer = issuer
        self.target = target
        self.once = once
    }

    /// Whether it ends a session of that origin.
    public func ends(_ origin: SessionOrigin) -> Bool {
        guard origin.issuer == issuer else { return false }
        switch target {
        case .session(let session, let person):
            return origin.session == session && (person == nil || origin.subject == person)
        case .person(let person): return origin.subject == person
        }
    }

    /// Whether two notices are the same.
    public static func == (left: Self, right: Self) -> Bool {
        left.issuer == right.issuer && left.target == right.target && left.once?.digest == right.once?.digest
            && left.once?.until == right.once?.until
    }
}
