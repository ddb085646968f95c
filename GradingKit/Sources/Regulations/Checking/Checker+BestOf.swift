import GradingKit

/// Checks means of the best entries up to an amount: `mean of mark over module best 100 of credits by mark`.
extension Checker {
    func bestOf(_ fold: Formula.Fold, _ scope: Scope, at range: Range<Int>) throws(Stop) -> NumberValue {
        var clauses = fold.entries.clauses
        guard case .bestOf(let limit, let amount, let formulas, let place)? = clauses.popLast() else { throw Stop() }
        guard fold.operation == .mean else { throw stop(.bestOfMean, place) }
        guard let formula = fold.value else { throw stop(.expectedFormula, range, ["found": "over"]) }
        if let weight = fold.weight {
            throw stop(.leftOver, weight.range, ["found": .string(faults.source[weight.range])])
        }
        var entries = try entries(
            Formula.Entries(kind: fold.entries.kind, owner: fold.entries.owner, clauses: clauses), scope)
        try countWork(Self.workOfRanking * entries.scope.visits, at: place)
        // A value is read to rank it, to test whether it is known, and to add it up.
        var inner = entries.scope
        inner.visits *= 4
        let keys = try keys(formulas, &entries)
        let value = try number(formula, inner)
        let (most, own, _) = try united(
            try number(limit, scope), try number(amount, inner), .comparesUnits, at: place)
        guard most.trend == .still else { throw stop(.countOfGrades, limit.range) }
        guard own.trend == .still else { throw stop(.amountOfGrades, amount.range) }
        if !own.range.isNonNegative { faults.add(.negativeWeight, amount.range) }
        let (get, isComplete) = (entries.get, fold.isComplete)
        let (compute, weigh, bound) = (value.code.open, own.code.open, most.code.open)
        let code: @Sendable (GradedEntry, GradedEntry) -> Quantity = { entry, own in
            let all = get(entry, own)
            if isComplete, all.contains(where: { $0.isAwaited && !compute($0, own).isDefined }) {
                return .undefined(.noGrades)
            }
            return all.mean(
                of: { compute($0, own) }, best: bound(entry, own).value ?? .zero, of: { weigh($0, own) },
                by: keys.map { $0.key(own) })
        }
        // If the value that chooses the entries is also the averaged one, better grades can only raise the mean.
        let isChosen = entries.keys.first.map { faults.source.isSame($0.range, formula.range) } ?? true
        let trend: Trend = entries.trend == .still && isChosen ? value.trend : value.trend == .still ? .still : .either
        let isClosed = [entries.isClosed, value.code.isClosed, own.code.isClosed, most.code.isClosed].allSatisfy(\.self)
        return NumberValue(
            Self.code(code, isClosed: isClosed), value.dimension, value.range,
            noting(trend, [value.trend], entries.place ?? range))
    }
}
