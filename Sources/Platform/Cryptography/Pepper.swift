/// A key outside the store that goes into every password hash: a stolen store alone cannot be guessed at.
public struct Pepper: Sendable {
    /// Tells which key made a hash; says nothing about the key.
    let id: String
    private let code: HMACSHA256

    /// A pepper; the key has at least 32 random bytes, else `nil`.
    public init?(key: [UInt8]) {
        guard key.count >= 32 else { return nil }
        code = HMACSHA256(key: key)
        id = Base64.standard.encode(Array(code.authenticate("gradecast pepper id".utf8).prefix(6)))
    }

    func apply(to password: [UInt8]) -> [UInt8] { code.authenticate(password) }

    /// A key for another purpose, from which the pepper cannot be found.
    func key(for purpose: String) -> [UInt8] { code.authenticate(purpose.utf8) }
}
