public import GradingKit

/// Calculates a standing of whatever is sent, without storing anything.
public struct Evaluation: Sendable {
    /// What is to be calculated.
    public struct Question: Sendable {
        let scheme: InstalledScheme
        let preset: String?
        let configuration: JSON
        let fields: JSON
        let entries: JSON

        /// A question to a scheme; `configuration` and `fields` are objects or `null`, `entries` is an array.
        public init(
            scheme: InstalledScheme, preset: String?, configuration: JSON, fields: JSON, entries: JSON
        ) {
            self.scheme = scheme
            self.preset = preset
            self.configuration = configuration
            self.fields = fields
            self.entries = entries
        }
    }

    private let calculations: Calculations

    /// Calculates in these turns.
    public init(_ calculations: Calculations) { self.calculations = calculations }

    /// The standing as a JSON document; throws what is wrong with the question in the scheme's words.
    ///
    /// - Parameters:
    ///   - text: the text of the question: what it may cost follows from its length.
    ///   - read: reads it. That is done in the caller's turn as well; a scheme in a process of its own calculates after
    ///     the turn, so that other callers do not wait for it.
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
            // It was charged, and given its place, as one that brings none.
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

    /// Whether a question may hold rules to judge by: whether it has a member `document`.
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
            let tree = try rules.calculation(fields: fields, entries: entries) {
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
