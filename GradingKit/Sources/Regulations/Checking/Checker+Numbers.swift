import GradingKit

/// Checks formulas that give numbers.
extension Checker {
    func check(_ formula: Formula, _ scope: Scope) throws(Stop) -> CheckedFormula {
        try countPart(at: formula.range, scope)
        depth += 1
        defer { depth -= 1 }
        deepest = max(deepest, depth)
        if depth > Self.greatestDepth { throw stop(.tooDeep, formula.range) }
        switch formula.node {
        case .number(let value, let isPercent):
            var number = NumberValue(constant: isPercent ? value * (Exact(1, over: 100) ?? 0) : value, nil)
            number.isPercent = isPercent
            return .number(number)
        case .text(let text): return .text(TextValue(code: .constant(text), name: text, literal: text))
        case .name(let words): return try checkName(words, scope, at: formula.range)
        case .sum(let first, let terms): return .number(try sum(first, terms, scope))
        case .product(let first, let factors): return .number(try product(first, factors, scope))
        case .negative(let part): return .number(try negative(part, scope))
        case .otherwise(let first, let others): return .number(try otherwise(first, others, scope))
        case .ungraded(let part): return .number(try ungraded(part, scope, at: formula.range))
        case .missingAsWorst(let part, let condition): return .number(try missing(part, condition, scope))
        case .choice(let condition, let then, let otherwise):
            return .number(try choice(condition, then, otherwise, scope, at: formula.range))
        case .call(let name, let arguments): return try call(name, arguments, scope, at: formula.range)
        case .cell(let name, let row, let column): return try cell(name, row, column, scope)
        case .fold(let fold): return .number(try self.fold(fold, scope, at: formula.range))
        case .any, .all, .not, .comparison, .state, .quantifier:
            return .condition(try condition(formula, scope))
        }
    }

    func number(_ formula: Formula, _ scope: Scope) throws(Stop) -> NumberValue {
        guard case .number(let number) = try check(formula, scope) else { throw stop(.notNumber, formula.range) }
        return number
    }

    // MARK: Units

    /// Two numbers in the same unit: a plain number takes the unit of the other.
    func united(
        _ left: NumberValue, _ right: NumberValue, _ wording: Wording, at range: Range<Int>
    ) throws(Stop) -> (NumberValue, NumberValue, Dimension?) {
        let (left, right) = (left.beside(right.dimension), right.beside(left.dimension))
        switch (left.dimension, right.dimension) {
        case (nil, let unit):
            if !left.isNothing { noteAmount(in: unit) }
            return (left, right, unit)
        case (let unit, nil):
            if !right.isNothing { noteAmount(in: unit) }
            return (left, right, unit)
        case (let first?, let second?):
            guard first == second else {
                if let named = [first, second].first(where: { !$0.isPlain }), first.isPlain || second.isPlain {
                    throw stop(.plainBeside, range, ["unit": Self.named(named)])
                }
                throw stop(wording, range, ["left": Self.named(first), "right": Self.named(second)])
            }
            return (left, right, first)
        }
    }

    /// Notes a number that is not part of a maximum. If it counts points, the result depends on the number of points.
    func noteAmount(in dimension: Dimension?) {
        if dimension?.isCounted(in: pointUnits) ?? false { countsPoints = true }
    }

    static func named(_ dimension: Dimension) -> JSON {
        dimension.isPlain
            ? LocalizedText("plain numbers", fr: "nombres sans unité", zh: "无单位的数").json : .string(dimension.text)
    }

    /// Notes why a better grade can worsen a figure: the first part with that effect.
    func noting(_ trend: Trend, _ parts: [Trend], _ range: Range<Int>) -> Trend {
        if trend == .either, culprit == nil, !parts.contains(.either) { culprit = range }
        return trend
    }

    // MARK: Arithmetic

    private func sum(
        _ first: Formula, _ terms: [(isMinus: Bool, term: Formula)], _ scope: Scope
    ) throws(Stop) -> NumberValue {
        var total = try number(first, scope)
        var (start, links) = (total.code, [ChainLink]())
        for (isMinus, term) in terms {
            let range = first.range.lowerBound..<term.range.upperBound
            let (left, right, unit) = try united(total, try number(term, scope), .addsUnits, at: range)
            let other = isMinus ? right.trend.reversed : right.trend
            let trend = noting(left.trend + other, [left.trend, other], range)
            if links.isEmpty { start = left.code }
            links.append(isMinus ? ChainLink(right.code) { $0 - $1 } : ChainLink(right.code) { $0 + $1 })
            total = NumberValue(
                start, unit, left.range + (isMinus ? right.range.negated : right.range), trend)
        }
        total.code = start.chained(links)
        return try short(total, at: first.range)
    }

