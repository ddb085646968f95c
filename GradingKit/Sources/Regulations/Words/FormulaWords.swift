import GradingKit

/// Puts formulas into words of a reader's language, with the document's labels for its names.
struct FormulaWords {
    /// The longest label used for a name, in characters: a short name may occur in many places.
    private static let longestLabel = 80

    private let language: Language
    private let mentions: [Int: Mention]
    private let labels: [DeclaredName: LocalizedText]
    /// The copies of earlier records.
    private let copies: Set<String>

    init(_ document: RegulationDocument, _ mentions: [Int: Mention], in language: Language) {
        (self.language, self.mentions) = (language, mentions)
        labels = document.labels
        copies = Set(document.entries.filter { $0.copies != nil }.map(\.heading.name.text))
    }

    // MARK: Names

    /// A declared name by its label in quotation marks, or without a label by the name itself.
    func name(_ name: DeclaredName) -> String {
        let label = labels[name]?(language) ?? name.text
        return quoted(label.count > Self.longestLabel ? label.prefix(Self.longestLabel) + "…" : label)
    }

    func quoted(_ text: String) -> String { say(Phrase.quotes, ["a": text]) }

    func say(_ phrase: LocalizedText, _ parts: [String: String] = [:]) -> String {
        var arguments = JSONObject()
        for (name, text) in parts { arguments[name] = .string(text) }
        return phrase.filled(language, arguments)
    }

    private func name(_ words: [Formula.Word]) -> String {
        guard let last = words.last else { return "" }
        let own = mentions[last.range.lowerBound].map { name($0.name) }
        guard words.count > 1, let owner = words.dropLast().last else {
            return own ?? Phrase.conditions[last.text].map { $0(language) } ?? quoted(last.text)
        }
        return member(own ?? quoted(last.text), of: owner, Phrase.outer)
    }

    /// A member of an entry of a kind, or of the record.
    private func member(_ text: String, of kind: Formula.Word, _ phrase: LocalizedText) -> String {
        if kind.text == "record" { return say(Phrase.ofRecord, ["a": text]) }
        if copies.contains(kind.text) { return say(Phrase.earlier, ["a": text, "of": declared(kind, .entry)]) }
        return say(phrase, ["a": text, "of": declared(kind, .entry)])
    }

    // MARK: Formulas

    /// How tightly parts of a formula bind; a part that binds less tightly than its place requires gets brackets.
    private enum Bond: Int { case choice, any, all, condition, comparison, words, sum, product, factor, atom }

    private func bond(of node: Formula.Node) -> Bond {
        switch node {
        // The condition of a quantifier extends as far as possible.
        case .choice, .quantifier: .choice
        case .any: .any
        case .all: .all
        case .not: .condition
        case .comparison, .state: .comparison
        case .otherwise, .ungraded, .fold, .call, .cell, .missingAsWorst: .words
        case .sum: .sum
        case .product(_, let factors):
            factors.contains { if case .times = $0 { false } else if case .over = $0 { false } else { true } }
                ? .words : .product
        case .negative: .factor
        case .number, .text, .name: .atom
        }
    }

    private func text(_ formula: Formula, _ bond: Bond) -> String {
        let text = text(of: formula)
        return self.bond(of: formula.node).rawValue < bond.rawValue ? say(Phrase.brackets, ["a": text]) : text
    }

    /// Formulas separated by commas.
    func list(_ formulas: [Formula]) -> String { text(formulas, .sum, comma) }

    private func text(_ formulas: [Formula], _ bond: Bond, _ separator: String) -> String {
        formulas.map { text($0, bond) }.joined(separator: separator)
    }

    /// Texts separated by commas.
    func list(_ texts: [String]) -> String { texts.joined(separator: comma) }

    private var comma: String { language == .simplifiedChinese ? "、" : ", " }

