package import Cryptography
public import Forms
import JSON

/// A request to create an account for another person, as far as it could be read.
public struct AccountCreation: Sendable {
    package let request: AccountRequest
    package let role: ServerRole?

    /// The form of the request: `{login,displayName,givenName?,familyName?,password?,locale?,role?}`.
    public static let form = RequestForm("NewAccount") { AccountCreation(&$0) }

    private init(_ form: inout Form) {
        request = AccountRequest(&form, isOwn: false)
        role = form.choice("role", of: ServerRole.self)
    }
}

/// A request for the account of the first administrator, as far as it could be read.
public struct FirstAdministrator: Sendable {
    /// The token of the link that the server printed; `nil` if the text is not a token.
    package let token: SecretToken?
    /// The account to create.
    public let request: AccountRequest

    /// The form of a request for the first administrator's account.
    public static let form = RequestForm(
        "FirstAdministrator",
        example: [
            "token": "…", "login": "root", "password": "correct horse battery", "displayName": "Administrator",
        ]
    ) { FirstAdministrator(&$0) }

    private init(_ form: inout Form) {
        token = form.text("token", required: true).flatMap { SecretToken(text: $0) }
        request = AccountRequest(&form)
    }
}
