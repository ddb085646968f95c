public import JSON
public import Shared

/// Whether an issuer vouches for a second factor of a person.
public enum Vouching: Int, Sendable, CaseIterable {
    /// It has not vouched for one.
    case none = 0
    /// It has vouched for one.
    case given = 1
    /// An earlier release did not store it. It counts as given until the person's next sign-in through the issuer
    /// decides, so that a password alone cannot set up another factor in the meantime.
    case presumed = 2
}

/// A person's identity at an issuer, linked with an account. It is never an e-mail address, since those change hands.
public struct LinkedIdentity: Sendable, Equatable {
    /// The issuer: its URL, or the name of an issuer without one.
    public let issuer: String
    /// The issuer's identifier of the person, which never changes.
    public let subject: String
    /// The account that it is linked with.
    public let account: AccountID
    /// When it was linked.
    public let linkedAt: Timestamp
    /// Whether the issuer vouches for a second factor of the person.
    public let vouching: Vouching

    /// Creates an identity.
    public init(
        issuer: String, subject: String, account: AccountID, linkedAt: Timestamp, vouching: Vouching = .none
    ) {
        self.issuer = issuer
        self.subject = subject
        self.account = account
        self.linkedAt = linkedAt
        self.vouching = vouching
    }

    /// Writes the identity as its owner sees it.
    ///
    /// - Parameter provider: The provider of the issuer; `nil` writes the issuer instead, for example if the provider
    ///   is no longer configured.
    public func write(to writer: inout JSONWriter, of provider: ProviderID? = nil) {
        writer.object {
            $0.member("provider", provider?.text ?? issuer)
            $0.member("issuer", issuer)
            $0.member("subject", subject)
            $0.member("linkedAt", linkedAt.description)
            $0.member("offered", provider != nil)
        }
    }

    /// The identity as JSON text, for the audit trail.
    public var auditText: [UInt8] {
        var writer = JSONWriter()
        writer.object {
            $0.member("provider", issuer)
            $0.member("subject", subject)
            $0.member("linkedAt", linkedAt.description)
        }
        return writer.bytes
    }
}
