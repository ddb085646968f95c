import GradingKit

/// The contents of a standing as facts that can be compared whatever the order of entries.
struct StandingFacts: Equatable {
    private var facts: [FactKey: StandingFact] = [:]

    mutating func note(_ figure: StandingFigure, of entry: String?) {
        let subject = LawSubject(name: figure.name, entry: entry)
        let label = figure.presentation.label
        facts[FactKey(.value, of: subject)] = StandingFact(
            .figure(figure.current, display: figure.display, band: figure.band), label)
        facts[FactKey(.floor, of: subject)] = StandingFact(.end(figure.floor), label)
        facts[FactKey(.ceiling, of: subject)] = StandingFact(.end(figure.ceiling), label)
    }

    /// - Parameter reasons: whether the reasons of the decision matter.
    mutating func note(_ outcome: StandingOutcome, of entry: String?, reasons: Bool = false) {
        let told = reasons ? outcome.decision.reasons.map { "\($0.code) \($0.entry?.text ?? "")" } : []
        facts[FactKey(.value, of: LawSubject(name: outcome.name, entry: entry))] = StandingFact(
            .outcome(
                outcome.decision.state, value: outcome.decision.value, isFinal: outcome.isFinal, reasons: told))
    }

    mutating func note(letter: Band?, of entry: String?) {
        facts[FactKey(.letter, entry: entry)] = StandingFact(.text(letter?.label ?? ""))
    }

    mutating func note(warnings: [String]) {
        facts[FactKey(.warnings)] = StandingFact(.text(warnings.sorted().joined(separator: ", ")))
    }

    /// What differs in other facts; `nil` if nothing does.
    func difference(from other: StandingFacts) -> StandingDifference? {
        if facts == other.facts { return nil }
        let keys = Set(facts.keys).union(other.facts.keys).sorted()
        guard let key = keys.first(where: { facts[$0] != other.facts[$0] }) else { return nil }
        return StandingDifference(key: key, now: facts[key], before: other.facts[key])
    }
}

/// A fact in which two standings of the same record differ; `nil` if a standing does not have it.
struct StandingDifference {
    let key: FactKey
    let now: StandingFact?
    let before: StandingFact?

    /// The figure or outcome; `nil` for a letter and for warnings.
    var subject: LawSubject? { key.name.map { LawSubject(name: $0, entry: key.entry) } }
}

/// The place of a fact in a standing.
struct FactKey: Hashable, Comparable {
    /// What a standing says of a figure, an outcome, an entry or the record.
    enum Part: Int {
        case value, floor, ceiling, letter, warnings
    }

    let part: Part
    /// The figure or outcome; `nil` for a letter and for warnings.
    let name: String?
    /// The entry; `nil` for the record.
    let entry: String?

    init(_ part: Part, of subject: LawSubject) {
        (self.part, name, entry) = (part, subject.name, subject.entry)
    }

    init(_ part: Part, entry: String? = nil) {
        (self.part, name, self.entry) = (part, nil, entry)
    }

    static func < (left: FactKey, right: FactKey) -> Bool {
        (left.part.rawValue, left.name ?? "", left.entry ?? "")
            < (right.part.rawValue, right.name ?? "", right.entry ?? "")
    }
}

/// What a standing says in one place.
struct StandingFact: Equatable {
    enum Content: Equatable {
        case figure(Quantity.State, display: String, band: String?)
        case end(Quantity.State)
        case outcome(Decision.State, value: String?, isFinal: Bool, reasons: [String])
        case text(String)
    }

    let content: Content
    /// The label of the figure; `nil` for all else.
    let label: LocalizedText?

    var isOutcome: Bool { if case .outcome = content { true } else { false } }

    init(_ content: Content, _ label: LocalizedText? = nil) {
        (self.content, self.label) = (content, label)
    }
}

/// A figure or an outcome of an entry, or of the record if `entry` is `nil`.
struct LawSubject: Hashable {
    let name: String
    let entry: String?

    /// The name without the key of a group.
    var plainName: String { String(name.prefix { $0 != ":" }) }
}
