public import JSON
public import Shared

/// Whether an issuer vouches for a second factor of a person.
public enum Vouching: Int, Sendable, CaseIterable {
    /// It has not done so.
    case none = 0
    /// It has done so.
    case given = 1
    /// It was not noted when the link was made by an earlier release. It counts as given until the person's next sign-in
    /// through the issuer says, so that a password alone sets up no other factor meanwhile.
    case presumed = 2
}

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
    /// Whether the issuer vouches for a second factor of the person.
    public let vouching: Vouching

    /// An identity.
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
