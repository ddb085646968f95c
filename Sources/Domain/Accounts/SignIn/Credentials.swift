public import Cryptography
public import Forms
import JSON
import Messages

/// The credentials of a sign-in with a password.
public struct Credentials: Sendable {
    /// The login as typed.
    public let login: String
    /// The password as typed.
    public let password: Password
    /// The token that an earlier sign-in gave the device; `nil` for none.
    public let device: SecretToken?
    /// The name that the client gives its device; `nil` if it gives none.
    public let deviceName: String?
    /// Whether the answer sets a cookie instead of returning the token.
    public let wantsCookie: Bool

    /// Creates credentials.
    public init(
        login: String, password: Password, device: SecretToken? = nil, deviceName: String? = nil,
        wantsCookie: Bool = false
    ) {
        self.login = login
        self.password = password
        self.device = device
        self.deviceName = deviceName
        self.wantsCookie = wantsCookie
    }

    /// The form of a request to sign in. A malformed device token counts as none.
    public static let form = RequestForm("SignIn", example: ["login": "ada", "password": "correct horse battery"]) {
        form in
        Credentials(
            login: form.text("login", required: true) ?? "",
            password: Password(form.text("password", required: true) ?? ""),
            device: form.text("device").flatMap { SecretToken(text: $0) },
            deviceName: form.deviceName(), wantsCookie: form.flag("cookie") ?? false)
    }

    /// Returns the same credentials with a device token that came in another way, such as a cookie, if they have none.
    public func from(device: SecretToken?) -> Credentials {
        Credentials(
            login: login, password: password, device: self.device ?? device, deviceName: deviceName,
            wantsCookie: wantsCookie)
    }
}

extension Form {
    /// Reads the name that a client gives its device: `deviceName`, one line of up to 60 code points.
    public mutating func deviceName() -> String? { line("deviceName", max: 60) }
}
