public import GradingKit

/// A reader of regulations written as documents. The composition root provides one, so the use cases know no regulation
/// language.
public protocol RegulationReader: Sendable {
    /// What is to be said of a document: the members `faults`, `outline`, `examples`, `laws` and `lawsTried`. The last three
    /// are `null` where they were not asked for and while the document has faults.
    ///
    /// - Parameters:
    ///   - settings: an object of values for the document's settings, or `null`.
    ///   - examples: whether to work the document's examples.
    ///   - laws: whether to test the laws of grading.
    func review(_ document: [UInt8], settings: JSON, examples: Bool, laws: Bool) -> JSONObject

    /// The documents that ship with the server, in the order in which they are offered.
    var library: [LibraryDocument] { get }
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

    /// Reviews a document and returns the members of the answer. The request is charged before the work begins.
    ///
    /// - Throws: `not_found` where the server does not accept documents as schemes.
    public func review(
        _ document: String, settings: JSON, examples: Bool, laws: Bool, for context: RequestContext
    ) async throws -> JSONObject {
        guard isInstalled else { throw UseCaseError.notFound }
        let cost = CalculationCost(ofDocument: document.utf8.count, examples: examples, laws: laws)
        return try await calculations.perform(cost, for: context) { [reader] in
            reader.review(Array(document.utf8), settings: settings, examples: examples, laws: laws)
        }
    }
}
