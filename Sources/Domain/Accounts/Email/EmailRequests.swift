package import Cryptography
public import Forms
import JSON
import Messages
public import Shared

extension EmailAddress {
    /// The form of a request with an address.
    public static let form = RequestForm("EmailInput", example: ["email": "ada@example.org"]) { form in
        form.email("email", required: true)
    }
}

/// The confirmation of an address, as read from a request.
public struct EmailConfirmation: Sendable {
    /// The token of the link; `nil` if the text is not a token.
    package let token: SecretToken?

    /// The form of a request to confirm an address.
    public static let form = RequestForm("EmailConfirmation", example: ["token": "…"]) { form in
        EmailConfirmation(token: form.text("token", required: true).flatMap { SecretToken(text: $0) })
    }
}

/// A request for a link that resets a password.
public struct ResetRequest: Sendable {
    /// The login; `nil` if no account can have the text.
    package let login: Login?
    /// The token that an earlier sign-in gave the device; `nil` for none or a malformed one.
    package let device: SecretToken?

    /// The form of a request for a link that resets a password.
    public static let form = RequestForm("ResetWish", example: ["login": "ada"]) { form in ResetRequest(&form) }

    private init(_ form: inout Form) {
        login = form.text("login", required: true).flatMap { Login(searching: $0) }
        device = form.text("device").flatMap { SecretToken(text: $0) }
    }
}

extension Form {
    /// Reads an e-mail address.
    mutating func email(_ name: String, required: Bool = false) -> EmailAddress? {
        parse(name, text(name, required: required)) { text throws(FaultList) in try EmailAddress(text) }
    }
}
