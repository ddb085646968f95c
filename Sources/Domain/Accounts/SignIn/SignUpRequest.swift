import Cryptography
public import Forms
public import JSON
import Shared

/// A request for one's own account, as far as it could be read.
public struct SignUpRequest: Sendable {
    let input: FormInput<AccountRequest>
    /// The client's key; `nil` for none.
    let key: IdempotencyKey?

    /// What a request for one's own account holds.
    public static let form = RequestForm(
        "SignUp", example: ["login": "ada", "password": "correct horse battery", "displayName": "Ada"]
    ) { AccountRequest(&$0) }

    /// Reads a request.
    ///
    /// - Parameter key: what the client calls the request, so that it may send it again; `nil` for no name.
    public init(_ body: JSON, key: String? = nil) {
        input = Self.form.input(body)
        self.key = key.map { IdempotencyKey(key: $0, digest: Self.digest(of: body)) }
    }

    /// Whether the answer sets a cookie instead of giving the session's token.
    public var wantsCookie: Bool { input.value.wantsCookie }
    /// What the client calls the device.
    public var deviceName: String? { input.value.deviceName }

    /// The digest of everything but the password: a quick digest of a password would let others guess it.
    private static func digest(of body: JSON) -> [UInt8] {
        var members = body.object ?? JSONObject()
        members["password"] = JSON?.none
        return SHA256.hash(Array("sign-up\n".utf8) + JSON.object(members).bytes)
    }
}