    /// Refuses a number longer than any regulation would contain, to bound what is computed while rules are read.
    private func short(_ value: NumberValue, at range: Range<Int>) throws(Stop) -> NumberValue {
        if let constant = value.constant, constant.bitWidth > 512 { throw stop(.numberTooLong, range) }
        return value
    }

    private func negative(_ part: Formula, _ scope: Scope) throws(Stop) -> NumberValue {
        let value = try number(part, scope)
        return NumberValue(
            value.code.changed { 0 - $0 }, value.dimension, value.range.negated, value.trend.reversed)
    }

    private func product(
        _ first: Formula, _ factors: [Formula.Factor], _ scope: Scope
    ) throws(Stop) -> NumberValue {
        var value = try number(first, scope)
        var end = first.range
        var links: [ChainLink] = []
        for factor in factors {
            switch factor {
            case .times(let part):
                end = first.range.lowerBound..<part.range.upperBound
                value = times(value, try number(part, scope), at: end, &links)
            case .over(let part):
                end = first.range.lowerBound..<part.range.upperBound
                value = over(value, try number(part, scope), at: end, &links)
            case .converted(let unit): value = try converted(value, unit, at: end, &links)
            case .said(let unit): value = try said(value, unit, at: end)
            case .through(let name): value = try through(value, name, at: end, scope, &links)
            }
            if value.dimension?.isLong ?? false { throw stop(.tooManyUnits, end) }
        }
        value.code = value.code.chained(links)
        return try short(value, at: end)
    }

    private static func product(_ left: Dimension?, _ right: Dimension?) -> Dimension? {
        guard left != nil || right != nil else { return nil }
        return (left ?? .plain) * (right ?? .plain)
    }

    // Each returns the value computed from its first operand, and a link for the rest of the computation.

    private func times(
        _ left: NumberValue, _ right: NumberValue, at range: Range<Int>, _ links: inout [ChainLink]
    ) -> NumberValue {
        let parts = [left.trend.times(right.range), right.trend.times(left.range)]
        links.append(ChainLink(right.code) { $0 * $1 })
        return NumberValue(
            left.code, Self.product(left.dimension, right.dimension),
            left.range * right.range, noting(parts[0] + parts[1], [left.trend, right.trend], range))
    }

    private func over(
        _ left: NumberValue, _ right: NumberValue, at range: Range<Int>, _ links: inout [ChainLink]
    ) -> NumberValue {
        let unit: Dimension? =
            left.dimension == nil && right.dimension == nil
            ? nil : (left.dimension ?? .plain) / (right.dimension ?? .plain)
        // A divisor that changes must keep its sign.
        let falls: Trend =
            right.trend == .still || right.range.isNonNegative ? right.trend.reversed.times(left.range) : .either
        let trend = left.trend.times(right.range) + falls
        links.append(ChainLink(right.code) { $0 / $1 })
        return NumberValue(
            left.code, unit, left.range / right.range,
            noting(trend, [left.trend, right.trend], range))
    }

    private func converted(
        _ value: NumberValue, _ unit: Formula.Factor.Unit, at range: Range<Int>, _ links: inout [ChainLink]
    ) throws(Stop) -> NumberValue {
        let target = try dimension(unit)
        noteAmount(in: value.dimension)
        guard let scale = scale(of: target) else {
            throw stop(.notAScale, unit.over.range, ["name": .string(unit.over.text)])
        }
        let source: ScaleModel
        if value.dimension?.isPlain ?? true {
            source = ScaleModel(worst: 0, best: 1, step: 1)
        } else if let given = self.scale(of: value.dimension) {
            source = given
        } else {
            throw stop(
                .converts, range,
                ["found": Self.named(value.dimension ?? .plain), "unit": .string(unit.over.text)])
        }
        let factor = (scale.best - scale.worst) / (source.best - source.worst) ?? 1
        let offset = scale.worst - factor * source.worst
        links.append(ChainLink(.constant(Quantity(factor))) { $0 * $1 })
        if !offset.isZero { links.append(ChainLink(.constant(Quantity(offset))) { $0 + $1 }) }
        let constant = ValueRange(low: factor, high: factor)
        return NumberValue(
            value.code, target, value.range * constant + ValueRange(low: offset, high: offset),
            value.trend.times(constant))
    }

