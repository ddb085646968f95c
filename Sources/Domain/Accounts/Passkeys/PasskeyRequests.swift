package import Cryptography
public import Forms
import JSON
import Messages

/// A browser's assertion that a passkey was used, decoded from base64url.
public struct PasskeyAssertion: Sendable {
    package let credential: [UInt8]?
    package let clientData: [UInt8]?
    package let authenticatorData: [UInt8]?
    package let signature: [UInt8]?
    package let userHandle: [UInt8]?

    init(_ form: inout Form) {
        credential = form.base64("id", required: true)
        clientData = form.base64("clientDataJSON", required: true)
        authenticatorData = form.base64("authenticatorData", required: true)
        signature = form.base64("signature", required: true)
        userHandle = form.base64("userHandle")
    }

    /// The form of an assertion alone.
    package static let form = RequestForm(
        "PasskeyAssertion", example: ["id": "…", "clientDataJSON": "…", "authenticatorData": "…", "signature": "…"]
    ) { PasskeyAssertion(&$0) }
}

/// A request to sign in with a passkey.
public struct PasskeySignIn: Sendable {
    package let assertion: PasskeyAssertion
    /// The token of the device, if the request has one.
    package let device: SecretToken?
    /// Whether the answer sets a cookie instead of returning the session's token.
    public let wantsCookie: Bool
    package let deviceName: String?

    /// The form of a request to sign in with a passkey.
    public static let form = RequestForm(
        "PasskeySignIn",
        example: ["id": "…", "clientDataJSON": "…", "authenticatorData": "…", "signature": "…", "userHandle": "…"]
    ) { PasskeySignIn(&$0) }

    private init(_ form: inout Form) {
        assertion = PasskeyAssertion(&form)
        device = form.text("device").flatMap { SecretToken(text: $0) }
        wantsCookie = form.flag("cookie") ?? false
        deviceName = form.deviceName()
    }
}

/// A request to register a new passkey.
public struct PasskeyRegistration: Sendable {
    package let name: String?
    package let clientData: [UInt8]?
    package let attestation: [UInt8]?

    /// The form of a request to register a new passkey.
    public static let form = RequestForm(
        "NewPasskey", example: ["name": "Phone", "clientDataJSON": "…", "attestationObject": "…"]
    ) { PasskeyRegistration(&$0) }

    private init(_ form: inout Form) {
        name = form.line("name", max: Passkey.longestName, required: true)
        clientData = form.base64("clientDataJSON", required: true)
        attestation = form.base64("attestationObject", required: true)
    }
}

/// A new name for a passkey, as read from a request.
public struct PasskeyName: Sendable {
    package let text: String

    /// The form of a request to rename a passkey.
    public static let form = RequestForm("PasskeyName", example: ["name": "Phone"]) { PasskeyName(&$0) }

    private init(_ form: inout Form) { text = form.line("name", max: Passkey.longestName, required: true) ?? "" }
}

extension Form {
    /// Reads bytes in base64url.
    mutating func base64(_ name: String, required: Bool = false) -> [UInt8]? {
        guard let text = text(name, required: required) else { return nil }
        guard let bytes = Base64.url.decode(text) else {
            refuse(name, .wrongType)
            return nil
        }
        return bytes
    }
}
