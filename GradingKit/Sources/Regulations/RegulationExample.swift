public import GradingKit

/// The result of a worked example of a document.
public struct ExampleResult: Sendable {
    /// The name of the example.
    public let name: String
    /// The first twenty results that differ from the expectation, with line and text; empty if none does.
    public let differences: [(line: Int, text: LocalizedText)]
}

/// An example as a record, with its expected results.
struct PreparedExample: Sendable {
    let name: String
    /// The name in the document.
    let identifier: String
    let fields: JSON
    let entries: JSON
    private let expectations: [Expectation]
    /// The entry of each expectation, by its number in the order of the record.
    private let subjects: [Int?]
    private static let mostDifferences = 20
    private let source: SourceText
    /// The article of each figure or outcome, by name.
    private let articles: [String: String]

    init(
        _ example: RegulationDocument.Example, _ record: (fields: JSON, entries: JSON), subjects: [Int?],
        _ source: SourceText, articles: [String: String]
    ) {
        (self.articles, self.subjects) = (articles, subjects)
        identifier = example.heading.name.text
        name = example.heading.label?(.english) ?? identifier
        (fields, entries) = (record.fields, record.entries)
        expectations = example.expectations
        self.source = source
    }

    /// A generator of identifiers for new entries.
    static func identifiers() -> () -> EntryID {
        var made = 0
        return {
            made += 1
            return EntryID("e\(made)")
        }
    }

    func result(_ rules: Rulebook) -> ExampleResult {
        var differences: [(line: Int, text: LocalizedText)] = []
        func note(_ expectation: Expectation, _ found: Finding) {
            guard differences.count < Self.mostDifferences else { return }
            let line = source.position(of: expectation.range.lowerBound).line
            let article = articles[expectation.name.text].map { " (\($0))" } ?? ""
            let written = source[expectation.range.prefix(400)]
            differences.append((line, found.words(rules.catalog).surrounded("\(written): ", article)))
        }
        do throws(FaultList) {
            let tree = try rules.calculation(fields: fields, entries: entries, newID: Self.identifiers())
            let seen = SeenExample(try rules.standing(of: tree), tree)
            for (expectation, subject) in zip(expectations, subjects) {
                if let found = difference(expectation, subject, seen) { note(expectation, found) }
            }
        } catch {
            let codes = error.faults.map(\.code)
            for expectation in expectations {
                if case .refused = expectation.content, codes.contains(FaultCode(expectation.name.text)) { continue }
                note(expectation, .refused(error.faults))
            }
        }
        return ExampleResult(name: name, differences: differences)
    }

    /// The result instead of the expected one; `nil` if they agree.
    private func difference(_ expectation: Expectation, _ number: Int?, _ seen: SeenExample) -> Finding? {
        // The outline has every entry to which a way leads; anything else is a group.
        let group = number == nil && !expectation.way.isEmpty ? expectation.entry?.text : nil
        guard let subject = group.map({ seen.group($0) }) ?? seen.subject(number, expectation.entry?.text) else {
            return .noEntry
        }
        let name = group.map { seen.name(expectation.name.text, ofGroup: $0) } ?? expectation.name.text
        switch expectation.content {
        case .refused: return .accepted
        case .letter(let label): return subject.letter?.label == label ? nil : .value(subject.letter?.label ?? "–")
        case .outcome(let state, let isFinal):
            guard let outcome = subject.outcomes[name] else { return .noOutcome }
            if outcome.decision.state == state, outcome.isFinal || !isFinal { return nil }
            return .value(outcome.words)
        case .value(let value, let isFinal):
            guard let outcome = subject.outcomes[name] else { return .noOutcome }
            if outcome.decision.value == value, outcome.isFinal || !isFinal { return nil }
            return .value(outcome.words)
        default: break
        }
        guard let figure = subject.figures[name] else { return .noFigure }
        let state =
            expectation.side == .current ? figure.current : expectation.side == .floor ? figure.floor : figure.ceiling
        return difference(expectation.content, state, figure)
    }

    private func difference(
        _ content: Expectation.Content, _ state: Quantity.State, _ figure: StandingFigure
    ) -> Finding? {
        switch (content, state) {
        case (.exactly(let expected), .value(let value)): return expected == value ? nil : .value(value.description)
        case (.shown(let expected), .value(let value)):
            let shown = figure.presentation.rule.display(value)
            return shown == expected ? nil : .value(shown)
        case (.known(let isKnown), .value(let value)): return isKnown ? nil : .value(value.description)
        case (.known(false), .undefined): return nil
        case (_, .undefined(let reason)): return .unknown(reason)
        default: return nil
        }
    }
}

extension StandingOutcome {
    /// The outcome in the form of an example.
    fileprivate var words: String { decision.word + (isFinal ? " final" : "") }
}

