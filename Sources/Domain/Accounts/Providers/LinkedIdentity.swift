public import JSON
public import Shared

/// A person whom another server vouches for, and their account. Never an e-mail address: those change hands.
public struct LinkedIdentity: Sendable, Equatable {
    /// Who vouches: the address of an issuer, or the name of one that has none.
    public let issuer: String
    /// Names the person for ever, among the issuer's.
    public let subject: String
    /// Whose it is.
    public let account: AccountID
    /// Since when.
    public let linkedAt: Timestamp
    /// Whether the issuer has vouched for a second factor of the person.
    public let vouchesForFactor: Bool

    /// An identity.
    public init(
        issuer: String, subject: String, account: AccountID, linkedAt: Timestamp, vouchesForFactor: Bool = false
    ) {
        self.issuer = issuer
        self.subject = subject
        self.account = account
        self.linkedAt = linkedAt
        self.vouchesForFactor = vouchesForFactor
    }

    /// Writes the identity as its owner sees it.
    ///
    /// - Parameter provider: the provider of that issuer; `nil` writes the issuer itself, which the configuration may
    ///   no longer name.
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