    private func said(
        _ value: NumberValue, _ unit: Formula.Factor.Unit, at range: Range<Int>
    ) throws(Stop) -> NumberValue {
        let target = try dimension(unit)
        var result = value
        if let known = value.dimension, !known.isPlain, !target.isPlain, known != target {
            throw stop(.saysUnit, range, ["found": .string(known.text)])
        }
        if value.dimension != target {
            noteAmount(in: value.dimension)
            noteAmount(in: target)
        }
        result.dimension = target
        result.rule = nil
        return result
    }

    private func through(
        _ value: NumberValue, _ name: Formula.Word, at range: Range<Int>, _ scope: Scope, _ links: inout [ChainLink]
    ) throws(Stop) -> NumberValue {
        if let curve = curves[name.text] { return try along(curve, value, name, at: range, scope, &links) }
        let table = try bands(name)
        try countWork(scope.visits * Double(table.bands.list.count), at: name.range)
        guard let bounds = table.dimension else { throw stop(.noBounds, name.range, ["name": .string(name.text)]) }
        noteAmount(in: bounds)
        noteAmount(in: table.worth)
        let value = value.beside(bounds)
        if let unit = value.dimension, unit != bounds {
            throw stop(.bandsUnit, range, ["unit": Self.named(bounds), "found": Self.named(unit)])
        }
        guard let worth = table.worth else { throw stop(.noPoints, name.range, ["name": .string(name.text)]) }
        let bands = table.bands
        let trend: Trend =
            switch (value.trend, table.trend) {
            case (.still, _): .still
            case (let own, .rises): own
            case (let own, .falls): own.reversed
            default: .either
            }
        links.append(ChainLink(.constant(0)) { value, _ in bands.points(for: value) })
        return NumberValue(
            value.code, worth, table.pointRange, noting(trend, [value.trend], name.range))
    }

    // MARK: Choices

    private func otherwise(_ first: Formula, _ others: [Formula], _ scope: Scope) throws(Stop) -> NumberValue {
        var value = try number(first, scope)
        var codes = [value.code]
        for other in others {
            let range = first.range.lowerBound..<other.range.upperBound
            let (left, right, unit) = try united(value, try number(other, scope), .addsUnits, at: range)
            if codes.count == 1 { codes = [left.code] }
            codes.append(right.code)
            value = NumberValue(
                left.code, unit, left.range.union(right.range),
                noting(left.trend + right.trend, [left.trend, right.trend], range))
        }
        let grades = ([first] + others).map { alternatives($0, scope) }
        let places = grades.indices.filter { !grades[$0].isEmpty }
        guard places.count > 1 else {
            value.code = Code.first(codes)
            return value
        }
        // The grade that is declared first is the expected one; what else the chain names stands for it.
        let least = grades.compactMap { $0.keys.min() }.min()
        let expected = places.first { grades[$0].count == 1 && grades[$0].keys.first == least } ?? 0
        let parts = try grades.map { grades throws(Stop) in
            try grades.sorted { $0.key < $1.key }.map { grade throws(Stop) in try number(grade.value, scope).code }
        }
        value.code = Code.first(codes, of: parts, expecting: expected)
        return value
    }

    /// The grades between which a formula chooses, by their places among the fields of their kind: one grade, or the
    /// greater or the less of several, perhaps bounded. Empty for any other formula.
    private func alternatives(_ formula: Formula, _ scope: Scope) -> [Int: Formula] {
        switch formula.node {
        case .name(let words):
            guard words.count == 1, let word = words.first,
                let place = kinds[scope.kind].fields.firstIndex(where: { $0.name == word.text }),
                kinds[scope.kind].fields[place].isGrade
            else { return [:] }
            return [place: formula]
        case .otherwise(let first, let others): return alternatives(of: [first] + others, scope)
        case .call(let name, let arguments) where ["max", "min"].contains(name.text):
            return alternatives(of: arguments, scope)
        default: return [:]
        }
    }

    /// Empty if one of the formulas is neither such a choice nor a bound.
    private func alternatives(of formulas: [Formula], _ scope: Scope) -> [Int: Formula] {
        var found: [Int: Formula] = [:]
        for formula in formulas {
            let own = alternatives(formula, scope)
            if own.isEmpty, !isBound(formula, scope) { return [:] }
            found.merge(own) { first, _ in first }
        }
        return found
    }

