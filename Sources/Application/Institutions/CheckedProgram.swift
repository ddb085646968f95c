public import GradingKit
public import Institutions

/// A program with its scheme's findings about the draft.
public struct CheckedProgram: Sendable {
    /// The program.
    public let program: Program
    /// Settings that are allowed but probably unintended, with paths as in the request.
    public let warnings: [Fault]
}
