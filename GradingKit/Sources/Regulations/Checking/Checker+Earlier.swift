import GradingKit

/// Checks what formulas read of copies of earlier records. Without a copy, all of it is unknown.
extension Checker {
    /// The kind of the entries of a fold or quantifier: `ue of year1` are those in the copy.
    func kind(of entries: Formula.Entries) throws(Stop) -> Int {
        if let owner = entries.owner, let outer = kinds.firstIndex(where: { $0.name == owner.text }),
            kinds[outer].isCopy
        {
            let name = "\(owner.text)_\(entries.kind.text)"
            if let index = kinds.firstIndex(where: { $0.name == name }) {
                note(Formula.Word(text: name, range: entries.kind.range), as: .entry)
                return index
            }
        }
        return try kind(entries.kind)
    }

    /// The entries inside a copy, wherever the formula is.
    func copied(_ kind: Int, in outer: Int, _ inner: Scope) -> EntriesValue {
        let (name, owner) = (Kind(kinds[kind].name), Kind(kinds[outer].name))
        var value = EntriesValue(
            scope: inner, isClosed: true,
            get: { entry, _ in (entry.earlier(owner) ?? entry).children(name) })
        value.isThere = { $0.earlier(owner) != nil }
        return value
    }

    /// A figure or an outcome of the given copy.
    func taken(_ place: Int, _ way: Way) throws(Stop) -> CheckedFormula {
        let item = document.taken[place]
        let name = item.heading.name.text
        let (unit, rounding): (RegulationDocument.Unit?, Formula.Word?)
        switch item.content {
        case .figure(let own, let shown): (unit, rounding) = (own, shown)
        case .outcome(let values):
            return .outcome(
                OutcomeReading(
                    code: way.code { $0.decision(name) }, values: values, trends: ValueTrends(of: []), name: name,
                    isTaken: true))
        }
        let (figure, dimension) = (Figure(name), dimension(unit))
        let scale = scale(of: dimension)
        noteAmount(in: dimension)
        var value = NumberValue(way.code { $0.figure(figure) }, dimension, scale?.range ?? .any)
        if let rounding {
            var rule = try self.rounding(rounding)
            rule.better = scale?.better ?? .higher
            value.rule = rule
        }
        return .number(value)
    }

    /// The value of a formula over a copy, if the record has the copy.
    func taken(
        _ word: Formula.Word, from kind: Int, _ checked: CheckedFormula
    ) throws(Stop) -> CheckedFormula {
        let name = Kind(kinds[kind].name)
        func code<Value>(_ code: Code<Value>, _ none: Value) -> Code<Value> {
            let compute = code.closed
            return .one { entry in entry.earlier(name).map(compute) ?? none }
        }
        switch checked {
        case .number(var number):
            number.code = code(number.code, .undefined(.noEarlier))
            return .number(number)
        case .condition(let condition):
            return .condition(
                ConditionValue(
                    code(condition.code, .unknown), why: .constant([DecisionReason(.noEarlier)]), condition.trend))
        case .text(var text):
            text = TextValue(
                code: code(text.code, nil), choices: text.choices, name: text.name, literal: text.literal,
                trend: text.trend)
            return .text(text)
        case .outcome(let outcome):
            return .outcome(
                OutcomeReading(
                    code: code(outcome.code, .pending(because: DecisionReason(.noEarlier))), values: outcome.values,
                    trends: outcome.trends, name: outcome.name, isTaken: true))
        }
    }

    /// How a copied value is shown; `nil` for a figure that is not shown, and for an outcome.
    func presentation(of item: RegulationDocument.Taken) throws(Stop) -> Presentation? {
        guard case .figure(let unit, let name?) = item.content else { return nil }
        var rule = try rounding(name)
        rule.better = scale(of: dimension(unit))?.better ?? .higher
        return Presentation(item.heading.label ?? Self.label(item.heading.name.text), rule).withoutRange()
    }

    /// Finds faults in parts that no formula uses.
    func checkTaken() {
        for item in document.taken { attempt { () throws(Stop) in _ = try presentation(of: item) } }
    }

    /// Registers the contents of copies of earlier records. They are pending until the record has the copy.
    func registerTaken(_ registrar: inout SchemeRegistrar) {
        for item in document.taken {
            let (kind, name) = (Kind(item.kind.text), item.heading.name.text)
            switch item.content {
            case .outcome(let values):
                registrar.decide(name, of: kind, item.heading.label ?? Self.label(name), values: values) { _ in
                    .pending(because: DecisionReason(.notInEarlier))
                }
            case .figure:
                var shown: Presentation?
                attempt { () throws(Stop) in shown = try presentation(of: item) }
                if let shown {
                    registrar.calculate(Figure(name), of: kind, shown) { _ in .undefined(.notInEarlier) }
                } else {
                    registrar.define(Figure(name), of: kind) { _ in .undefined(.notInEarlier) }
                }
            }
        }
    }
}

extension EntriesValue {
    /// A number over entries that is unknown while their copy is missing.
    func guarded(_ code: Code<Quantity>) -> Code<Quantity> {
        guard let isThere else { return code }
        let compute = code.open
        return code.isClosed
            ? .one { isThere($0) ? compute($0, $0) : .undefined(.noEarlier) }
            : .two { isThere($1) ? compute($0, $1) : .undefined(.noEarlier) }
    }
}
