/// What an issuer says of a person, as far as anyone asks for it.
public struct AssertedClaims: Sendable, Equatable {
    /// The texts that each claim has: one, or a list of them.
    public let texts: [String: Set<String>]
    /// Claims in whose place the issuer points elsewhere, so that nothing is known of them (OpenID Connect Core 1.0,
    /// section 5.6.2).
    public let elsewhere: Set<String>

    /// Claims; none by default.
    public init(texts: [String: Set<String>] = [:], elsewhere: Set<String> = []) {
        self.texts = texts
        self.elsewhere = elsewhere
    }
}
