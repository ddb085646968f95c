/// How the passwords of a store go with the key that peppers them.
public struct PasswordCensus: Sendable, Equatable {
    /// Passwords that need a key to be compared.
    public let peppered: Int
    /// Those that need another key than the one at hand: they cannot be used to sign in.
    public let foreign: Int

    /// A census.
    public init(peppered: Int, foreign: Int) {
        self.peppered = peppered
        self.foreign = foreign
    }

    /// Whether the key at hand is not this store's.
    public var isOfAnotherKey: Bool { foreign > 0 && foreign == peppered }
}
