import GradingKit

/// An upper bound of a calculation's cost, estimated from its texts before they are parsed.
///
/// Every entry needs a brace of its own, so the number of braces bounds the number of entries. The work grows with the
/// entries and with the question asked about each. One unit is the cost of judging about sixty entries, roughly a third
/// of a millisecond.
struct CalculationCost: Sendable, Equatable {
    /// The question asked about each entry; the raw value is its cost relative to a standing.
    enum Question: Int, Sendable {
        /// Read the record only.
        case reading = 0
        /// Compute the standing.
        case standing = 1
        /// Compute the standing and explain it.
        case explanation = 8
        /// Find what the open grades must be, which takes many standings.
        case goal = 10
    }

    /// Points in one unit.
    private static let pointsOfUnit = 256
    /// The greatest cost, in points, of work that runs directly on the event loop.
    private static let greatestSmall = 2 * pointsOfUnit

    /// How many times the work of a compiled scheme a regulation document may need for each entry.
    private static let factorOfDocuments = 32

    /// Parts of formulas that three runs over a record compute in a point.
    private static let partsOfPoint = 30

    private let points: Int

    /// Estimates the cost of a question about some texts.
    ///
    /// - Parameters:
    ///   - lines: how many entries there are beside those in the texts: lines of classes.
    ///   - rules: by which rules; what a document of regulations asks of a record was counted when it was read.
    ///   - isConfiguring: whether the rules have to be made first.
    init(
        of question: Question, about texts: [UInt8]..., lines: Int = 0, by rules: Rulebook? = nil,
        configuring isConfiguring: Bool = false
    ) {
        let bytes = texts.reduce(0) { $0 + $1.count }
        let braces = texts.reduce(lines) { $0 + $1.count { $0 == UInt8(ascii: "{") } }
        let entries = min(braces, RecordShape.greatestEntryCount)
        let parts = rules?.workBound?.parts(ofEntries: entries) ?? 0
        points =
            bytes / 64 + braces + (entries * 4 + parts / Self.partsOfPoint) * question.rawValue
            + (isConfiguring ? Self.pointsOfUnit : 0)
    }

    /// The cost of judging an entry or more by a document of regulations that the request brings, in the texts' length:
    /// reading 250 bytes of one is about a unit. It is never small.
    init(of question: Question, byDocumentIn text: [UInt8]) {
        let braces = text.count { $0 == UInt8(ascii: "{") }
        let entries = min(braces, RecordShape.greatestEntryCount)
        points = Self.points(ofDocument: text.count) + entries * 4 * question.rawValue * Self.factorOfDocuments
    }

    /// The cost of judging rows of a class with the records that follow them. More than a second's work counts as that.
    ///
    /// - Parameter lines: how many lines the class's structure has.
    init(judging rows: Int, of lines: Int) {
        points = min(rows * (lines + Self.entriesOfRecord) * 4, 1_000 * Self.pointsOfUnit)
    }

    /// How many entries a record has beside the row, as a rule.
    private static let entriesOfRecord = 60

    /// The cost of checking a document of regulations.
    ///
    /// - Parameter text: the text of the request; the record that it brings has at most as many entries as the text has
    ///   braces.
    init(of question: RegulationQuestion, text: [UInt8]) {
        let reading = Self.points(ofDocument: question.document.count)
        // Examples are judged once each, a record of the document's own once more; to cut it into words once more takes a
        // quarter of reading it. The laws are tried for a bounded time, about a tenth of a second.
        let times = [question.examples, question.record != nil].count { $0 }
        let braces = question.record == nil ? 0 : text.count { $0 == UInt8(ascii: "{") }
        let entries = min(braces, RecordShape.greatestEntryCount)
        points =
            reading * (1 + times) + (question.annotations ? reading / 4 : 0)
            + (question.table == nil ? 0 : text.count / 8)
            + entries * 4 * Self.factorOfDocuments
            + (question.laws ? 300 * Self.pointsOfUnit : 0)
    }

    /// Of a text that is too long for a document nothing but its JSON is read. A document of `n` bytes has formulas of
    /// 4,000 + n / 2 parts at most, names written in place, and to check a part takes about two microseconds.
    private static func points(ofDocument length: Int) -> Int {
        length / 64 + min(length, RegulationReview.longest) + 12 * pointsOfUnit
    }

    /// The cost in whole units, at least 1; limits count in these units.
    var units: Int { max(1, (points + Self.pointsOfUnit - 1) / Self.pointsOfUnit) }

    /// The units of work that a processor did in so much time.
    static func units(ofNanoseconds time: Int64) -> Int { Int(clamping: max(0, time) / nanosecondsOfUnit) }

    #if DEBUG
        /// A third of a millisecond as the program is shipped takes ten times as long in a build for tests.
        static let nanosecondsOfUnit: Int64 = 3_333_333
    #else
        static let nanosecondsOfUnit: Int64 = 333_333
    #endif

    /// Whether the work is small enough to run on the event loop without delaying others noticeably.
    var isSmall: Bool { points <= Self.greatestSmall }
}
