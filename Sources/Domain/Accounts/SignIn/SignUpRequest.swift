public import Forms
import JSON
public import Shared

/// A request to sign up, as far as it could be read.
public struct SignUpRequest: Sendable {
    package let input: FormInput<AccountRequest>
    /// The client's idempotency key; `nil` for none.
    package let key: IdempotencyKey?

    /// The form of a request to sign up.
    public static let form = RequestForm(
        "SignUp", example: ["login": "ada", "password": "correct horse battery", "displayName": "Ada"]
    ) { AccountRequest(&$0) }

    /// Creates a request from what its form has read.
    ///
    /// - Parameter key: The client's idempotency key, with which it may repeat the request; `nil` for none. Its digest
    ///   must not cover the password, since a fast digest of a password would help to guess it.
    public init(_ input: FormInput<AccountRequest>, key: IdempotencyKey? = nil) {
        self.input = input
        self.key = key
    }

    /// Creates a request of a caller who knows what it says.
    public init(login: Login, displayName: String, password: Password) {
        self.init(FormInput(AccountRequest(login: login, displayName: displayName, password: password)))
    }

    /// Whether the answer sets a cookie instead of returning the session's token.
    public var wantsCookie: Bool { input.value.wantsCookie }
    /// The name that the client gives its device.
    public var deviceName: String? { input.value.deviceName }
}
