/// Makes the tokens of links that are sent by mail: each from the name of its mail, whenever it is asked for. So a mail
/// that waits holds no secret, and every attempt to send it sends the same link.
public struct LinkKeys: Sendable {
    private let code: HMACSHA256

    /// Tokens that last as long as the pepper.
    public init(pepper: Pepper) { code = HMACSHA256(key: pepper.key(for: "gradecast links in mails")) }

    /// Tokens that last as long as this value.
    public init(random: RandomSource = .system) { code = HMACSHA256(key: random.bytes(32)) }

    /// The token of the link in a mail.
    public func token(of mail: String) -> SecretToken { SecretToken(bytes: code.authenticate(mail.utf8)) }
}
