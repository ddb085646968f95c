/// What a change says of itself in the audit trail and in the history, for one view.
public struct ChangeDescription: Sendable, Equatable {
    /// The operations by which a record is judged otherwise, and nothing in it is entered or taken away.
    public static let judgements: Set<String> = ["move", "recompute"]
    /// The operation by which a class changes the entry that stands for one of its rows.
    public static let classAct = "class"
    /// The operations that an undo of a record passes over: the acts of a class are taken back in the class.
    public static let passedOver: Set<String> = judgements.union([classAct])

    /// `create`, `add`, `patch`, `delete`, `fields`, `changes`, `release`, `undo`, `move`, `recompute` …
    public let operation: String
    /// The entry concerned, if there is just one.
    public let entry: String?
    /// JSON text of what stood there before; `nil` for nothing.
    public let before: [UInt8]?
    /// JSON text of what stands there now; `nil` for nothing.
    public let after: [UInt8]?
    /// JSON text of the record's own figures after the change, `{"gpa":"3.43"}`.
    public let figures: [UInt8]
    /// Why, in the words of the person who made the change.
    public let reason: String?

    /// Describes a change.
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
