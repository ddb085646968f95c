extension WorkPolicy {
    /// A part of a policy, by the name that requests have for it.
    public enum Member: String, Sendable, CaseIterable {
        /// What late work loses.
        case late
        /// What missing work counts as.
        case missing
        /// Which students are at risk.
        case risk
        /// Which results are low.
        case low
    }

    /// Returns this policy with some members taken from another one.
    func taking(_ members: Set<Member>, from other: WorkPolicy) -> WorkPolicy {
        var policy = self
        if members.contains(.late) { policy.lateness = other.lateness }
        if members.contains(.missing) { policy.absence = other.absence }
        if members.contains(.risk) { policy.risk = other.risk }
        if members.contains(.low) { policy.low = other.low }
        return policy
    }
}
