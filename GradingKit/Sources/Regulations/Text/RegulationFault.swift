public import GradingKit

/// A change of a document's text that mends a fault.
public struct TextEdit: Sendable, Equatable {
    /// Which bytes are replaced.
    public let range: Range<Int>
    /// What stands there afterwards.
    public let replacement: String
}

/// One thing wrong with a document, or allowed but surprising: what, where, and if it is known how to mend it.
public struct RegulationFault: Sendable, Equatable {
    /// What is wrong.
    public let code: FaultCode
    /// The names and numbers that the message mentions.
    public let arguments: JSONObject
    /// The bytes it is about.
    public let range: Range<Int>
    /// The line on which they begin, from 1.
    public let line: Int
    /// The character of the line at which they begin, from 1.
    public let column: Int
    /// What mends it.
    public let fix: TextEdit?
    /// Whether the document is in force all the same.
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

/// Where the faults of a document come together: the first few hundred of them, each once.
final class FaultCollection {
    private static let limit = 200
    /// The most warnings.
    private static let warnings = 100
    /// Guesses of names are made for the first few faults: their cost is bounded.
    private static let guesses = 40

    let source: SourceText
    private(set) var faults: [RegulationFault] = []
    /// How many of them are no warnings.
    private var errors = 0
    /// The names of declarations that could not be read: that they are not known is no fault of where they are used.
    var unreadable: Set<String> = []

    /// Where the work of reading is counted.
    private let meter: WorkMeter?

    init(_ source: SourceText, _ meter: WorkMeter? = nil) {
        self.source = source
        self.meter = meter
    }

    /// Whether nothing more is to be found: there are faults enough, or the work must end. Warnings never end the reading: what
    /// was left unread might be wrong.
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
        // Where it is, and whether it is known.
        spend(200 + 10 * faults.count)
        let edit = fix.map { TextEdit(range: place ?? range, replacement: $0) }
        let fault = RegulationFault(wording, arguments, range, in: source, fix: edit)
        if faults.contains(fault) { return }
        faults.append(fault)
        if !wording.isWarning { errors += 1 }
    }

    /// Adds the fault of a name that is not known, with the nearest known one.
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

    /// What a message mentions is a name or a few words, whatever the text.
    private static func short(_ argument: JSON) -> JSON {
        guard let text = argument.string, text.utf8.count > 200 else { return argument }
        return .string(text.prefix(120) + "…")
    }

    /// All faults in the order of the text.
    var sorted: [RegulationFault] {
        faults.sorted { ($0.range.lowerBound, $0.code) < ($1.range.lowerBound, $1.code) }
    }
}
