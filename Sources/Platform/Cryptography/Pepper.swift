/// A key outside the store that goes into every password hash, so that a stolen store is not enough to guess passwords.
public struct Pepper: Sendable {
    /// Identifies the key that made a hash, without revealing it.
    let id: String
    private let code: HMACSHA256

    /// Creates a pepper; `nil` for a key of fewer than 32 bytes. The bytes must be random.
    public init?(key: [UInt8]) {
        guard key.count >= 32 else { return nil }
        code = HMACSHA256(key: key)
        id = Base64.standard.encode(Array(code.authenticate("gradecast pepper id".utf8).prefix(6)))
    }

    func apply(to password: [UInt8]) -> [UInt8] { code.authenticate(password) }

    /// A value that shows two servers whether they have the same key; it does not reveal the pepper.
    public var checkValue: [UInt8] { key(for: "gradecast check value") }

    /// Returns a key for another purpose, which does not reveal the pepper.
    func key(for purpose: String) -> [UInt8] { code.authenticate(purpose.utf8) }
}
