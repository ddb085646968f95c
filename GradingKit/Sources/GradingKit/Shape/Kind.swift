/// A kind of entry (course, item, unit …), declared once as a typed constant by the scheme.
public struct Kind: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The kind's name in JSON.
    public let name: String
    let key: NameKey

    /// Creates a kind with a name.
    public init(_ name: String) {
        self.name = name
        key = NameKey(name)
    }
    /// Creates a kind with a name.
    public init(stringLiteral value: String) { self.init(value) }

    /// The kind's name.
    public var description: String { name }

    /// The kind of the record itself, which contains the outermost entries and the record-level fields.
    public static let record: Kind = "record"
}

/// A field of an entry, typed by its values: `Exact`, `Int`, `String` or `Bool`.
public struct Field<Value: FieldType>: Sendable {
    /// The field's name in JSON.
    public let name: String
    let key: NameKey

    /// Creates a field with a name.
    public init(_ name: String) {
        self.name = name
        key = NameKey(name)
    }
}

/// A type that a field's values can have.
public protocol FieldType: Sendable {
    /// Reads the value; `nil` if `stored` has another type.
    init?(stored: FieldValue)
}

/// A field's value in its stored form: checked, exact, and never a binary float.
public enum FieldValue: Sendable, Hashable {
    /// No value.
    case none
    /// The value that was sent could not be read. Occurs only in a proposal with a fault, never in a stored record.
    case unreadable
    /// A number or integer.
    case number(Exact)
    /// A text, or the value of a choice with text values.
    case text(String)
    /// A yes-or-no value.
    case flag(Bool)
}

extension Exact: FieldType {
    /// Reads the value of a number field.
    public init?(stored: FieldValue) {
        guard case .number(let value) = stored else { return nil }
        self = value
    }
}

extension Int: FieldType {
    /// Reads the value of an integer field.
    public init?(stored: FieldValue) {
        guard case .number(let value) = stored, let integer = value.integer else { return nil }
        self = integer
    }
}

extension String: FieldType {
    /// Reads the value of a text field.
    public init?(stored: FieldValue) {
        guard case .text(let text) = stored else { return nil }
        self = text
    }
}

extension Bool: FieldType {
    /// Reads the value of a yes-or-no field.
    public init?(stored: FieldValue) {
        guard case .flag(let flag) = stored else { return nil }
        self = flag
    }
}

extension FieldValue {
    /// The value in JSON; `null` for none.
    public var json: JSON {
        switch self {
        case .none, .unreadable: .null
        case .number(let value): value.json
        case .text(let text): .string(text)
        case .flag(let flag): .bool(flag)
        }
    }

    /// Reads the form of `json`; `nil` for anything else.
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

    /// Writes the value: numbers as the shortest decimal, a missing value as `null`.
    func write(to writer: inout JSONWriter) {
        switch self {
        case .none, .unreadable: writer.null()
        case .number(let value): value.writeDecimal(to: &writer)
        case .text(let text): writer.string(text)
        case .flag(let flag): writer.bool(flag)
        }
    }
}