/// A standing of an example, by the names in its expectations.
private struct SeenExample {
    struct Subject {
        let figures: [String: StandingFigure]
        let outcomes: [String: StandingOutcome]
        let letter: Band?

        init(_ figures: [StandingFigure], _ outcomes: [StandingOutcome], _ letter: Band?) {
            self.figures = Dictionary(figures.map { ($0.name, $0) }) { first, _ in first }
            self.outcomes = Dictionary(outcomes.map { ($0.name, $0) }) { first, _ in first }
            self.letter = letter
        }
    }

    private let record: Subject
    /// In the order of the record; `nil` for an entry that shows nothing.
    private let all: [Subject?]
    /// By the first text of an entry, in the form for comparison.
    private let entries: [String: Subject]

    init(_ standing: Standing, _ tree: RecordTree) {
        record = Subject(standing.figures, standing.outcomes, standing.letter)
        let subjects = standing.entries.map { ($0.entry, Subject($0.figures, $0.outcomes, $0.letter)) }
        let shown = Dictionary(subjects) { first, _ in first }
        all = Self.identifiers(tree.entries).map { shown[$0] }
        entries = Dictionary(
            zip(tree.names(of: subjects.map { Optional($0.0) }), subjects).map { names, subject in
                (comparableName(names.last ?? ""), subject.1)
            }
        ) { first, _ in first }
    }

    private static func identifiers(_ entries: [Entry]) -> [EntryID] {
        entries.flatMap { [$0.id] + identifiers($0.children) }
    }

    /// The entry that shows the figures and outcomes of a group, which are named after it.
    func group(_ key: String) -> Subject? {
        let key = comparableName(key)
        func shows(_ subject: Subject) -> Bool {
            (subject.figures.keys.map { $0 } + subject.outcomes.keys.map { $0 }).contains {
                $0.key.map(comparableName) == key
            }
        }
        return shows(record) ? record : entries.values.first(where: shows)
    }

    /// The shown name of a group's figure or outcome.
    func name(_ name: String, ofGroup key: String) -> String {
        guard let subject = group(key) else { return name }
        let names = subject.figures.keys.map { $0 } + subject.outcomes.keys.map { $0 }
        return names.first { $0.hasPrefix(name + ":") && $0.key.map(comparableName) == comparableName(key) } ?? name
    }

    /// An entry by its number, otherwise by its title; the record if there is no title.
    func subject(_ number: Int?, _ title: String?) -> Subject? {
        if let number, all.indices.contains(number) { return all[number] }
        return title.map { entries[comparableName($0)] } ?? record
    }
}

extension String {
    /// The key of the group in the name of its figure or outcome.
    fileprivate var key: String? { firstIndex(of: ":").map { String(self[index(after: $0)...]) } }
}

/// The result instead of the expected one.
private enum Finding {
    /// A value as written, or a word of the language.
    case value(String)
    case unknown(FaultCode)
    case accepted
    case refused([Fault])
    case noEntry, noOutcome, noFigure

    func words(_ catalog: MessageCatalog) -> LocalizedText {
        switch self {
        case .value(let text): LocalizedText(verbatim: text)
        case .unknown(let reason):
            LocalizedText("unknown — ", fr: "inconnu — ", zh: "未知——").joined {
                catalog.message(reason, in: $0)
            }
        case .accepted: LocalizedText("accepted", fr: "accepté", zh: "被接受")
        case .refused(let faults):
            LocalizedText("refused — ", fr: "refusé — ", zh: "被拒绝——").joined { language in
                faults.prefix(3).map { catalog.message($0, in: language) }.joined(separator: "; ")
            }
        case .noEntry:
            LocalizedText("there is no such entry", fr: "il n’y a pas de tel élément", zh: "没有这样的条目")
        case .noOutcome:
            LocalizedText("there is no such outcome", fr: "il n’y a pas de tel résultat", zh: "没有这样的结果")
        case .noFigure: LocalizedText("there is no such figure", fr: "il n’y a pas de telle valeur", zh: "没有这样的数值")
        }
    }
}

extension LocalizedText {
    /// The text between two others that are the same in every language.
    fileprivate func surrounded(_ before: String, _ after: String) -> LocalizedText {
        LocalizedText(before + english + after, fr: before + french + after, zh: before + chinese + after)
    }

    /// The text followed by another in the same language.
    fileprivate func joined(_ other: (Language) -> String) -> LocalizedText {
        LocalizedText(
            english + other(.english), fr: french + other(.french), zh: chinese + other(.simplifiedChinese))
    }
}

extension Regulation {
    /// Works the document's examples. A document with faults works none.
    public func workedExamples() -> [ExampleResult] {
        guard let rulebook else { return [] }
        var results: [ExampleResult] = []
        for example in examples where rulebook.meter?.isOver != true { results.append(example.result(rulebook)) }
        return results
    }
}
