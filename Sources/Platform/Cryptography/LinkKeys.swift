/// Makes the tokens of links in mails. Each is derived from the name of its mail whenever it is needed, so a waiting
/// mail holds no secret, and every attempt to send the mail sends the same link.
public struct LinkKeys: Sendable {
    private let code: HMACSHA256

    /// Makes tokens that stay the same as long as the pepper does.
    public init(pepper: Pepper) { code = HMACSHA256(key: pepper.key(for: "gradecast links in mails")) }

    /// Makes tokens that only this value can make again.
    public init(random: RandomSource = .system) { code = HMACSHA256(key: random.bytes(32)) }

    /// Returns the token of the link in a mail.
    public func token(of mail: String) -> SecretToken { SecretToken(bytes: code.authenticate(mail.utf8)) }
}
