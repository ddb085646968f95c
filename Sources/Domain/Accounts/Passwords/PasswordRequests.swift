public import Forms
import JSON

/// A request to change one's password, as far as it could be read.
public struct PasswordChange: Sendable {
    package let current: Password?
    package let new: Password?

    /// The form of a request to change one's password.
    public static let form = RequestForm(
        "PasswordChange", example: ["current": "correct horse battery", "new": "correct horse battery staple"]
    ) { PasswordChange(&$0) }

    private init(_ form: inout Form) {
        current = form.text("current", required: true).map { Password($0) }
        new = form.text("new", required: true, as: .text(8...256)).map { Password($0) }
    }
}

/// A request to set a password with a one-time token, as far as it could be read.
public struct PasswordReset: Sendable {
    package let token: String?
    package let password: Password?

    /// The form of a request to set a password with a one-time token.
    public static let form = RequestForm(
        "PasswordReset", example: ["token": "…", "password": "correct horse battery"]
    ) { PasswordReset(&$0) }

    /// Creates a request to set the password of the token's account.
    public init(token: String, password: Password) {
        self.token = token
        self.password = password
    }

    private init(_ form: inout Form) {
        token = form.text("token", required: true)
        password = form.text("password", required: true, as: .text(8...256)).map { Password($0) }
    }
}
