import GradingKit

/// The entries of a fold or quantifier.
struct EntriesValue: Sendable {
    var scope: Scope
    /// Whether they depend only on the current entry.
    var isClosed: Bool
    var get: @Sendable (_ entry: GradedEntry, _ own: GradedEntry) -> GradedEntries
    /// How a better grade changes which entries are among them.
    var trend = Trend.still
    /// The keys by which some entries were chosen, if these use grades.
    var keys: [Formula] = []
    /// The position of a clause that uses a grade.
    var place: Range<Int>?
    /// Whether the record has the copy of an earlier record that contains them; `nil` for the record's own entries.
    var isThere: (@Sendable (GradedEntry) -> Bool)?
}

extension Checker {
    /// The greatest nesting depth of folds and quantifiers.
    private static let greatestFolds = 3

    func entries(_ entries: Formula.Entries, _ scope: Scope) throws(Stop) -> EntriesValue {
        let kind = try kind(of: entries)
        try checkGroup(kind, at: entries.kind.range)
        var inner = Scope(kind)
        inner.own = scope.own
        inner.isInner = true
        inner.folds = scope.folds + 1
        if inner.folds > Self.greatestFolds { throw stop(.tooDeep, entries.kind.range) }
        inner.visits = visits(of: kind, by: entries, scope)
        // Visiting an entry costs about two parts of a formula.
        try countWork(2 * inner.visits + looks(by: entries, scope) / 8, at: entries.kind.range)
        var value = try start(entries, kind, scope, inner)
        for clause in entries.clauses { try apply(clause, to: &value, scope, at: entries.kind.range) }
        return value
    }

    private func start(
        _ entries: Formula.Entries, _ kind: Int, _ scope: Scope, _ inner: Scope
    ) throws(Stop) -> EntriesValue {
        let name = Kind(kinds[kind].name)
        guard let word = entries.owner else {
            // For a kind nested in itself: those directly in the current entry.
            let isWithin = kind == scope.kind && kinds[kind].levels > 1
            guard isWithin || isChild(kind, of: scope.kind) else { throw notInside(entries.kind, kind, scope) }
            var inner = inner
            inner.isWithin = isWithin
            return EntriesValue(scope: inner, isClosed: true, get: { entry, _ in entry.children(name) })
        }
        let owner = try self.kind(word)
        if kinds[owner].isCopy, kinds[kind].parent == owner, wayIfAny(to: owner, from: scope) == nil {
            return copied(kind, in: owner, inner)
        }
        try checkGroup(owner, at: word.range)
        guard isInside(kind, owner) else {
            throw stop(
                .neverInside, entries.kind.range, ["name": .string(kinds[kind].name), "kind": .string(word.text)])
        }
        let isChild = isChild(kind, of: owner)
        if let way = wayIfAny(to: owner, from: scope) {
            return EntriesValue(
                scope: inner, isClosed: !way.isOwn,
                get: { entry, own in
                    let owner = way.entry(entry, own)
                    return isChild ? owner.children(name) : owner.inside(name)
                })
        }
        guard isInside(owner, scope.kind) else {
            throw stop(.notAround, word.range, ["name": .string(word.text), "kind": .string(kinds[scope.kind].name)])
        }
        return EntriesValue(scope: inner, isClosed: true, get: { entry, _ in entry.inside(name) })
    }

    private func notInside(_ word: Formula.Word, _ kind: Int, _ scope: Scope) -> Stop {
        var arguments: JSONObject = ["name": .string(word.text), "kind": .string(kinds[scope.kind].name)]
        guard isInside(kind, scope.kind), let parent = kinds[kind].parent else {
            return stop(.neverInside, word.range, arguments)
        }
        let owner = kinds[parent].name
        arguments["owner"] = .string(owner)
        return stop(.notInside, word.range, arguments)
    }

    /// Whether entries of a kind are children of another; for a group, its members.
    private func isChild(_ kind: Int, of outer: Int) -> Bool {
        kinds[outer].base.map { $0 == kind } ?? (kinds[kind].parent == outer)
    }

    /// Whether entries of a kind are inside another, at any depth.
    func isInside(_ kind: Int, _ outer: Int) -> Bool {
        if let base = kinds[outer].base { return kinds[kind].base == nil && (kind == base || isInside(kind, base)) }
        var place = kinds[kind].parent
        while let parent = place {
            if parent == outer { return true }
            place = kinds[parent].parent
        }
        return false
    }