    /// Returns a formula in words.
    func text(of formula: Formula) -> String {
        switch formula.node {
        case .choice(let condition, let then, let otherwise):
            let parts = ["c": text(condition, .any), "a": text(then, .any)]
            guard let otherwise else { return say(Phrase.choice, parts) }
            return say(Phrase.elseChoice, parts.merging(["b": text(otherwise, .choice)]) { $1 })
        case .any(let parts): return text(parts, .all, Phrase.any(language))
        case .all(let parts): return text(parts, .condition, Phrase.all(language))
        case .not(let part): return say(Phrase.not, ["a": text(part, .words)])
        case .comparison(let left, .reaches, let right, _):
            return say(Phrase.reaches, ["a": text(left, .sum), "b": text(right, .sum)])
        case .comparison(let left, let comparison, let right, _):
            return "\(text(left, .sum)) \(comparison.sign) \(text(right, .sum))"
        case .state(let subject, let isNegated, let word, let place):
            return state(text(subject, .sum), isNegated: isNegated, word, at: place.lowerBound)
        case .otherwise(let first, let others): return text([first] + others, .sum, Phrase.otherwise(language))
        case .ungraded(let part): return say(Phrase.ungraded, ["a": text(part, .words)])
        case .sum(let first, let terms):
            return terms.reduce(text(first, .product)) { $0 + ($1.isMinus ? " − " : " + ") + text($1.term, .product) }
        case .product(let first, let factors): return factors.reduce(text(first, .factor)) { apply($1, to: $0) }
        case .negative(let part): return "−" + text(part, .factor)
        case .missingAsWorst(let part, let condition):
            guard let condition else { return say(Phrase.worst, ["a": text(part, .atom)]) }
            return say(Phrase.worstWhen, ["a": text(part, .atom), "c": text(condition, .comparison)])
        case .number(let value, let isPercent):
            return isPercent ? say(Phrase.percent, ["a": number(value)]) : number(value)
        case .text(let text): return quoted(text)
        case .name(let words): return name(words)
        case .call(let function, let arguments): return call(function, arguments)
        case .cell(let table, let row, let column):
            return say(
                Phrase.cell,
                ["a": declared(table, .table), "row": text(row, .sum), "column": text(column, .sum)])
        case .fold(let fold): return text(of: fold)
        case .quantifier(let quantifier): return text(of: quantifier)
        }
    }

    private func number(_ value: Exact) -> String {
        let text = value.decimalText ?? value.description
        return language == .french ? String(text.map { $0 == "." ? "," : $0 }) : text
    }

    private func declared(_ word: Formula.Word, _ sort: DeclaredName.Sort) -> String {
        name(DeclaredName(sort: sort, text: word.text))
    }

    private func apply(_ factor: Formula.Factor, to text: String) -> String {
        switch factor {
        case .times(let part): "\(text) × \(self.text(part, .factor))"
        case .over(let part): "\(text) ÷ \(self.text(part, .factor))"
        case .converted(let unit): say(Phrase.converted, ["a": text, "unit": self.text(of: unit)])
        case .said(let unit): say(Phrase.said, ["a": text, "unit": self.text(of: unit)])
        case .through(let bands): say(Phrase.through, ["a": text, "b": declared(bands, .bands)])
        }
    }

    private func text(of unit: Formula.Factor.Unit) -> String {
        guard let per = unit.per else { return unit.over.text }
        return say(Phrase.per, ["a": unit.over.text, "b": per.text])
    }

    private func call(_ function: Formula.Word, _ arguments: [Formula]) -> String {
        switch function.text {
        case "min": return say(Phrase.least, ["a": text(arguments, .sum, comma)])
        case "max": return say(Phrase.greatest, ["a": text(arguments, .sum, comma)])
        case "round":
            guard let value = arguments.first, case .name(let rule)? = arguments.last?.node, let rule = rule.last else {
                break
            }
            return say(Phrase.rounded, ["a": text(value, .factor), "b": declared(rule, .rounding)])
        default: break
        }
        let called = mentions[function.range.lowerBound].map { name($0.name) } ?? quoted(function.text)
        return say(Phrase.called, ["a": called, "b": text(arguments, .choice, comma)])
    }

    private func state(_ subject: String, isNegated: Bool, _ word: String, at place: Int) -> String {
        if let state = Phrase.states[word] {
            return say(isNegated ? state.denies : state.says, ["a": subject])
        }
        let found = mentions[place].map { name($0.name) } ?? quoted(word)
        return say(isNegated ? Phrase.isNotWord : Phrase.isWord, ["a": subject, "b": found])
    }

