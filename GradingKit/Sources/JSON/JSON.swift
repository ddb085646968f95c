/// A JSON value that keeps every number as the text it was written with.
///
/// A grade never passes through binary floating point: `13.10` stays `13.10` until a schema reads it as
/// an exact number, and a value that is only carried along leaves as it came.
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

    /// The truth value, if there is one.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The value as a machine integer, if it is a number written without fraction or exponent that fits.
    public var integer: Int? {
        if case .number(let text) = self { Int(text) } else { nil }
    }

    /// Whether the value is `null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The member of that name, if the value is an object that has it.
    public subscript(name: String) -> JSON? { object?[name] }

    /// What the value is called in messages: `object`, `array`, `string`, `number`, `boolean`, `null`.
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
    /// Makes a string value.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Makes a truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Makes a number written as an integer.
    public init(integerLiteral value: Int) { self = .number(String(value)) }
    /// Makes an array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
    /// Makes an object; of equal names the last one stands.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        var object = JSONObject()
        for (name, value) in elements { object[name] = value }
        self = .object(object)
    }
    /// Makes `null`.
    public init(nilLiteral: ()) { self = .null }
}

/// The members of a JSON object, each name once, in the order they were written.
public struct JSONObject: Sendable, Equatable, Sequence {
    /// One name and its value.
    public struct Member: Sendable, Equatable {
        /// The member's name.
        public let name: String
        /// The member's value.
        public internal(set) var value: JSON
    }

    /// The members in written order.
    public private(set) var members: [Member]

    /// An object without members.
    public init() { members = [] }

    /// For the reader, which has already refused duplicates.
    init(unique members: [Member]) { self.members = members }

    /// Reads, replaces, appends or (with `nil`) removes the member of that name.
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

    /// Two objects are equal when they have the same members, in any order.
    public static func == (left: Self, right: Self) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.name] == $0.value }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Makes an object; of equal names the last one stands.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self.init()
        for (name, value) in elements { self[name] = value }
    }
}