    // MARK: Clauses

    private func apply(
        _ clause: Formula.Clause, to value: inout EntriesValue, _ scope: Scope, at place: Range<Int>
    ) throws(Stop) {
        let before = value.get
        if case .whose = clause {} else { try countWork(Self.workOfRanking * value.scope.visits, at: place) }
        switch clause {
        case .whose(let formula):
            let test = try truth(formula, value.scope)
            note(test.trend, formula.range, in: &value)
            value.isClosed = value.isClosed && test.code.isClosed
            if case .one(let holds) = test.code {
                value.get = { entry, own in before(entry, own).keeping { holds($0) == .yes } }
            } else {
                let holds = test.code.open
                value.get = { entry, own in before(entry, own).keeping { holds($0, own) == .yes } }
            }
        case .best(let count, let formulas, let limit):
            let (number, keys) = (try self.count(count, scope, &value), try self.keys(formulas, &value))
            guard let limit else {
                value.get = { entry, own in
                    before(entry, own).keeping(best: number(entry, own), by: keys.map { $0.key(own) })
                }
                return
            }
            let (most, likeness) = (try self.count(limit.count, scope, &value), try likeness(limit, &value))
            value.get = { entry, own in
                before(entry, own).keeping(
                    best: number(entry, own), by: keys.map { $0.key(own) }, atMost: most(entry, own),
                    alike: { likeness($0, own) })
            }
        case .bestOf(_, _, _, let place): throw stop(.bestOfMean, place)
        case .onePer(let formula, let formulas):
            let name = try group(formula, &value)
            // Comparing two attempts computes their keys for each comparison.
            value.scope.visits *= 3
            defer { value.scope.visits /= 3 }
            // Attempts at the same thing: the current figures decide which one counts, also for floor and ceiling. An
            // entry without a first key is no attempt yet.
            let keys = try self.keys(formulas, &value, isChoice: false)
            value.get = { entry, own in
                let now = own.current
                return before(entry, own).superseding(
                    by: { keys.first?.isKnown(of: $0, now) ?? true ? name($0, now) : nil },
                    best: keys.map { $0.key(now) })
            }
        case .without(let isWorst, let count, let formulas, let sparing):
            let (number, keys) = (try self.count(count, scope, &value), try self.keys(formulas, &value))
            let spared = try self.spared(sparing, &value)
            value.get = { entry, own in
                let (entries, keys) = (before(entry, own), keys.map { $0.key(own) })
                let number = number(entry, own)
                return isWorst
                    ? entries.dropping(worst: number, by: keys, sparing: { spared($0, own) })
                    : entries.dropping(best: number, by: keys, sparing: { spared($0, own) })
            }
        case .withoutByRatio(_, _, _, let ratio): throw stop(.ratioOnly, ratio)
        case .expecting(_, let place): throw stop(.expectingFold, place)
        }
    }

    private func note(_ trend: Trend, _ range: Range<Int>, in value: inout EntriesValue) {
        if trend != .still, value.place == nil { value.place = range }
        value.trend = value.trend + trend
    }

    /// The number of entries to keep or drop: a number that is known when the rules are read, or a field. It must not
    /// depend on a grade. A missing or negative number counts as 0, and a fraction as its whole part.
    func count(
        _ formula: Formula, _ scope: Scope, _ value: inout EntriesValue
    ) throws(Stop) -> @Sendable (GradedEntry, GradedEntry) -> Int {
        let number = try number(formula, scope)
        guard number.trend == .still else { throw stop(.countOfGrades, formula.range) }
        value.isClosed = value.isClosed && number.code.isClosed
        if number.code.isConstant {
            guard let count = number.constant?.integer, count >= 0 else {
                throw stop(.expectedNumber, formula.range, ["found": .string(faults.source[formula.range])])
            }
            return { _, _ in count }
        }
        let compute = number.code.open
        return { entry, own in
            let count = compute(entry, own).value.map { Rounding.floor($0, to: .scale(0)) }?.integer
            return min(max(count ?? 0, 0), RecordShape.greatestEntryCount)
        }
    }