    // MARK: Over entries

    private func text(of fold: Formula.Fold) -> String {
        let entries = text(of: fold.entries)
        var text: String
        if let value = fold.value, let phrase = Phrase.folds[fold.operation] {
            let divisor = fold.divisor.map { self.text($0, .factor) } ?? ""
            text = say(phrase, ["a": self.text(value, .sum), "b": divisor, "e": entries])
        } else {
            text = say(Phrase.number, ["e": entries])
        }
        if let weight = fold.weight { text = say(Phrase.weighted, ["a": text, "b": self.text(weight, .factor)]) }
        return fold.isComplete ? say(Phrase.complete, ["a": text]) : text
    }

    private func text(of quantifier: Formula.Quantifier) -> String {
        let entries = text(of: quantifier.entries)
        let amount: String
        switch quantifier.amount {
        case .every: amount = say(Phrase.every, ["e": entries])
        case .any: amount = say(Phrase.some, ["e": entries])
        case .no: amount = say(Phrase.no, ["e": entries])
        case .most: amount = say(Phrase.most, ["e": entries])
        case .atLeast(let number): amount = say(Phrase.atLeast, ["n": String(number), "e": entries])
        }
        if let condition = quantifier.condition {
            return say(Phrase.holds, ["a": amount, "c": text(condition, .choice)])
        }
        if quantifier.amount == .no { return say(Phrase.absent, ["e": entries]) }
        return say(Phrase.exists, ["a": amount])
    }

    private func text(of entries: Formula.Entries) -> String {
        let kind = mentions[entries.kind.range.lowerBound].map { name($0.name) } ?? declared(entries.kind, .entry)
        let text = entries.owner.map { member(kind, of: $0, Phrase.outer) } ?? kind
        return entries.clauses.reduce(text) { self.text($0, of: $1) }
    }

    private func text(_ entries: String, of clause: Formula.Clause) -> String {
        switch clause {
        case .whose(let condition): return say(Phrase.whose, ["e": entries, "c": text(condition, .any)])
        case .best(let count, let keys, let limit):
            let text = text(Phrase.best, entries, count, keys)
            guard let limit else { return text }
            let parts = ["e": text, "n": self.text(limit.count, .sum)]
            switch limit.likeness {
            case .whose(let condition):
                return say(Phrase.atMostWhose, parts.merging(["c": self.text(condition, .any)]) { $1 })
            case .per(let key): return say(Phrase.atMostPer, parts.merging(["k": self.text(key, .sum)]) { $1 })
            }
        case .bestOf(let limit, let amount, let keys, _):
            let parts = ["e": entries, "n": text(limit, .sum), "a": text(amount, .sum), "k": text(keys, .sum, comma)]
            return say(Phrase.bestOf, parts)
        case .onePer(let key, let keys): return text(Phrase.onePer, entries, key, keys)
        case .without(let isWorst, let count, let keys, let spared):
            let text = text(isWorst ? Phrase.withoutWorst : Phrase.withoutBest, entries, count, keys)
            return sparing(spared, text)
        case .withoutByRatio(let isWorst, let count, let spared, _):
            return sparing(spared, text(isWorst ? Phrase.raisingRatio : Phrase.loweringRatio, entries, count, []))
        case .expecting(let count, _): return text(Phrase.expecting, entries, count, [])
        }
    }

    private func text(
        _ phrase: LocalizedText, _ entries: String, _ count: Formula, _ keys: [Formula]
    ) -> String {
        say(phrase, ["e": entries, "n": text(count, .sum), "k": text(keys, .sum, comma)])
    }

    private func sparing(_ spared: Formula.Word?, _ text: String) -> String {
        guard let spared else { return text }
        let what = mentions[spared.range.lowerBound].map { name($0.name) } ?? quoted(spared.text)
        return say(Phrase.sparing, ["e": text, "a": what])
    }
}

extension Formula.Comparison {
    /// Its sign, the same in every language.
    fileprivate var sign: String {
        switch self {
        case .equal: "="
        case .unequal: "≠"
        case .less: "<"
        case .lessOrEqual: "≤"
        case .greater: ">"
        case .greaterOrEqual, .reaches: "≥"
        }
    }
}
