import Cryptography
public import Forms
public import JSON
public import Messages
public import Shared

/// A request that names an address, found acceptable.
public struct EmailInput: Sendable {
    let address: EmailAddress

    /// What a request holds that names an address.
    public static let form = RequestForm("EmailInput", example: ["email": "ada@example.org"]) { form in
        form.email("email", required: true)
    }

    /// Reads `{email}`; throws everything wrong at once.
    public init(_ body: JSON) throws(FaultList) {
        guard let address = try Self.form.read(body) else { throw FaultList([Fault(.missingField, at: "/email")]) }
        self.address = address
    }
}

/// A request that confirms an address, found acceptable.
public struct EmailConfirmation: Sendable {
    /// The token of the link; `nil` for text that is none.
    let token: SecretToken?

    /// What a request holds that confirms an address.
    public static let form = RequestForm("EmailConfirmation", example: ["token": "…"]) { form in
        form.text("token", required: true)
    }

    /// Reads `{token}`; throws everything wrong at once.
    public init(_ body: JSON) throws(FaultList) {
        token = try Self.form.read(body).flatMap { SecretToken(text: $0) }
    }
}

/// A request for a link that resets a password, found acceptable.
public struct ResetRequest: Sendable {
    /// The login; `nil` for text that is none.
    let login: Login?

    /// What a request holds that asks for a link to reset a password.
    public static let form = RequestForm("ResetWish", example: ["login": "ada"]) { form in
        form.text("login", required: true)
    }

    /// Reads `{login}`; throws everything wrong at once.
    public init(_ body: JSON) throws(FaultList) {
        login = try Self.form.read(body).flatMap { Login(searching: $0) }
    }
}
