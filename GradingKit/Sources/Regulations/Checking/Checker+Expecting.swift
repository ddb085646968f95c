import GradingKit

/// Checks means and sums that expect a number of entries: `mean of percent over item expecting 12`.
extension Checker {
    /// - Parameter place: the index of `expecting` among the clauses. Clauses before it select the entries; those after
    ///   it drop entries or missing grades by the averaged value.
    func expecting(
        _ fold: Formula.Fold, at place: Int, _ scope: Scope, at range: Range<Int>
    ) throws(Stop) -> NumberValue {
        let clauses = fold.entries.clauses
        guard case .expecting(let expected, let words) = clauses[place] else { throw Stop() }
        guard fold.operation == .mean || fold.operation == .sum, fold.weight == nil else {
            throw stop(.expectingFold, words)
        }
        guard let formula = fold.value else { throw stop(.expectedFormula, range, ["found": "over"]) }
        var entries = try entries(
            Formula.Entries(
                kind: fold.entries.kind, owner: fold.entries.owner, clauses: Array(clauses[..<place])), scope)
        var inner = entries.scope
        // A value is read to test whether it is known, and to add it up.
        inner.visits *= 3
        let value = try number(formula, inner)
        guard let scale = scale(of: value.dimension) else { throw stop(.expectingScale, formula.range) }
        let count = try count(expected, scope, &entries)
        var choices: [ExpectedChoice] = []
        for clause in clauses[(place + 1)...] {
            choices.append(try choice(clause, by: formula, scope, &entries, at: words))
        }
        let code = ExpectedEntries(
            get: entries.get, count: count, choices: choices, value: value.code.open, scale: scale,
            isSum: fold.operation == .sum, isComplete: fold.isComplete)
        let isClosed = entries.isClosed && value.code.isClosed
        var values = value.range.union(scale.range)
        if fold.operation == .sum {
            values = ValueRange(low: values.isNonNegative ? 0 : nil, high: values.isNonPositive ? 0 : nil)
        }
        return NumberValue(
            entries.guarded(Self.code({ code.quantity($0, $1) }, isClosed: isClosed)), value.dimension, values,
            trend(of: fold, value, nil, entries, formula, at: range))
    }

    /// A clause after `expecting`, which ranks by the averaged value.
    private func choice(
        _ clause: Formula.Clause, by formula: Formula, _ scope: Scope, _ entries: inout EntriesValue,
        at words: Range<Int>
    ) throws(Stop) -> ExpectedChoice {
        let (sort, count, formulas, sparing): (ExpectedChoice.Sort, Formula, [Formula], Formula.Word?)
        switch clause {
        case .best(let number, let keys, nil): (sort, count, formulas, sparing) = (.best, number, keys, nil)
        case .without(let isWorst, let number, let keys, let spared):
            (sort, count, formulas, sparing) = (isWorst ? .withoutWorst : .withoutBest, number, keys, spared)
        default: throw stop(.expectingFold, words)
        }
        guard let first = formulas.first, faults.source.isSame(first.range, formula.range) else {
            throw stop(.expectingFold, words)
        }
        try countWork(Self.workOfRanking * entries.scope.visits, at: words)
        return ExpectedChoice(
            sort: sort, count: try self.count(count, scope, &entries), keys: try keys(formulas, &entries),
            isSpared: try spared(sparing, &entries))
    }
}

extension Formula.Entries {
    /// The index of `expecting` among the clauses.
    var expecting: Int? { clauses.firstIndex { if case .expecting = $0 { true } else { false } } }
}

/// Entries, and missing grades for the expected ones that do not exist yet.
private struct ExpectedEntries: Sendable {
    let get: @Sendable (GradedEntry, GradedEntry) -> GradedEntries
    let count: @Sendable (GradedEntry, GradedEntry) -> Int
    let choices: [ExpectedChoice]
    let value: @Sendable (GradedEntry, GradedEntry) -> Quantity
    let scale: ScaleModel
    let isSum: Bool
    let isComplete: Bool

    func quantity(_ entry: GradedEntry, _ own: GradedEntry) -> Quantity {
        var members = get(entry, own)
        if isComplete, members.contains(where: { $0.isAwaited && !value($0, own).isDefined }) {
            return .undefined(.noGrades)
        }
        let there = members.underestimatedCount
        // Without any entry there is nothing to judge yet.
        if there == 0 { return .undefined(.noGrades) }
        var missing = max(0, min(count(entry, own), RecordShape.greatestEntryCount) - there)
        guard missing > 0 || !choices.isEmpty else { return folded(members, own) }
        let grade = entry.expectedGrade(best: scale.best, worst: scale.worst)
        for choice in choices {
            (members, missing) = choice.apply(to: members, missing, grade.value ?? scale.worst, entry, own)
        }
        guard missing > 0 else { return folded(members, own) }
        let number = Quantity(Exact(missing))
        if isSum { return entry.counted(members.sum { value($0, own) } + grade * number) }
        let known = members.keeping { $0.isAwaited && value($0, own).isDefined }
        return entry.counted((known.sum { value($0, own) } + grade * number) / (known.sum { _ in 1 } + number))
    }

    private func folded(_ members: GradedEntries, _ own: GradedEntry) -> Quantity {
        isSum ? members.sum { value($0, own) } : members.mean { value($0, own) }
    }
}

/// `best 3 by percent` or `without worst 2 by percent`, among entries and missing grades. Of equal ones, an entry ranks
/// before a missing grade.
private struct ExpectedChoice: Sendable {
    enum Sort { case best, withoutWorst, withoutBest }

    let sort: Sort
    let count: @Sendable (GradedEntry, GradedEntry) -> Int
    let keys: [KeyValue]
    let isSpared: @Sendable (GradedEntry, GradedEntry) -> Bool

    /// Returns the remaining entries and the number of remaining missing grades. Each missing grade counts as `grade`.
    func apply(
        to members: GradedEntries, _ missing: Int, _ grade: Exact, _ entry: GradedEntry, _ own: GradedEntry
    ) -> (members: GradedEntries, missing: Int) {
        var (ranked, ahead) = (0, 0)
        for member in members where !isSpared(member, own) {
            guard let key = keys.first, let value = key.compute(member, own).value else { continue }
            ranked += 1
            if key.better.reaches(value, grade) { ahead += 1 }
        }
        let count = count(entry, own)
        // From the better end, or from the worse one: entries, then missing grades, then entries again.
        let first = min(count, sort == .withoutWorst ? ranked - ahead : ahead)
        let taken = min(count - first, missing)
        let chosen = count - taken
        let order = keys.map { $0.key(own) }
        switch sort {
        case .best: return (members.keeping(best: chosen, by: order), taken)
        case .withoutWorst:
            return (members.dropping(worst: chosen, by: order, sparing: { isSpared($0, own) }), missing - taken)
        case .withoutBest:
            return (members.dropping(best: chosen, by: order, sparing: { isSpared($0, own) }), missing - taken)
        }
    }
}
