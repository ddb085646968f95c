public import GradingKit

/// A rule of a document in words.
public struct RegulationSentence: Sendable, Equatable {
    /// Its article; empty if there is none.
    public let article: String
    /// Its line in the document, from 1.
    public let line: Int
    /// The text; the parts of an outcome are on lines of their own.
    public let text: String
}

extension Regulation {
    /// The most bytes of sentences for a document; the rest is left out.
    static let longestReading = 256 << 10

    /// The figures, outcomes, checks and warnings of the document in words, in the order of the text, to compare with
    /// the regulations. Labels are cut after 80 characters, and the sentences after 256 KiB.
    public func words(in language: Language) -> [RegulationSentence] { reading(in: language).map(\.sentence) }

    /// The sentences, each with the offset of its declaration's name, or of its condition.
    func reading(in language: Language) -> [(place: Int, sentence: RegulationSentence)] {
        let words = FormulaWords(document, mentions, in: language)
        var rules: [(place: Int, article: String?, say: () -> String)] = []
        func add(_ heading: RegulationDocument.Heading, _ say: @escaping () -> String) {
            rules.append((heading.name.range.lowerBound, heading.article, say))
        }
        for item in document.taken { add(item.heading) { words.sentence(item) } }
        for item in document.groups { add(item.heading) { words.sentence(item) } }
        for item in document.abbreviations {
            add(item.heading) { words.sentence(item.heading, item.parameters, of: item.kind, item.formula) }
        }
        for item in document.figures {
            add(item.heading) { words.sentence(item.heading, of: item.kind, item.formula) }
        }
        for item in document.outcomes { add(item.heading) { words.sentences(item) } }
        for (list, phrase) in [(document.checks, Phrase.check), (document.warnings, Phrase.warning)] {
            for rule in list {
                rules.append(
                    (
                        rule.condition.range.lowerBound, nil,
                        { words.say(phrase, ["c": words.text(of: rule.condition)]) }
                    ))
            }
        }
        var (found, article, length) = ([(place: Int, sentence: RegulationSentence)](), "", 0)
        for rule in rules.sorted(by: { $0.place < $1.place }) where length < Self.longestReading {
            article = rule.article ?? article
            let text = rule.say()
            length += text.utf8.count
            let line = source.position(of: rule.place).line
            found.append((rule.place, RegulationSentence(article: article, line: line, text: text)))
        }
        return found
    }
}

extension FormulaWords {
    /// The subject of a declaration: its label, and the kind of entry that has it.
    fileprivate func subject(_ heading: RegulationDocument.Heading, of kind: Formula.Word?) -> String {
        let name = name(DeclaredName(sort: .member(of: kind?.text ?? "record"), text: heading.name.text))
        guard let kind, kind.text != "record" else { return name }
        return say(Phrase.member, ["a": name, "of": self.name(DeclaredName(sort: .entry, text: kind.text))])
    }

    /// A figure or a `let` with its formula and its parameters.
    fileprivate func sentence(
        _ heading: RegulationDocument.Heading,
        _ parameters: [RegulationDocument.Abbreviation.Parameter] = [], of kind: Formula.Word?, _ formula: Formula
    ) -> String {
        var subject = subject(heading, of: kind)
        if !parameters.isEmpty {
            subject = say(Phrase.called, ["a": subject, "b": list(parameters.map { quoted($0.name.text) })])
        }
        return say(Phrase.figure, ["a": subject, "f": text(of: formula)])
    }

    /// A figure or an outcome that is copied from an earlier record.
    fileprivate func sentence(_ item: RegulationDocument.Taken) -> String {
        say(Phrase.taken, ["a": subject(item.heading, of: item.kind)])
    }

    /// A group and the keys that its members share.
    fileprivate func sentence(_ group: RegulationDocument.Group) -> String {
        say(
            Phrase.group,
            [
                "a": name(DeclaredName(sort: .entry, text: group.heading.name.text)),
                "e": name(DeclaredName(sort: .entry, text: group.base.text)), "k": list(group.keys),
            ])
    }

    /// An outcome, each of its clauses on a line of its own.
    fileprivate func sentences(_ outcome: RegulationDocument.Outcome) -> String {
        let name = say(Phrase.outcome, ["a": subject(outcome.heading, of: outcome.kind)])
        return ([name] + outcome.clauses.map { "  " + text(of: $0, outcome.clauses) }).joined(separator: "\n")
    }

    /// A line of an outcome.
    fileprivate func text(
        of clause: RegulationDocument.Outcome.Clause, _ all: [RegulationDocument.Outcome.Clause]
    ) -> String {
        func text(of verdict: RegulationDocument.Outcome.Verdict) -> String {
            let state = (verdict.state == .met ? Phrase.met : Phrase.unmet)
            guard let value = verdict.value?.text else { return say(state) }
            let label = all.lazy.compactMap(\.verdict).first { $0.value?.text == value && $0.label != nil }?.label
            return say(Phrase.valued, ["a": label.map { quoted(say($0)) } ?? quoted(value), "s": say(state)])
        }
        switch clause {
        case .awaits(let condition, _): return say(Phrase.awaits, ["c": self.text(of: condition)])
        case .needs(let condition, _): return say(Phrase.needs, ["c": self.text(of: condition)])
        case .when(let condition, let verdict, _):
            return say(Phrase.when, ["a": text(of: verdict), "c": self.text(of: condition)])
        case .byHand(let verdict): return say(Phrase.byHand, ["a": text(of: verdict)])
        case .otherwise(let verdict, _): return say(Phrase.elseVerdict, ["a": text(of: verdict)])
        }
    }
}

extension RegulationDocument {
    /// The labels of declarations that have one.
    var labels: [DeclaredName: LocalizedText] {
        var labels: [DeclaredName: LocalizedText] = [:]
        func add(_ sort: DeclaredName.Sort, _ heading: Heading) {
            labels[DeclaredName(sort: sort, text: heading.name.text)] = heading.label
        }
        for item in settings { add(.setting, item.heading) }
        for item in roundings { add(.rounding, item.heading) }
        for item in bands { add(.bands, item.heading) }
        for item in curves { add(.bands, item.heading) }
        for item in tables { add(.table, item.heading) }
        for item in statuses { add(.status, item.heading) }
        for item in entries {
            add(.entry, item.heading)
            let sort = DeclaredName.Sort.member(of: item.heading.name.text)
            for field in item.fields { labels[DeclaredName(sort: sort, text: field.name.text)] = field.label }
        }
        for item in taken { add(.member(of: item.kind.text), item.heading) }
        for item in groups {
            add(.entry, item.heading)
            for field in entries.first(where: { $0.heading.name.text == item.base.text })?.fields ?? [] {
                let sort = DeclaredName.Sort.member(of: item.heading.name.text)
                labels[DeclaredName(sort: sort, text: field.name.text)] = field.label
            }
        }
        for item in abbreviations { add(.member(of: item.kind?.text ?? "record"), item.heading) }
        for item in figures { add(.member(of: item.kind?.text ?? "record"), item.heading) }
        for item in outcomes { add(.member(of: item.kind?.text ?? "record"), item.heading) }
        return labels
    }
}
