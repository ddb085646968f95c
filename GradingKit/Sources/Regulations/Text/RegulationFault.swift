public import GradingKit

/// A change of a document's text that mends a fault.
public struct TextEdit: Sendable, Equatable {
    /// The replaced bytes.
    public let range: Range<Int>
    /// The new text.
    public let replacement: String
}

/// A fault or warning of a document: what, where, and how to mend it if that is known.
public struct RegulationFault: Sendable, Equatable {
    /// What is wrong.
    public let code: FaultCode
    /// The names and numbers that the message mentions.
    public let arguments: JSONObject
    /// Its bytes in the text.
    public let range: Range<Int>
    /// The line of its first byte, from 1.
    public let line: Int
    /// The column of its first byte, from 1.
    public let column: Int
    /// An edit that mends it.
    public let fix: TextEdit?
    /// Whether the document can be in force nevertheless.
    public let isWarning: Bool
    let wording: LocalizedText

    init(_ wording: Wording, _ arguments: JSONObject, _ range: Range<Int>, in source: SourceText, fix: TextEdit?) {
        code = wording.code
        self.arguments = arguments
        self.range = range
        (line, column) = source.position(of: range.lowerBound)
        self.fix = fix
        isWarning = wording.isWarning
        self.wording = wording.text
    }

    /// The message, in words of the document.
    public func message(in language: Language) -> String { wording.filled(language, arguments) }
}

/// Collects faults: the first few hundred, each once.
final class FaultCollection {
    private static let limit = 200
    /// The most warnings.
    private static let warnings = 100
    /// Only the first few faults get guesses of names, to bound the cost.
    private static let guesses = 40

    let source: SourceText
    private(set) var faults: [RegulationFault] = []
    /// The number of faults that are no warnings.
    private var errors = 0
    /// The names of declarations that could not be read. Their uses are not reported as unknown.
    var unreadable: Set<String> = []

    /// Counts the work of reading.
    private let meter: WorkMeter?

    init(_ source: SourceText, _ meter: WorkMeter? = nil) {
        self.source = source
        self.meter = meter
    }

    /// Whether to stop looking for faults: there are enough, or the work must end. Warnings never stop the reading,
    /// because the unread rest might have faults.
    var isFull: Bool { errors >= Self.limit || meter?.isOver == true }

    /// Counts work, in steps.
    func spend(_ work: Int) { meter?.add(work) }
    var hasErrors: Bool { errors > 0 }
    var mayGuess: Bool { faults.count < Self.guesses }

    func add(
        _ wording: Wording, _ range: Range<Int>, _ arguments: JSONObject = JSONObject(), fix: String? = nil,
        at place: Range<Int>? = nil
    ) {
        guard !isFull, !wording.isWarning || faults.count - errors < Self.warnings else { return }
        let arguments = arguments.reduce(into: JSONObject()) { $0[$1.name] = Self.short($1.value) }
        // The cost of finding its place, and whether it is known already.
        spend(200 + 10 * faults.count)
        let edit = fix.map { TextEdit(range: place ?? range, replacement: $0) }
        let fault = RegulationFault(wording, arguments, range, in: source, fix: edit)
        if faults.contains(fault) { return }
        faults.append(fault)
        if !wording.isWarning { errors += 1 }
    }

    /// Adds the fault of an unknown name, with the nearest known one.
    func add(
        _ wording: Wording, guessing: Wording, _ name: String, among known: @autoclosure () -> [String],
        _ range: Range<Int>, _ arguments: JSONObject = JSONObject()
    ) {
        if isFull || unreadable.contains(name) { return }
        var arguments = arguments
        arguments["name"] = .string(name)
        guard mayGuess, let nearest = Spelling.nearest(to: name, among: known()) else {
            return add(wording, range, arguments)
        }
        arguments["nearest"] = .string(nearest)
        add(guessing, range, arguments, fix: nearest)
    }

    /// Shortens an argument of a message to a name or a few words.
    private static func short(_ argument: JSON) -> JSON {
        guard let text = argument.string, text.utf8.count > 200 else { return argument }
        return .string(text.prefix(120) + "…")
    }

    /// All faults in the order of the text.
    var sorted: [RegulationFault] {
        faults.sorted { ($0.range.lowerBound, $0.code) < ($1.range.lowerBound, $1.code) }
    }
}
