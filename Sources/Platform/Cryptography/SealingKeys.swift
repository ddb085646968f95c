/// Keys with which browsers seal what waits to be sent: one for each account, computed whenever it is asked for and
/// stored nowhere.
public struct SealingKeys: Sendable {
    private let code: HMACSHA256

    /// Keys that last as long as the pepper.
    public init(pepper: Pepper) {
        code = HMACSHA256(key: pepper.key(for: "gradecast sealing keys"))
    }

    /// Keys that last as long as this value.
    public init(random: RandomSource = .system) {
        code = HMACSHA256(key: random.bytes(32))
    }

    /// The key of one account, 32 bytes.
    public func key(of account: String) -> [UInt8] { code.authenticate(account.utf8) }
}
