/// A part of a stored record for which a shape has no place, so reading the record under that shape would lose it.
public struct RecordLoss: Sendable, Equatable {
    /// The entry; `nil` for the record itself.
    public let entry: EntryID?
    /// The name of the field; `nil` for the entry with its subtree.
    public let field: String?
    /// The value as text, or the name of the entry's kind.
    public let value: String

    /// Creates a loss.
    public init(entry: EntryID?, field: String?, value: String) {
        self.entry = entry
        self.field = field
        self.value = value
    }
}

extension FieldValue {
    /// The value in readable form.
    public var told: String {
        switch self {
        case .none, .unreadable: ""
        case .number(let number): number.decimalText ?? number.description
        case .text(let text): text
        case .flag(let flag): flag ? "true" : "false"
        }
    }
}
