import Cryptography
public import Forms
import JSON
import Messages

/// A request to sign in with a passkey.
public struct PasskeySignIn: Sendable {
    let assertion: Passkeys.Assertion
    /// The token of the device, if the request has one.
    let device: SecretToken?
    /// Whether the answer sets a cookie instead of returning the session's token.
    public let wantsCookie: Bool
    let deviceName: String?

    /// The form of a request to sign in with a passkey.
    public static let form = RequestForm(
        "PasskeySignIn",
        example: ["id": "…", "clientDataJSON": "…", "authenticatorData": "…", "signature": "…", "userHandle": "…"]
    ) { PasskeySignIn(&$0) }

    private init(_ form: inout Form) {
        assertion = Passkeys.Assertion(&form)
        device = form.text("device").flatMap { SecretToken(text: $0) }
        wantsCookie = form.flag("cookie") ?? false
        deviceName = form.deviceName()
    }
}

/// A request to register a new passkey.
public struct PasskeyRegistration: Sendable {
    let name: String?
    let clientData: [UInt8]?
    let attestation: [UInt8]?

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
    let text: String

    /// The form of a request to rename a passkey.
    public static let form = RequestForm("PasskeyName", example: ["name": "Phone"]) { PasskeyName(&$0) }

    private init(_ form: inout Form) { text = form.line("name", max: Passkey.longestName, required: true) ?? "" }
}
