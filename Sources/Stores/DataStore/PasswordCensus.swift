/// Counts of a store's passwords in relation to the pepper in use.
public struct PasswordCensus: Sendable, Equatable {
    /// Number of passwords that need a pepper to be verified.
    public let peppered: Int
    /// Number of passwords that need another pepper than the one in use. They cannot be used to sign in.
    public let foreign: Int

    /// Creates a census.
    public init(peppered: Int, foreign: Int) {
        self.peppered = peppered
        self.foreign = foreign
    }

    /// Whether the pepper in use fits none of the store's peppered passwords.
    public var isOfAnotherKey: Bool { foreign > 0 && foreign == peppered }
}
