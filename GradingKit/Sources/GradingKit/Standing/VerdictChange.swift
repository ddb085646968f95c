/// One thing that another rulebook sees otherwise in the same record: a figure, a letter, an outcome, or on which
/// side of a bar a figure stands.
public struct VerdictChange: Sendable, Equatable {
    /// What is seen otherwise.
    public enum Aspect: String, Sendable, CaseIterable {
        /// The figure itself, exactly.
        case figure
        /// The letter that a figure gives its entry.
        case letter
        /// The state of an outcome.
        case outcome
        /// The band in which a figure stands, such as its colour, or a reason for an outcome that stays as it is: it
        /// has crossed a bar. `before` and `after` are the bands, or the codes of the reasons.
        case bar
    }

    /// What is seen otherwise.
    public let aspect: Aspect
    /// The entry; `nil` for the record itself.
    public let entry: EntryID?
    /// The figure's or outcome's name on the wire.
    public let name: String
    /// What was shown; `nil` for nothing.
    public let before: String?
    /// What is shown; `nil` for nothing.
    public let after: String?
    /// The exact value before, for figures that have one.
    public let exactBefore: Exact?
    /// The exact value after, for figures that have one.
    public let exactAfter: Exact?

    init(
        _ aspect: Aspect, of name: String, at entry: EntryID?, before: String?, after: String?,
        exactly values: (before: Exact?, after: Exact?) = (nil, nil)
    ) {
        self.aspect = aspect
        self.entry = entry
        self.name = name
        self.before = before
        self.after = after
        (exactBefore, exactAfter) = values
    }
}
