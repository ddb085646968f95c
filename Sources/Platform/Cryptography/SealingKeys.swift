/// The keys with which browsers encrypt unsent edits: one per account, computed whenever it is needed and stored
/// nowhere.
public struct SealingKeys: Sendable {
    private let code: HMACSHA256

    /// Makes keys that stay the same as long as the pepper does.
    public init(pepper: Pepper) {
        code = HMACSHA256(key: pepper.key(for: "gradecast sealing keys"))
    }

    /// Makes keys that only this value can make again.
    public init(random: RandomSource = .system) {
        code = HMACSHA256(key: random.bytes(32))
    }

    /// Returns the key of one account, 32 bytes.
    public func key(of account: String) -> [UInt8] { code.authenticate(account.utf8) }
}
