public import GradingKit

/// A program with what its scheme thinks of the draft.
public struct CheckedProgram: Sendable {
    /// The program.
    public let program: Program
    /// What is allowed but probably not meant; paths as in the request.
    public let warnings: [Fault]
}
