public import Cryptography
public import Forms
public import JSON
public import Messages

/// What a person presents in order to sign in.
public struct Credentials: Sendable {
    /// The login as typed.
    public let login: String
    /// The password as typed.
    public let password: Password
    /// What an earlier sign-in gave this device; `nil` for none.
    public let device: SecretToken?
    /// What the client calls the device; `nil` when it gives no name.
    public let deviceName: String?
    /// Whether the answer sets a cookie instead of giving the token.
    public let wantsCookie: Bool

    /// Credentials.
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

    /// What a request to sign in holds. A device token that never was one counts as none.
    public static let form = RequestForm("SignIn", example: ["login": "ada", "password": "correct horse battery"]) {
        form in
        Credentials(
            login: form.text("login", required: true) ?? "",
            password: Password(form.text("password", required: true) ?? ""),
            device: form.text("device").flatMap { SecretToken(text: $0) },
            deviceName: form.deviceName(), wantsCookie: form.flag("cookie") ?? false)
    }

    /// Reads `{login,password,cookie?,device?}`; throws everything wrong with its form.
    public init(_ body: JSON) throws(FaultList) { self = try Self.form.read(body) }

    /// The same credentials from a device that says who it is in another way, as a cookie does.
    public func from(device: SecretToken?) -> Credentials {
        Credentials(
            login: login, password: password, device: self.device ?? device, deviceName: deviceName,
            wantsCookie: wantsCookie)
    }
}

extension Form {
    /// What a client calls its device: `deviceName`, one line of up to 60 code points.
    public mutating func deviceName() -> String? { line("deviceName", max: 60) }
}
