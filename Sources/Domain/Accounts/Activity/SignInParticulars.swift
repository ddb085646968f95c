import JSON
import Messages
import Shared

/// What the trail keeps of a sign-in beside who, when and from where.
struct SignInParticulars: Sendable {
    private let json: JSON

    /// What is kept of a session that is opened.
    ///
    /// - Parameter isNewDevice: whether the account has devices, and this is none of them.
    init(_ session: Session, by way: SignInProof.Way, isNewDevice: Bool) {
        var (name, issuer) = ("password", nil as String?)
        switch way {
        case .password: break
        case .passkey: name = "passkey"
        case .provider(let other): (name, issuer) = ("provider", other)
        }
        json = [
            "session": .string(session.id.text), "way": .string(name), "issuer": .text(issuer),
            "factors": .string(session.factors.rawValue), "client": .string(session.client),
            "device": .text(session.device), "newDevice": .bool(isNewDevice),
        ]
    }

    /// Reads what is kept; a line of before has nothing.
    init(_ detail: [UInt8]?) { json = detail.flatMap { try? JSON.parse($0) } ?? .null }

    /// The text that is kept.
    var bytes: [UInt8] { json.bytes }
    /// `password`, `passkey` or `provider`.
    var way: String? { json["way"]?.string }
    /// The provider's name for its identities.
    var issuer: String? { json["issuer"]?.string }
    /// Whether the device had not signed in to the account before, though others had.
    var isNewDevice: Bool { json["newDevice"]?.bool ?? false }

    /// What a person recognises the device by.
    func deviceName(in language: Language) -> String? {
        json["device"]?.string ?? json["client"]?.string.flatMap { DeviceName(client: $0)?.text(in: language) }
    }
}

extension JSON {
    /// The text, or null.
    fileprivate static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
}

extension SessionID {
    /// The session, for the particulars of a line about its account.
    var auditText: [UInt8] { (["session": .string(text)] as JSON).bytes }
}
