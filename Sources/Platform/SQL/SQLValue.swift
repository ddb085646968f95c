/// A value for a statement's parameter, for every database. Every form takes an optional; `nil` binds NULL.
public struct SQLValue: Sendable {
    /// The types of parameters.
    package enum Kind: Sendable {
        /// The type that the database infers.
        case inferred
        case integer
        case text
        case blob
    }

    package enum Content: Sendable {
        /// NULL, with the type for a database that needs one.
        case null(Kind)
        case integer(Int64)
        case text(String)
        case utf8([UInt8])
        case blob([UInt8])
    }

    package let content: Content

    private init(_ content: Content?, _ kind: Kind) { self.content = content ?? .null(kind) }

    /// NULL of the type that the database infers. NULL of a known type comes from the other forms.
    public static let null = SQLValue(nil, .inferred)

    /// Wraps a number.
    public static func integer(_ value: Int?) -> SQLValue { integer(value.map(Int64.init)) }

    /// Wraps a number of 64 bits.
    public static func integer(_ value: Int64?) -> SQLValue { SQLValue(value.map(Content.integer), .integer) }

    /// Wraps a Boolean as the number 1 or 0.
    public static func boolean(_ value: Bool?) -> SQLValue {
        SQLValue(value.map { .integer($0 ? 1 : 0) }, .integer)
    }

    /// Wraps a text. PostgreSQL refuses one that contains U+0000.
    public static func text(_ value: String?) -> SQLValue { SQLValue(value.map(Content.text), .text) }

    /// Wraps a text that is already encoded; it must be valid UTF-8. PostgreSQL refuses one that contains U+0000.
    public static func utf8(_ value: [UInt8]?) -> SQLValue { SQLValue(value.map(Content.utf8), .text) }

    /// Wraps bytes.
    public static func blob(_ value: [UInt8]?) -> SQLValue { SQLValue(value.map(Content.blob), .blob) }
}

extension SQLValue.Content {
    /// The type of the value.
    package var kind: SQLValue.Kind {
        switch self {
        case .null(let kind): kind
        case .integer: .integer
        case .text, .utf8: .text
        case .blob: .blob
        }
    }
}
