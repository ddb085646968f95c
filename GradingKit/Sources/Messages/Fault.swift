public import JSON

/// A stable name for one kind of fault or warning. Never translated, never reused for another meaning.
public struct FaultCode: Hashable, Comparable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The code as it stands on the wire, `lower_snake_case`.
    public let text: String

    /// Wraps a code.
    public init(_ text: String) { self.text = text }
    /// Wraps a code.
    public init(stringLiteral value: String) { text = value }

    /// The code's text.
    public var description: String { text }

    /// Alphabetical order.
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

extension FaultCode {
    /// A member that the shape does not know, or that may not be set here.
    public static let unknownField: FaultCode = "unknown_field"
    /// A value of another JSON type than the field's.
    public static let wrongType: FaultCode = "wrong_type"
    /// A required field without a value.
    public static let missingField: FaultCode = "missing_field"
    /// Text that is not a plain decimal number.
    public static let notANumber: FaultCode = "not_a_number"
    /// More digits than the shape allows, or a computed value beyond 4,096 bits.
    public static let tooPrecise: FaultCode = "too_precise"
    /// A value outside the field's range or choices.
    public static let outOfRange: FaultCode = "out_of_range"
    /// More elements than a list may hold.
    public static let entryLimit: FaultCode = "entry_limit"
    /// A name that stands for one thing and is given to a second.
    public static let duplicateID: FaultCode = "duplicate_id"
}

/// One thing wrong with a request: what, where, and with which numbers.
public struct Fault: Error, Equatable, Sendable {
    /// What is wrong.
    public let code: FaultCode
    /// Where: a JSON Pointer into the request; `""` for a fault about the whole.
    public let path: String
    /// The numbers and names its message mentions.
    public let arguments: JSONObject
    /// What to say, where one code has several messages; `nil` for the wording of the code.
    public let wording: LocalizedText?

    /// A fault.
    public init(
        _ code: FaultCode, at path: String = "", _ arguments: JSONObject = JSONObject(), wording: LocalizedText? = nil
    ) {
        self.code = code
        self.path = path
        self.arguments = arguments
        self.wording = wording
    }

    /// The fault as seen from further out: its path prefixed.
    public func prefixed(_ prefix: String) -> Fault {
        Fault(code, at: prefix + path, arguments, wording: wording)
    }
}

/// All faults of one request, found in one pass; never empty when thrown. Of a request that is nothing but faults the
/// first thousand are told.
public struct FaultList: Error, Equatable, Sendable {
    private static let limit = 1_000
    private static let guesses = 32

    /// The faults, sorted by path, then by code.
    public private(set) var faults: [Fault] = []

    /// No fault yet.
    public init() {}

    /// The given faults, sorted.
    public init(_ faults: [Fault]) { for fault in faults { add(fault) } }

    /// Whether there is none.
    public var isEmpty: Bool { faults.isEmpty }

    /// Adds a fault in its place; the same fault twice counts once.
    public mutating func add(_ fault: Fault) {
        guard faults.count < Self.limit, !faults.contains(fault) else { return }
        let index = faults.firstIndex { ($0.path, $0.code) > (fault.path, fault.code) } ?? faults.endIndex
        faults.insert(fault, at: index)
    }

    /// Adds a fault.
    public mutating func add(_ code: FaultCode, at path: String, _ arguments: JSONObject = JSONObject()) {
        add(Fault(code, at: path, arguments))
    }

    /// Adds a member that nothing is known by, with the known name that was probably meant.
    ///
    /// Guesses are made for the first few: what a request may cost is bounded, however many members it has.
    public mutating func add(unknown name: String, among known: [String], at path: String) {
        add(unknown: name, among: known, below: path + JSONPointer.step(name))
    }

    /// The same for a member whose own path is `place`.
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

    /// The arguments of a fault whose value is none of a few words: `allowed`, the first twenty of them, and where there
    /// are more, how many in `count`.
    public static func allowing(_ words: [String]) -> JSONObject {
        var arguments: JSONObject = ["allowed": .array(words.prefix(longestList).map { .string($0) })]
        if words.count > longestList { arguments["count"] = .number(String(words.count)) }
        return arguments
    }
}
