/// A value for a statement's parameter. Every form takes an optional; `nil` binds NULL.
public struct SQLiteValue: Sendable {
    enum Content: Sendable {
        case null
        case integer(Int64)
        case text(String)
        case utf8([UInt8])
        case blob([UInt8])
    }

    let content: Content

    private init(_ content: Content?) { self.content = content ?? .null }

    /// NULL.
    public static let null = SQLiteValue(nil)

    /// Wraps a number.
    public static func integer(_ value: Int?) -> SQLiteValue { SQLiteValue(value.map { .integer(Int64($0)) }) }

    /// Wraps a number of 64 bits.
    public static func integer(_ value: Int64?) -> SQLiteValue { SQLiteValue(value.map(Content.integer)) }

    /// Wraps a Boolean as 1 or 0.
    public static func boolean(_ value: Bool?) -> SQLiteValue { SQLiteValue(value.map { .integer($0 ? 1 : 0) }) }

    /// Wraps a text.
    public static func text(_ value: String?) -> SQLiteValue { SQLiteValue(value.map(Content.text)) }

    /// Wraps a text that is already encoded; it must be valid UTF-8.
    public static func utf8(_ value: [UInt8]?) -> SQLiteValue { SQLiteValue(value.map(Content.utf8)) }

    /// Wraps bytes.
    public static func blob(_ value: [UInt8]?) -> SQLiteValue { SQLiteValue(value.map(Content.blob)) }
}
