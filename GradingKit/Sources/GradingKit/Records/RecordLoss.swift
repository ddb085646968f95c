/// What a shape has no place for in a stored record: it would be lost if the record were read under that shape.
public struct RecordLoss: Sendable, Equatable {
    /// The entry; `nil` for the record itself.
    public let entry: EntryID?
    /// The name of the field; `nil` for the entry with all that stands in it.
    public let field: String?
    /// The value as text, or the name of the entry's kind.
    public let value: String
}

extension FieldValue {
    /// The value as people read it.
    var told: String {
        switch self {
        case .none, .unreadable: ""
        case .number(let number): number.decimalText ?? number.description
        case .text(let text): text
        case .flag(let flag): flag ? "true" : "false"
        }
    }
}