    func keys(
        _ formulas: [Formula], _ value: inout EntriesValue, isChoice: Bool = true
    ) throws(Stop) -> [KeyValue] {
        var keys: [KeyValue] = []
        for formula in formulas {
            let number = try number(formula, value.scope)
            if number.trend != .still {
                if value.place == nil { value.place = formula.range }
                if isChoice { value.keys.append(formula) }
                if number.trend == .either { value.trend = .either }
            }
            value.isClosed = value.isClosed && number.code.isClosed
            let better = scale(of: number.dimension)?.better ?? .higher
            keys.append(KeyValue(compute: number.code.open, better: better))
        }
        return keys
    }

    /// Returns the group of an entry: a limit allows only so many entries of each group. `nil` for an entry without a limit.
    private func likeness(
        _ limit: Formula.Limit, _ value: inout EntriesValue
    ) throws(Stop) -> @Sendable (GradedEntry, GradedEntry) -> String? {
        guard case .whose(let condition) = limit.likeness else { return try group(limit.formula, &value) }
        let test = try truth(condition, value.scope)
        note(test.trend, condition.range, in: &value)
        value.isClosed = value.isClosed && test.code.isClosed
        let holds = test.code.open
        return { holds($0, $1) == .yes ? "" : nil }
    }

    /// The key under which entries compete, a text or a number. An entry without it competes with none.
    private func group(
        _ formula: Formula, _ value: inout EntriesValue
    ) throws(Stop) -> @Sendable (GradedEntry, GradedEntry) -> String? {
        switch try check(formula, value.scope) {
        case .number(let number):
            note(number.trend, formula.range, in: &value)
            value.isClosed = value.isClosed && number.code.isClosed
            let compute = number.code.open
            return { compute($0, $1).value?.description }
        case .text(let text):
            note(text.trend, formula.range, in: &value)
            value.isClosed = value.isClosed && text.code.isClosed
            let compute = text.code.open
            return { entry, own in
                let name = compute(entry, own).map { comparableName($0) } ?? ""
                return name.isEmpty ? nil : name
            }
        case .condition, .outcome: throw stop(.notNumber, formula.range)
        }
    }

    func spared(
        _ word: Formula.Word?, _ value: inout EntriesValue
    ) throws(Stop) -> @Sendable (GradedEntry, GradedEntry) -> Bool {
        guard let word else { return { _, _ in false } }
        let formula = Formula(range: word.range, node: .name([word]))
        let test = try truth(formula, value.scope)
        note(test.trend, word.range, in: &value)
        value.isClosed = value.isClosed && test.code.isClosed
        let holds = test.code.open
        return { holds($0, $1) == .yes }
    }

    // MARK: Folds

    func fold(_ fold: Formula.Fold, _ scope: Scope, at range: Range<Int>) throws(Stop) -> NumberValue {
        if fold.operation == .ratio { return try ratio(fold, scope, at: range) }
        if case .bestOf? = fold.entries.clauses.last { return try bestOf(fold, scope, at: range) }
        if let place = fold.entries.expecting { return try expecting(fold, at: place, scope, at: range) }
        let entries = try entries(fold.entries, scope)
        guard fold.operation != .count else {
            if let value = fold.value {
                throw stop(.leftOver, value.range, ["found": .string(faults.source[value.range])])
            }
            return count(entries, at: range)
        }
        guard let formula = fold.value else { throw stop(.expectedFormula, range, ["found": .string("over")]) }
        var inner = entries.scope
        // Whether all values are known is tested before any are added.
        if fold.isComplete { inner.visits *= 2 }
        let value = try number(formula, inner)
        var weight: NumberValue?
        if let factor = fold.weight {
            guard fold.operation == .mean else {
                throw stop(.leftOver, factor.range, ["found": .string(faults.source[factor.range])])
            }
            let number = try number(factor, entries.scope)
            if !number.range.isNonNegative { faults.add(.negativeWeight, factor.range) }
            weight = number
        }
        let trend = trend(of: fold, value, weight, entries, formula, at: range)
        let better = self.scale(of: value.dimension)?.better ?? .higher
        let code = Self.code(fold.operation, better, value.code, weight?.code, entries, isComplete: fold.isComplete)
        var valueRange = value.range
        if fold.operation == .sum {
            valueRange = ValueRange(
                low: value.range.isNonNegative ? 0 : nil, high: value.range.isNonPositive ? 0 : nil)
        }
        return NumberValue(entries.guarded(code), value.dimension, valueRange, trend)
    }

