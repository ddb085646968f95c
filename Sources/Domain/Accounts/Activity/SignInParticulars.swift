import JSON
package import Messages
package import Shared

/// What the audit trail stores about a sign-in besides who, when and from where.
package struct SignInParticulars: Sendable {
    private let json: JSON

    /// Creates the particulars of a new session.
    ///
    /// - Parameter isNewDevice: Whether the account has known devices, and this is not one of them.
    init(_ session: Session, by way: SignInProof.Way, isNewDevice: Bool) {
        var (name, issuer) = ("password", nil as String?)
        switch way {
        case .password: break
        case .passkey: name = "passkey"
        case .provider(let other): (name, issuer) = ("provider", other)
        }
        json = [
            "session": .string(session.id.text), "way": .string(name), "issuer": .text(issuer),
            "factors": .string(session.factors.kind), "client": .string(session.client),
            "device": .text(session.device), "newDevice": .bool(isNewDevice),
        ]
    }

    /// Reads stored particulars; an old audit row has none.
    package init(_ detail: [UInt8]?) { json = detail.flatMap { try? JSON.parse($0) } ?? .null }

    /// The stored JSON text.
    var bytes: [UInt8] { json.bytes }
    /// The way to sign in: `password`, `passkey` or `provider`.
    package var way: String? { json["way"]?.string }
    /// The issuer of the provider's identities.
    package var issuer: String? { json["issuer"]?.string }
    /// Whether the device had not signed in to the account before, although others had.
    package var isNewDevice: Bool { json["newDevice"]?.bool ?? false }

    /// Returns the name by which a person recognises the device.
    package func deviceName(in language: Language) -> String? {
        json["device"]?.string ?? json["client"]?.string.flatMap { DeviceName(client: $0)?.text(in: language) }
    }
}

extension JSON {
    /// The text, or null.
    fileprivate static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
}

extension SessionID {
    /// The session as JSON text, for the detail of an audit row about its account.
    package var auditText: [UInt8] { (["session": .string(text)] as JSON).bytes }
}
