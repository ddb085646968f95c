public import JSON

/// A stable name for one kind of fault or warning. It is never translated, and never reused with another meaning.
public struct FaultCode: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The text of the code in JSON, `lower_snake_case`.
    public let text: String
    /// The wording that the code was declared with. It is no part of the code's identity.
    private let declaration: Declaration?

    /// A wording out of line, so that codes stay small: calculations copy many of them.
    private final class Declaration: Sendable {
        let wording: LocalizedText

        init(_ wording: LocalizedText) { self.wording = wording }
    }

    /// The wording that the code was declared with, for the catalog that lists it.
    var wording: LocalizedText? { declaration?.wording }

    /// Wraps a code.
    public init(_ text: String) {
        self.text = text
        declaration = nil
    }
    /// Wraps a code.
    public init(stringLiteral value: String) { self.init(value) }

    /// Declares a code and its wording together. A catalog has to list it.
    package init(_ text: String, _ english: String, fr french: String, zh chinese: String) {
        self.text = text
        declaration = Declaration(LocalizedText(english, fr: french, zh: chinese))
    }

    /// The text of the code.
    public var description: String { text }

    /// Compares alphabetically.
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
    /// Compares the texts of the codes.
    public static func == (left: Self, right: Self) -> Bool { left.text == right.text }
    /// Hashes the text of the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension FaultCode {
    /// A member that is unknown here, or that may not be set.
    public static let unknownField: FaultCode = "unknown_field"
    /// A value of another JSON type than expected.
    public static let wrongType: FaultCode = "wrong_type"
    /// A required field without a value.
    public static let missingField: FaultCode = "missing_field"
    /// Text that is not a plain decimal number.
    public static let notANumber: FaultCode = "not_a_number"
    /// More digits than the shape allows, or a computed value beyond 4,096 bits.
    public static let tooPrecise: FaultCode = "too_precise"
    /// A value outside the field's range or choices.
    public static let outOfRange: FaultCode = "out_of_range"
    /// A text has control characters, or characters that make it look different from what it is.
    public static let textInvalid: FaultCode = "text_invalid"
    /// More elements than a list may hold.
    public static let entryLimit: FaultCode = "entry_limit"
    /// A name that is already used for something else.
    public static let duplicateID: FaultCode = "duplicate_id"
}

/// One fault of a request: its code, place and arguments.
public struct Fault: Error, Equatable, Sendable {
    /// The kind of fault.
    public let code: FaultCode
    /// Its place: a JSON Pointer into the request; `""` for the whole request.
    public let path: String
    /// The numbers and names that the message mentions.
    public let arguments: JSONObject
    /// The message, if one code has several; `nil` for the code's own wording.
    public let wording: LocalizedText?

    /// Creates a fault.
    public init(
        _ code: FaultCode, at path: String = "", _ arguments: JSONObject = JSONObject(), wording: LocalizedText? = nil
    ) {
        self.code = code
        self.path = path
        self.arguments = arguments
        self.wording = wording
    }

    /// Returns the fault with a prefix before its path, for a caller whose value contains this one.
    public func prefixed(_ prefix: String) -> Fault {
        Fault(code, at: prefix + path, arguments, wording: wording)
    }
}

/// All faults of one request, found in one pass; never empty when thrown. At most the first thousand are kept.
public struct FaultList: Error, Equatable, Sendable {
    private static let limit = 1_000
    private static let guesses = 32

    /// The faults, sorted by path, then by code.
    public private(set) var faults: [Fault] = []

    /// Creates an empty list.
    public init() {}

    /// Creates a list of the given faults, sorted.
    public init(_ faults: [Fault]) { for fault in faults { add(fault) } }

    /// Whether there are no faults.
    public var isEmpty: Bool { faults.isEmpty }

    /// Inserts a fault in order, unless the list already contains it.
    ///
    /// Finds the place of the fault by bisection, because rules may refuse a record in a thousand places.
    public mutating func add(_ fault: Fault) {
        guard faults.count < Self.limit else { return }
        var (low, high) = (0, faults.count)
        while low < high {
            let middle = (low + high) / 2
            if (faults[middle].path, faults[middle].code) > (fault.path, fault.code) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        let alike = faults[..<low].reversed().prefix { $0.path == fault.path && $0.code == fault.code }
        if !alike.contains(fault) { faults.insert(fault, at: low) }
    }

    /// Adds a fault.
    public mutating func add(_ code: FaultCode, at path: String, _ arguments: JSONObject = JSONObject()) {
        add(Fault(code, at: path, arguments))
    }

    /// Adds a fault for an unknown member, with the known name that was probably meant.
    ///
    /// Only the first few faults get suggestions, so that the cost of a request with many unknown members is bounded.
    public mutating func add(unknown name: String, among known: [String], at path: String) {
        add(unknown: name, among: known, below: path + JSONPointer.step(name))
    }

    /// Adds the same fault for a member whose own path is `place`.
    package mutating func add(unknown name: String, among known: [String], below place: String) {
        let nearest = faults.count < Self.guesses ? Spelling.nearest(to: name, among: known) : nil
        add(.unknownField, at: place, nearest.map { ["nearest": .string($0)] } ?? JSONObject())
    }

    /// Throws the list unless it is empty.
    public func check() throws(FaultList) {
        if !isEmpty { throw self }
    }
}

extension JSONObject {
    /// How many allowed values a fault lists.
    private static let longestList = 20

    /// Returns the arguments of a fault about a value that must be one of several words: `allowed`, with the first
    /// twenty of them, and `count`, the total number, if there are more.
    public static func allowing(_ words: [String]) -> JSONObject {
        var arguments: JSONObject = ["allowed": .array(words.prefix(longestList).map { .string($0) })]
        if words.count > longestList { arguments["count"] = .number(String(words.count)) }
        return arguments
    }
}
