/// The error if a change, as its transaction found, requires a session whose owner has recently proven their identity.
/// Nothing was written.
public struct ProofNeeded: Error, Equatable, Sendable {
    /// Creates the error.
    public init() {}
}
