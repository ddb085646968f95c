import GradingKit

/// A worked example of a document, and what came of it.
public struct ExampleResult: Sendable {
    /// What the example is called.
    public let name: String
    /// What was expected and did not come out, each with its line and in words; empty when all did.
    public let differences: [(line: Int, text: String)]
}

/// An example as a record with what must come of it.
struct PreparedExample: Sendable {
    let name: String
    private let fields: JSON
    private let entries: JSON
    private let expectations: [Expectation]
    private let source: SourceText
    /// By the name of a figure or an outcome, the article that it carries out.
    private let articles: [String: String]

    init(
        _ example: RegulationDocument.Example, _ record: (fields: JSON, entries: JSON), _ source: SourceText,
        articles: [String: String]
    ) {
        self.articles = articles
        name = example.heading.label?(.english) ?? example.heading.name.text
        (fields, entries) = (record.fields, record.entries)
        expectations = example.expectations
        self.source = source
    }

    /// A name for each new entry, in turn.
    static func identifiers() -> () -> EntryID {
        var made = 0
        return {
            made += 1
            return EntryID("e\(made)")
        }
    }

    func result(_ rules: Rulebook) -> ExampleResult {
        var differences: [(line: Int, text: String)] = []
        func note(_ expectation: Expectation, _ found: String) {
            let line = source.position(of: expectation.range.lowerBound).line
            let article = articles[expectation.name.text].map { " (\($0))" } ?? ""
            differences.append((line, "\(source[expectation.range]): \(found)\(article)"))
        }
        do throws(FaultList) {
            let tree = try rules.calculation(fields: fields, entries: entries, newID: Self.identifiers())
            let standing = try rules.standing(of: tree)
            for expectation in expectations {
                if let found = difference(expectation, standing, tree) { note(expectation, found) }
            }
        } catch {
            let codes = error.faults.map(\.code.text)
            for expectation in expectations {
                if case .refused = expectation.content, codes.contains(expectation.name.text) { continue }
                note(expectation, "refused, \(codes.joined(separator: ", "))")
            }
        }
        return ExampleResult(name: name, differences: differences)
    }

    /// What came out in place of what was expected; `nil` when it is that.
    private func difference(_ expectation: Expectation, _ standing: Standing, _ tree: RecordTree) -> String? {
        var (figures, outcomes, letter) = (standing.figures, standing.outcomes, standing.letter)
        if let title = expectation.entry {
            guard
                let entry = standing.entries.first(where: {
                    comparableName(tree.names(of: $0.entry).last ?? "") == comparableName(title.text)
                })
            else { return "there is no such entry" }
            (figures, outcomes, letter) = (entry.figures, entry.outcomes, entry.letter)
        }
        let name = expectation.name.text
        switch expectation.content {
        case .refused: return "accepted"
        case .letter(let label): return letter?.label == label ? nil : letter?.label ?? "none"
        case .outcome(let state, let isFinal):
            guard let outcome = outcomes.first(where: { $0.name == name }) else { return "there is no such outcome" }
            if outcome.decision.state == state, outcome.isFinal || !isFinal { return nil }
            return outcome.decision.state.rawValue + (outcome.isFinal ? " final" : "")
        default: break
        }
        guard let figure = figures.first(where: { $0.name == name }) else { return "there is no such figure" }
        let state =
            expectation.side == .current ? figure.current : expectation.side == .floor ? figure.floor : figure.ceiling
        return difference(expectation.content, state, figure)
    }

    private func difference(
        _ content: Expectation.Content, _ state: Quantity.State, _ figure: StandingFigure
    ) -> String? {
        switch (content, state) {
        case (.exactly(let expected), .value(let value)): return expected == value ? nil : value.description
        case (.shown(let expected), .value(let value)):
            let shown = figure.presentation.rule.display(value)
            return shown == expected ? nil : shown
        case (.known(let isKnown), .value(let value)): return isKnown ? nil : value.description
        case (.known(false), .undefined): return nil
        case (_, .undefined(let reason)): return "unknown, \(reason)"
        default: return nil
        }
    }
}

extension Regulation {
    /// Works the document's examples. A document with faults works none.
    public func workedExamples() -> [ExampleResult] {
        guard let rulebook else { return [] }
        return examples.map { $0.result(rulebook) }
    }
}
