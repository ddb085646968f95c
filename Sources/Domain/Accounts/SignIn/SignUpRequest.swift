import Cryptography
public import Forms
public import JSON
import Shared

/// A request to sign up, as far as it could be read.
public struct SignUpRequest: Sendable {
    let input: FormInput<AccountRequest>
    /// The client's idempotency key; `nil` for none.
    let key: IdempotencyKey?

    /// The form of a request to sign up.
    public static let form = RequestForm(
        "SignUp", example: ["login": "ada", "password": "correct horse battery", "displayName": "Ada"]
    ) { AccountRequest(&$0) }

    /// Reads a request.
    ///
    /// - Parameter key: The client's idempotency key, with which it may repeat the request; `nil` for none.
    public init(_ body: JSON, key: String? = nil) {
        input = Self.form.input(body)
        self.key = key.map { IdempotencyKey(key: $0, digest: Self.digest(of: body)) }
    }

    /// Whether the answer sets a cookie instead of returning the session's token.
    public var wantsCookie: Bool { input.value.wantsCookie }
    /// The name that the client gives its device.
    public var deviceName: String? { input.value.deviceName }

    /// Returns the digest of everything but the password, since a fast digest of a password would help to guess it.
    private static func digest(of body: JSON) -> [UInt8] {
        var members = body.object ?? JSONObject()
        members["password"] = JSON?.none
        return SHA256.hash(Array("sign-up\n".utf8) + JSON.object(members).bytes)
    }
}
