public import GradingKit

/// The calculation of a submitted record's standing, without storing anything.
public struct Evaluation: Sendable {
    /// The record and rules to calculate with.
    public struct Question: Sendable {
        let scheme: InstalledScheme
        let preset: String?
        let configuration: JSON
        let fields: JSON
        let given: JSON
        let entries: JSON

        /// Creates a question to a scheme; `configuration`, `fields` and `given` are objects or `null`, `entries` is an array.
        public init(
            scheme: InstalledScheme, preset: String?, configuration: JSON, fields: JSON, given: JSON = .null,
            entries: JSON
        ) {
            self.scheme = scheme
            self.preset = preset
            self.configuration = configuration
            self.fields = fields
            self.given = given
            self.entries = entries
        }
    }

    private let calculations: Calculations

    /// Creates an evaluation that runs in the turns of the given calculations.
    public init(_ calculations: Calculations) { self.calculations = calculations }

    /// Returns the standing as a JSON document.
    ///
    /// - Parameters:
    ///   - text: the text of the question, from which the cost is estimated.
    ///   - read: parses the text. It runs in the caller's turn; a scheme in its own process calculates after the turn,
    ///     so that other callers do not wait for it.
    /// - Throws: the faults of the question, in the scheme's words.
    public func document(
        of text: [UInt8], explaining selection: TraceSelection, for context: RequestContext,
        reading read: @escaping @Sendable () throws -> Question
    ) async throws -> [UInt8] {
        let kind: CalculationCost.Question = selection == .none ? .standing : .explanation
        let mayBringDocument = Self.mayBringDocument(text)
        let cost =
            mayBringDocument
            ? CalculationCost(of: kind, byDocumentIn: text) : CalculationCost(of: kind, about: text, configuring: true)
        let language = context.language
        let found: (question: Question, bytes: [UInt8]?) = try await calculations.perform(cost, for: context) {
            let question = try read()
            // The request was charged and queued as one without a document.
            if question.scheme.isDocument, !mayBringDocument {
                throw UseCaseError.malformed("The member document is missing, or its name is written with escapes")
            }
            let bytes = question.scheme.isImmediate ? try question.answer(explaining: selection, in: language) : nil
            return (question, bytes)
        }
        if let bytes = found.bytes { return bytes }
        return try await found.question.scheme.perform {
            try found.question.answer(explaining: selection, in: language)
        }
    }

    /// Returns whether the question may contain rules of its own: whether it has a member `document`.
    private static func mayBringDocument(_ text: [UInt8]) -> Bool {
        let name = Array("\"document\"".utf8)
        return text.indices.contains { start in
            text[start] == name[0] && text[start...].starts(with: name)
        }
    }
}

extension Evaluation.Question {
    fileprivate func answer(explaining selection: TraceSelection, in language: Language) throws -> [UInt8] {
        let rules = try scheme.rulebook(preset: preset, configuration: configuration)
        var count = 0
        do {
            let tree = try rules.calculation(fields: fields, given: given, entries: entries) {
                count += 1
                return EntryID("entry-\(count)")
            }
            let standing = try rules.standing(of: tree, explaining: selection)
            var writer = JSONWriter()
            writer.object { writer in
                standing.writeMembers(to: &writer, of: nil, in: language)
                writer.member("configurationWarnings") { writer in
                    writer.array {
                        for warning in rules.warnings { warning.write(to: &$0, in: language, rules.catalog) }
                    }
                }
            }
            return writer.bytes
        } catch {
            throw UseCaseError.invalid(error, catalog: rules.catalog)
        }
    }
}
