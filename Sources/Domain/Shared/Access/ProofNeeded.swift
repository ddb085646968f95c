/// A change was found to be dangerous where it is decided, in its transaction: it takes a session whose owner has shown
/// lately who he or she is. Nothing was written.
public struct ProofNeeded: Error, Equatable, Sendable {
    /// What is thrown.
    public init() {}
}
