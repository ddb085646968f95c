/// How ungraded leaves are taken.
public enum Assumption: Sendable, CaseIterable {
    /// As they are: skipped. Gives the current figure.
    case current
    /// At their least. Gives the guaranteed figure.
    case floor
    /// At their best. Gives the best reachable figure.
    case ceiling
}
