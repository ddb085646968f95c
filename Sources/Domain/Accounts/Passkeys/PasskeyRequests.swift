import Cryptography
public import Forms
public import JSON
public import Messages

/// A request to sign in with a passkey, found acceptable.
public struct PasskeySignIn: Sendable {
    let assertion: Passkeys.Assertion
    /// The device that asks, where the request names it.
    let device: SecretToken?
    /// Whether the answer sets a cookie instead of giving the session's token.
    public let wantsCookie: Bool
    let deviceName: String?

    /// What a request to sign in with a passkey holds.
    public static let form = RequestForm(
        "PasskeySignIn",
        example: ["id": "…", "clientDataJSON": "…", "authenticatorData": "…", "signature": "…", "userHandle": "…"]
    ) { PasskeySignIn(&$0) }

    /// Reads what the browser hands over, with `device`, `cookie` and `deviceName`; throws everything wrong at once.
    public init(_ body: JSON) throws(FaultList) { self = try Self.form.read(body) }

    private init(_ form: inout Form) {
        assertion = Passkeys.Assertion(&form)
        device = form.text("device").flatMap { SecretToken(text: $0) }
        wantsCookie = form.flag("cookie") ?? false
        deviceName = form.deviceName()
    }
}

/// A request to keep a new passkey, found acceptable.
public struct PasskeyRegistration: Sendable {
    let name: String?
    let clientData: [UInt8]?
    let attestation: [UInt8]?

    /// What a request to keep a new passkey holds.
    public static let form = RequestForm(
        "NewPasskey", example: ["name": "Phone", "clientDataJSON": "…", "attestationObject": "…"]
    ) { PasskeyRegistration(&$0) }

    /// Reads `{name,clientDataJSON,attestationObject}`; throws everything wrong at once.
    public init(_ body: JSON) throws(FaultList) { self = try Self.form.read(body) }

    private init(_ form: inout Form) {
        name = form.line("name", max: Passkey.longestName, required: true)
        clientData = form.base64("clientDataJSON", required: true)
        attestation = form.base64("attestationObject", required: true)
    }
}

/// Another name for a passkey, found acceptable.
public struct PasskeyName: Sendable {
    let text: String

    /// What a request to rename a passkey holds.
    public static let form = RequestForm("PasskeyName", example: ["name": "Phone"]) { PasskeyName(&$0) }

    /// Reads `{name}`; throws everything wrong at once.
    public init(_ body: JSON) throws(FaultList) { self = try Self.form.read(body) }

    private init(_ form: inout Form) { text = form.line("name", max: Passkey.longestName, required: true) ?? "" }
}
