public import GradingKit

/// Reads regulations that are written as documents. The composition root provides one: use-cases know no language.
public protocol RegulationReader: Sendable {
    /// What is to be said of a document: the members `faults`, `outline`, `examples`, `laws` and `lawsTried`. The last three
    /// are `null` where they were not asked for and while the document has faults.
    ///
    /// - Parameters:
    ///   - settings: an object of values for the document's settings, or `null`.
    ///   - examples: whether to work the document's examples.
    ///   - laws: whether to try the laws of grading.
    func review(_ document: [UInt8], settings: JSON, examples: Bool, laws: Bool) -> JSONObject

    /// The documents that ship, in the order in which they are offered.
    var library: [LibraryDocument] { get }
}

/// A document that institutions start from.
public struct LibraryDocument: Sendable {
    /// Its name in addresses.
    public let name: String
    /// What it is called.
    public let title: LocalizedText
    /// The document.
    public let text: String

    /// A document.
    public init(name: String, title: LocalizedText, text: String) {
        self.name = name
        self.title = title
        self.text = text
    }
}

/// Checks regulations while they are written, without storing anything.
public struct RegulationReview: Sendable {
    /// The greatest document, in bytes; of a longer one nothing but its length is said.
    public static let longest = 256 << 10

    private let reader: any RegulationReader
    private let calculations: Calculations
    /// Whether this server has documents as schemes.
    private let isInstalled: Bool

    /// Checks with this reader, in these turns.
    init(_ reader: any RegulationReader, _ calculations: Calculations, isInstalled: Bool) {
        self.reader = reader
        self.calculations = calculations
        self.isInstalled = isInstalled
    }

    /// The documents that ship.
    public var library: [LibraryDocument] { reader.library }

    /// What is to be said of a document, as members of an answer. It is charged for before it is found out.
    ///
    /// - Throws: `not_found` where documents are not installed as schemes.
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
