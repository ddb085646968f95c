/// A kind of entry (course, item, unit …), written once as a typed constant by the scheme that declares it.
public struct Kind: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The kind's name on the wire.
    public let name: String
    let key: NameKey

    /// Names a kind.
    public init(_ name: String) {
        self.name = name
        key = NameKey(name)
    }
    /// Names a kind.
    public init(stringLiteral value: String) { self.init(value) }

    /// The kind's name.
    public var description: String { name }

    /// The record itself, which holds the outermost entries and the record-level fields.
    public static let record: Kind = "record"
}

/// A field of an entry, typed by what it holds: `Exact`, `Int`, `String` or `Bool`.
public struct Field<Value: FieldType>: Sendable {
    /// The field's name on the wire.
    public let name: String
    let key: NameKey

    /// Names a field.
    public init(_ name: String) {
        self.name = name
        key = NameKey(name)
    }
}

/// What a field can hold.
public protocol FieldType: Sendable {
    /// The value, if `stored` is one of this type.
    init?(stored: FieldValue)
}

/// A field's value as it is kept: checked, exact, and never a binary float.
public enum FieldValue: Sendable, Hashable {
    /// No value.
    case none
    /// What was sent could not be read. Stands only in a proposal that carries a fault, never in a stored record.
    case unreadable
    /// A number or integer.
    case number(Exact)
    /// A text, or the value of a choice.
    case text(String)
    /// A yes or no.
    case flag(Bool)
}

extension Exact: FieldType {
    /// A number field's value.
    public init?(stored: FieldValue) {
        guard case .number(let value) = stored else { return nil }
        self = value
    }
}

extension Int: FieldType {
    /// An integer field's value.
    public init?(stored: FieldValue) {
        guard case .number(let value) = stored, let integer = value.integer else { return nil }
        self = integer
    }
}

extension String: FieldType {
    /// A text field's value.
    public init?(stored: FieldValue) {
        guard case .text(let text) = stored else { return nil }
        self = text
    }
}

extension Bool: FieldType {
    /// A flag's value.
    public init?(stored: FieldValue) {
        guard case .flag(let flag) = stored else { return nil }
        self = flag
    }
}

extension FieldValue {
    /// The value on the wire; `null` for none.
    public var json: JSON {
        switch self {
        case .none, .unreadable: .null
        case .number(let value): value.json
        case .text(let text): .string(text)
        case .flag(let flag): .bool(flag)
        }
    }

    /// A value as `json` writes it; `nil` for anything else.
    public init?(_ json: JSON) {
        switch json {
        case .null: self = .none
        case .bool(let flag): self = .flag(flag)
        case .string(let text): self = .text(text)
        case .number(let text):
            guard let value = DecimalText(text)?.value else { return nil }
            self = .number(value)
        case .array, .object: return nil
        }
    }

    /// Writes the value: numbers as the shortest decimal, no value as `null`.
    func write(to writer: inout JSONWriter) {
        switch self {
        case .none, .unreadable: writer.null()
        case .number(let value): value.writeDecimal(to: &writer)
        case .text(let text): writer.string(text)
        case .flag(let flag): writer.bool(flag)
        }
    }
}
