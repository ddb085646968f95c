import GradingKit

/// Checks the functions that formulas call.
extension Checker {
    // MARK: Functions

    func call(
        _ name: Formula.Word, _ arguments: [Formula], _ scope: Scope, at range: Range<Int>
    ) throws(Stop) -> CheckedFormula {
        switch name.text {
        case "min", "max":
            guard arguments.count >= 2, let first = arguments.first else {
                throw stop(.expectedFormula, range, ["found": ")"])
            }
            var value = try number(first, scope)
            var (start, links) = (value.code, [ChainLink]())
            for argument in arguments.dropFirst() {
                let (left, right, unit) = try united(value, try number(argument, scope), .comparesUnits, at: range)
                let isLeast = name.text == "min"
                if links.isEmpty { start = left.code }
                links.append(isLeast ? ChainLink(right.code) { .min($0, $1) } : ChainLink(right.code) { .max($0, $1) })
                value = NumberValue(
                    start, unit,
                    isLeast ? .min(left.range, right.range) : .max(left.range, right.range),
                    noting(left.trend + right.trend, [left.trend, right.trend], range))
            }
            value.code = start.chained(links)
            return .number(value)
        case "round":
            guard arguments.count == 2, let first = arguments.first, let last = arguments.last,
                case .name(let words) = last.node, words.count == 1, let word = words.first
            else { throw stop(.expectedName, arguments.last?.range ?? range, ["found": .string(faults.source[range])]) }
            let steps = try rounding(word)
            var value = try number(first, scope)
            noteAmount(in: value.dimension)
            value.code = value.code.changed { quantity in
                (steps.stages + [steps.shown]).reduce(quantity) { $0.rounded($1) }
            }
            // Rounding may leave the range by less than a step.
            value.range = .any
            value.rule = nil
            return .number(value)
        default: return try abbreviation(called: name, with: arguments, scope)
        }
    }

    /// A `let` called with numbers that are known when the rules are read: one rule for many bounds.
    private func abbreviation(
        called name: Formula.Word, with formulas: [Formula], _ scope: Scope
    ) throws(Stop) -> CheckedFormula {
        guard let place = kinds[scope.kind].abbreviations[name.text] else {
            throw stop(.unknownFunction, name.range, ["name": .string(name.text)])
        }
        let item = document.abbreviations[place]
        guard formulas.count == item.parameters.count, !formulas.isEmpty else {
            throw stop(
                .argumentCount, name.range,
                ["name": .string(name.text), "count": .number(String(item.parameters.count))])
        }
        note(name, as: .member(of: kinds[scope.kind].name))
        var values: [NumberValue] = []
        for (parameter, formula) in zip(item.parameters, formulas) {
            let unit = try dimension(of: parameter)
            var value = try number(formula, scope).beside(unit)
            guard let constant = value.constant else { throw stop(.argumentOpen, formula.range) }
            if let found = value.dimension, found != unit {
                throw stop(
                    .argumentUnit, formula.range,
                    ["name": .string(parameter.name.text), "unit": Self.named(unit), "found": Self.named(found)])
            }
            value = NumberValue(constant: constant, unit)
            values.append(value)
        }
        arguments = values
        return try abbreviation(place, in: scope.kind, at: name.range, scope)
    }

    func dimension(of parameter: RegulationDocument.Abbreviation.Parameter) throws(Stop) -> Dimension {
        guard let unit = parameter.unit else { return .plain }
        return try dimension(Formula.Factor.Unit(over: unit.over, per: unit.per))
    }
}
