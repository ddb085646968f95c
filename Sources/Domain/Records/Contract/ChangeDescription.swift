/// The description of a change in the audit trail and in the history of one view.
public struct ChangeDescription: Sendable, Equatable {
    /// The operations that judge a record by other rules without adding to it or removing from it.
    public static let judgements: Set<String> = ["move", "recompute"]
    /// The operation with which a class changes the entry linked to one of its rows.
    public static let classAct = "class"
    /// The operations that the undo of a record skips: what a class did is undone in the class.
    public static let passedOver: Set<String> = judgements.union([classAct])

    /// The operation: `create`, `add`, `patch`, `delete`, `fields`, `changes`, `release`, `undo`, `move`, `recompute` …
    public let operation: String
    /// The entry changed, if there is exactly one.
    public let entry: String?
    /// The entry or the fields before the change, as JSON text; `nil` if there were none.
    public let before: [UInt8]?
    /// The entry or the fields after the change, as JSON text; `nil` if there are none. For several steps, the list of
    /// them.
    public let after: [UInt8]?
    /// The record's own figures after the change, as JSON text: `{"gpa":"3.43"}`.
    public let figures: [UInt8]
    /// The reason, in the words of the person who made the change; for ``classAct`` the text of a ``ClassAct``.
    public let reason: String?

    /// Creates a description.
    public init(
        operation: String, entry: String?, before: [UInt8]?, after: [UInt8]?, figures: [UInt8], reason: String?
    ) {
        self.operation = operation
        self.entry = entry
        self.before = before
        self.after = after
        self.figures = figures
        self.reason = reason
    }
}
