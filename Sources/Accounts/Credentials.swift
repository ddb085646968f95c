public import Cryptography
public import Forms
public import GradingKit

/// What somebody claims in order to sign in.
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

    /// Reads `{login,password,cookie?,device?,deviceName?}`; throws everything wrong with its form. A device token that never
    /// was one counts as none.
    public init(_ body: JSON) throws(FaultList) {
        var form = Form(body)
        let login = form.text("login", required: true)
        let password = form.text("password", required: true)
        let wantsCookie = form.flag("cookie") ?? false
        let device = form.text("device").flatMap { SecretToken(text: $0) }
        let deviceName = form.deviceName()
        try form.finish()
        self.init(
            login: login ?? "", password: Password(password ?? ""), device: device, deviceName: deviceName,
            wantsCookie: wantsCookie)
    }

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
