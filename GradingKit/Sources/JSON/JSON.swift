/// A JSON value that keeps every number as the text in which it was written.
///
/// A grade never passes through binary floating point: `13.10` stays `13.10` until a schema reads it as an exact
/// number, and a value that is only passed on stays unchanged.
public enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    /// The number's text, which follows the grammar of RFC 8259.
    case number(String)
    case string(String)
    case array([JSON])
    case object(JSONObject)

    /// The value as an object, if it is one.
    public var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// The elements, if the value is an array.
    public var array: [JSON]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The text, if the value is a string.
    public var string: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The Boolean, if the value is one.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The value as a machine integer, if it is a number without fraction or exponent that fits.
    public var integer: Int? {
        if case .number(let text) = self { Int(text) } else { nil }
    }

    /// Whether the value is `null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The member of that name, if the value is an object that has it.
    public subscript(name: String) -> JSON? { object?[name] }

    /// The name of the value's type in messages: `object`, `array`, `string`, `number`, `boolean`, `null`.
    public var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// Creates a string value.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a Boolean value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a number written as an integer.
    public init(integerLiteral value: Int) { self = .number(String(value)) }
    /// Creates an array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    /// Creates an object; among equal names, the last one wins.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        var object = JSONObject()
        for (name, value) in elements { object[name] = value }
        self = .object(object)
    }
    /// Creates `null`.
    public init(nilLiteral: ()) { self = .null }
}

/// The members of a JSON object, each name once, in written order.
public struct JSONObject: Sendable, Equatable, Sequence {
    /// A name with its value.
    public struct Member: Sendable, Equatable {
        /// The member's name.
        public let name: String
        /// The member's value.
        public internal(set) var value: JSON
    }

    /// The members in written order.
    public private(set) var members: [Member]

    /// Creates an object without members.
    public init() { members = [] }

    /// Creates an object from members without duplicate names, which the reader has checked.
    init(unique members: [Member]) { self.members = members }

    /// The member with that name; setting it replaces, appends or (with `nil`) removes the member.
    public subscript(name: String) -> JSON? {
        get { members.first { $0.name == name }?.value }
        set {
            let index = members.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// The number of members.
    public var count: Int { members.count }

    /// Whether there is no member.
    public var isEmpty: Bool { members.isEmpty }

    /// Iterates over the members in written order.
    public func makeIterator() -> IndexingIterator<[Member]> { members.makeIterator() }

    /// Returns whether two objects have the same members, in any order.
    public static func == (left: Self, right: Self) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.name] == $0.value }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Creates an object; among equal names, the last one wins.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self.init()
        for (name, value) in elements { self[name] = value }
    }
}
