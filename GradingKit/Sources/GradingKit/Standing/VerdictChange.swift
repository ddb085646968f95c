/// One difference between two judgements of a record: in a figure, a letter, an outcome, or the side of a bar on which
/// a figure lies.
public struct VerdictChange: Sendable, Equatable {
    /// The kind of difference.
    public enum Aspect: String, Sendable, CaseIterable {
        /// The figure's exact value.
        case figure
        /// The letter that a figure gives its entry.
        case letter
        /// The value of an outcome, or its state if the outcome has no named values.
        case outcome
        /// The band of a figure, such as its colour, or a reason for an outcome in an unchanged state: a bar was
        /// crossed. `before` and `after` are the bands, or the codes of the reasons.
        case bar
    }

    /// The kind of difference.
    public let aspect: Aspect
    /// The entry; `nil` for the record itself.
    public let entry: EntryID?
    /// The name of the figure or outcome in JSON.
    public let name: String
    /// The text shown before; `nil` for nothing.
    public let before: String?
    /// The text shown after; `nil` for nothing.
    public let after: String?
    /// The exact value before, for a figure that has one.
    public let exactBefore: Exact?
    /// The exact value after, for a figure that has one.
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