    private func count(_ entries: EntriesValue, at range: Range<Int>) -> NumberValue {
        let get = entries.get
        let compute: @Sendable (GradedEntry, GradedEntry) -> Quantity = { entry, own in get(entry, own).sum { _ in 1 } }
        return NumberValue(
            entries.guarded(Self.code(compute, isClosed: entries.isClosed)), .plain, .positive,
            noting(entries.trend, [], range))
    }

    static func code(
        _ compute: @escaping @Sendable (GradedEntry, GradedEntry) -> Quantity, isClosed: Bool
    ) -> Code<Quantity> {
        isClosed ? .one { compute($0, $0) } : .two(compute)
    }

    private static func code(
        _ operation: Formula.Fold.Operation, _ better: Direction, _ value: Code<Quantity>, _ weight: Code<Quantity>?,
        _ entries: EntriesValue, isComplete: Bool
    ) -> Code<Quantity> {
        let get = entries.get
        let isClosed = entries.isClosed && value.isClosed && weight?.isClosed ?? true
        // Closures over one entry are used in the fold directly.
        if isClosed, !isComplete {
            let (value, weight) = (value.closed, weight?.closed)
            return .one { entry in fold(operation, better, get(entry, entry), value, weight) }
        }
        let (compute, weigh) = (value.open, weight?.open)
        let whole: @Sendable (GradedEntry, GradedEntry) -> Quantity = { entry, own in
            let entries = get(entry, own)
            if isComplete, entries.contains(where: { $0.isAwaited && !compute($0, own).isDefined }) {
                return .undefined(.noGrades)
            }
            return fold(
                operation, better, entries, { compute($0, own) }, weigh.map { weigh in { weigh($0, own) } })
        }
        return isClosed ? .one { whole($0, $0) } : .two(whole)
    }

    private static func fold(
        _ operation: Formula.Fold.Operation, _ better: Direction, _ entries: GradedEntries,
        _ value: (GradedEntry) -> Quantity, _ weight: ((GradedEntry) -> Quantity)?
    ) -> Quantity {
        switch operation {
        case .mean: entries.mean(of: value, weightedBy: weight)
        case .sum: entries.sum(of: value)
        case .median: entries.median(of: value)
        case .mode: entries.mode(of: value, better: better)
        case .least: entries.least(of: value)
        case .greatest: entries.greatest(of: value)
        case .count, .ratio: entries.sum { _ in 1 }
        }
    }

    /// Whether a better grade can only raise a fold. It may lower it if grades determine the fold's entries or weights.
    func trend(
        of fold: Formula.Fold, _ value: NumberValue, _ weight: NumberValue?, _ entries: EntriesValue,
        _ formula: Formula, at range: Range<Int>
    ) -> Trend {
        let source = faults.source
        // If the value that chooses the entries is also the folded one, better grades can only raise the fold.
        let isChosen = entries.keys.first.map { source.isSame($0.range, formula.range) } ?? true
        var trend: Trend
        switch (fold.operation, entries.trend) {
        // One more grade of a better value may make another value the most frequent.
        case (.mode, _): trend = value.trend == .still && entries.trend == .still ? .still : .either
        case (_, .still): trend = value.trend
        case (.sum, .rises) where value.range.isNonNegative && value.trend != .falls: trend = value.trend + .rises
        case (.sum, .falls) where value.range.isNonNegative && value.trend != .rises: trend = value.trend + .falls
        default: trend = .either
        }
        if !isChosen { trend = .either }
        if let weight, weight.trend != .still {
            culprit = culprit ?? fold.weight?.range
            trend = .either
        }
        return noting(trend, [value.trend], entries.place ?? range)
    }
}

extension GradedEntry {
    /// Whether a fold that must be complete waits for the entry. It does not if the entry's status takes it out of
    /// averages.
    var isAwaited: Bool { statusRule.average != .leaves }
}

/// A key by which entries are ranked.
struct KeyValue: Sendable {
    let compute: @Sendable (GradedEntry, GradedEntry) -> Quantity
    let better: Direction

    func isKnown(of entry: GradedEntry, _ own: GradedEntry) -> Bool { compute(entry, own).isDefined }

    func key(_ own: GradedEntry) -> RankKey { RankKey({ compute($0, own) }, better: better) }
}