    /// Whether a formula is a number or a setting.
    private func isBound(_ formula: Formula, _ scope: Scope) -> Bool {
        switch formula.node {
        case .number: return true
        case .name(let words):
            guard words.count == 1, let word = words.first else { return false }
            return settings[word.text] != nil
        case .product(let first, let factors):
            return isBound(first, scope) && factors.allSatisfy { if case .said = $0 { true } else { false } }
        default: return false
        }
    }

    private func ungraded(_ part: Formula, _ scope: Scope, at range: Range<Int>) throws(Stop) -> NumberValue {
        // A group has members, and these are the missing grades.
        guard let scale = scope.scale, scope.kind != 0, !scope.isInner, kinds[scope.kind].base == nil else {
            throw stop(.ungradedNowhere, range)
        }
        let value = try number(part, scope)
        let (code, best, worst) = (value.code.closed, scale.best, scale.worst)
        let trend = value.trend + scale.trend
        return NumberValue(
            .one { entry in entry.orUngraded(code(entry), best: best, worst: worst) }, value.dimension,
            value.range.union(scale.range), noting(trend, [value.trend], range))
    }

    private func missing(
        _ part: Formula, _ condition: Formula?, _ scope: Scope
    ) throws(Stop) -> NumberValue {
        var value = try number(part, scope)
        guard case .name(let words) = part.node, words.count == 1, let word = words.first,
            let field = kinds[scope.kind].fields.first(where: { $0.name == word.text }),
            case .number(_, let range, _, isGrade: true) = field.content
        else {
            throw stop(.notAGrade, part.range, ["name": .string(faults.source[part.range])])
        }
        let key = Field<Exact>(field.name)
        let test = try condition.map { formula throws(Stop) in try self.truth(formula, scope) }
        value.range = range
        switch test?.code {
        case nil: value.code = .one { $0.whenMissing(key, takesLeast: true) }
        case .constant(let truth)?: value.code = .one { $0.whenMissing(key, takesLeast: truth == .yes) }
        case .one(let holds)?: value.code = .one { $0.whenMissing(key, takesLeast: holds($0) == .yes) }
        case .two(let holds)?:
            value.code = .two { entry, own in entry.whenMissing(key, takesLeast: holds(entry, own) == .yes) }
        }
        return value
    }

    private func choice(
        _ condition: Formula, _ then: Formula, _ otherwise: Formula?, _ scope: Scope, at range: Range<Int>
    ) throws(Stop) -> NumberValue {
        // If it is unknown, it is computed again to find the reason.
        var asked = scope
        asked.visits *= 2
        let test = try truth(condition, asked)
        let nothing = NumberValue(.constant(.undefined(.noGrades)), nil)
        let (yes, no, unit) = try united(
            try number(then, scope), try otherwise.map { part throws(Stop) in try self.number(part, scope) } ?? nothing,
            .addsUnits, at: range)
        let why = test.why.map { Quantity.undefined($0.first?.code ?? .noGrades) }
        let valueRange = otherwise == nil ? yes.range : yes.range.union(no.range)
        let trend: Trend
        switch test.trend {
        case .still: trend = yes.trend + no.trend
        case .rises: trend = rising(yes, above: no)
        case .falls: trend = rising(no, above: yes)
        case .either: trend = .either
        }
        return NumberValue(
            Code.choose(test.code, yes.code, no.code, why), unit, valueRange,
            noting(trend, [yes.trend, no.trend], condition.range))
    }

    /// Returns the trend of a choice that switches from `lower` to `upper` as grades get better: it rises if neither
    /// value falls and `upper` is never below `lower`.
    private func rising(_ upper: NumberValue, above lower: NumberValue) -> Trend {
        guard let low = upper.range.low, let high = lower.range.high, low >= high else { return .either }
        let trend = upper.trend + lower.trend + .rises
        return trend == .rises ? .rises : .either
    }
}

extension NumberValue {
    /// Whether it is 0 or undefined for every record.
    fileprivate var isNothing: Bool {
        if case .constant(let quantity) = code { quantity.value?.isZero ?? true } else { false }
    }

    /// The value of `10%` beside a number in a unit: 10 beside percent, one tenth beside any other.
    func beside(_ unit: Dimension?) -> NumberValue {
        guard isPercent, unit == .percent, let constant else { return self }
        return NumberValue(constant: constant * 100, .percent)
    }
}
