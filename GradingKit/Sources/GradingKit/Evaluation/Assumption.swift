/// How a run treats ungraded leaves.
public enum Assumption: Sendable, CaseIterable {
    /// Skips them. Gives the current figure.
    case current
    /// Gives them the worst grade. Gives the guaranteed figure.
    case floor
    /// Gives them the best grade. Gives the best reachable figure.
    case ceiling
}
