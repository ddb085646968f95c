import GradingKit

/// A text with values of its entry: `"{title}: {average} is below 8"`.
struct ReasonWords: Sendable {
    let code: FaultCode
    /// The arguments of the text; `nil` if it has none.
    private let arguments: (@Sendable (GradedEntry) -> JSONObject)?

    init(_ code: FaultCode, arguments: (@Sendable (GradedEntry) -> JSONObject)? = nil) {
        self.code = code
        self.arguments = arguments
    }

    func arguments(of entry: GradedEntry) -> JSONObject { arguments?(entry) ?? JSONObject() }

    /// The reason for an entry; `place` names the entry if it is not the outcome's own.
    func reason(_ entry: GradedEntry, at place: EntryID? = nil) -> DecisionReason {
        DecisionReason(code, at: place, arguments(of: entry))
    }
}

extension Checker {
    /// Looks up the names in a code's text, which is about entries of a kind.
    func words(_ code: Formula.Word, of kind: Int) throws(Stop) -> ReasonWords {
        let own = FaultCode(code.text)
        guard let (names, range) = document.placeholders[code.text] else { return ReasonWords(own) }
        var parts: [(name: String, text: @Sendable (GradedEntry) -> JSON)] = []
        for name in names {
            let word = Formula.Word(text: name, range: range)
            parts.append((name, try text(try checkName([word], root(kind), at: range), at: range)))
        }
        return ReasonWords(own) { [parts] entry in
            parts.reduce(into: JSONObject()) { $0[$1.name] = $1.text(entry) }
        }
    }

    /// A value for people: a shown figure as displayed, another number as a decimal if possible.
    private func text(
        _ value: CheckedFormula, at range: Range<Int>
    ) throws(Stop) -> @Sendable (GradedEntry) -> JSON {
        switch value {
        case .text(let text):
            let compute = text.code.closed
            return { .string(compute($0) ?? "–") }
        case .number(let number):
            let (compute, rule) = (number.code.closed, number.rule)
            return { entry in
                guard let value = compute(entry).value else { return .string("–") }
                return .string(rule?.display(value) ?? value.decimalText ?? value.description)
            }
        case .condition, .outcome: throw stop(.notAPlaceholder, range)
        }
    }
}
