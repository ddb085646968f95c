/// How the passwords of a store go with the key that peppers them.
public struct PasswordCensus: Sendable, Equatable {
    /// Passwords that need a key to be compared.
    public let peppered: Int
    /// Those of them that need another one than the key at hand: nobody can sign in with them.
    public let foreign: Int

    /// A census.
    public init(peppered: Int, foreign: Int) {
        self.peppered = peppered
        self.foreign = foreign
    }

    /// Whether the key at hand is not this store's.
    public var isOfAnotherKey: Bool { foreign > 0 && foreign == peppered }
}
