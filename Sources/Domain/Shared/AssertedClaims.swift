/// The claims of an issuer about a person, as far as rules need them.
public struct AssertedClaims: Sendable, Equatable {
    /// The texts of each claim, which has one or a list of them.
    public let texts: [String: Set<String>]
    /// The claims that the issuer only refers to, so that their values are unknown (OpenID Connect Core 1.0, section
    /// 5.6.2).
    public let elsewhere: Set<String>

    /// Creates claims; none by default.
    public init(texts: [String: Set<String>] = [:], elsewhere: Set<String> = []) {
        self.texts = texts
        self.elsewhere = elsewhere
    }
}
