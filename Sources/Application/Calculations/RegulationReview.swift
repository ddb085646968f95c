public import GradingKit

/// A reader of regulations written as documents. The composition root provides one, so the use cases know no regulation
/// language.
public protocol RegulationReader: Sendable {
    /// Reviews a document: the members `faults`, `outline`, `examples`, `laws`, `lawsTried`, `classes`, `annotations`,
    /// `record` and `table`. All but the first two are `null` unless the caller asks for them. All but `annotations` and `table`
    /// are also `null` while the document has faults.
    ///
    /// - Parameters:
    ///   - language: of the standing's reasons and warnings, and of the rules in words.
    ///   - meter: where the work is counted. Once it is over the review stops where it is; what it returns is then worth
    ///     nothing.
    func review(_ question: RegulationQuestion, in language: Language, counting meter: WorkMeter) -> JSONObject

    /// The documents that ship with the server, in the order in which they are offered.
    var library: [LibraryDocument] { get }
}

/// A document of regulations, and what its author wants to know of it.
public struct RegulationQuestion: Sendable {
    /// The document, in UTF-8.
    public let document: [UInt8]
    /// An object of values for the document's settings, or `null`.
    public let settings: JSON
    /// Whether to work the document's examples.
    public let examples: Bool
    /// Whether to test the laws of grading.
    public let laws: Bool
    /// Whether to tell the words of the text and what its names mean.
    public let annotations: Bool
    /// A record to calculate: `{template}` or `{example}` by the name in the document, or `{fields?, entries}`; `nil` for
    /// none.
    public let record: JSONObject?
    /// A sheet in place of a table: `{name, text}`, the text with its cells separated by tabs, semicolons or commas; `nil`
    /// for none.
    public let table: JSONObject?

    /// Creates a question.
    public init(
        document: [UInt8], settings: JSON = .null, examples: Bool, laws: Bool, annotations: Bool = false,
        record: JSONObject? = nil, table: JSONObject? = nil
    ) {
        self.document = document
        self.settings = settings
        self.examples = examples
        self.laws = laws
        self.annotations = annotations
        self.record = record
        self.table = table
    }
}

/// A regulation document that institutions can start from.
public struct LibraryDocument: Sendable {
    /// Its name in URLs.
    public let name: String
    /// Its title.
    public let title: LocalizedText
    /// The text of the document.
    public let text: String

    /// Creates a library document.
    public init(name: String, title: LocalizedText, text: String) {
        self.name = name
        self.title = title
        self.text = text
    }
}

/// The check of regulations as they are being written, without storing anything.
public struct RegulationReview: Sendable {
    /// The greatest length of a document in bytes; for a longer one, only the length is reported.
    public static let longest = 256 << 10

    /// How long a check may keep a processor, whatever was expected: some ten times of what the greatest one takes.
    private static let longestWork = Duration.seconds(6)

    private let reader: any RegulationReader
    private let calculations: Calculations
    /// Whether this server accepts documents as schemes.
    private let isInstalled: Bool

    /// Creates a review that uses the given reader and runs in the turns of the given calculations.
    init(_ reader: any RegulationReader, _ calculations: Calculations, isInstalled: Bool) {
        self.reader = reader
        self.calculations = calculations
        self.isInstalled = isInstalled
    }

    /// The documents that ship with the server.
    public var library: [LibraryDocument] { reader.library }

    /// Reviews a document and returns the members of the answer. The request is charged before the work begins, and for
    /// what it takes beyond that when it is done.
    ///
    /// - Parameter text: the text of the request, from which the cost of its record is estimated.
    /// - Throws: `not_found` where the server does not accept documents as schemes; `review_too_long` at `/document` for one
    ///   that keeps a processor longer than any should.
    public func review(
        _ question: RegulationQuestion, text: [UInt8], for context: RequestContext
    ) async throws -> JSONObject {
        guard isInstalled else { throw UseCaseError.notFound }
        let cost = CalculationCost(of: question, text: text)
        return try await calculations.perform(cost, for: context) { [reader, calculations] in
            let meter = WorkMeter(until: calculations.end(after: Self.longestWork))
            let review = reader.review(question, in: context.language, counting: meter)
            if meter.isOver { throw FaultList([Fault(.reviewTooLong, at: "/document")]) }
            return review
        }
    }
}
