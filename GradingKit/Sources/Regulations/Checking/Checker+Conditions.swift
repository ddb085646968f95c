import GradingKit

/// Checks formulas that give conditions.
extension Checker {
    func truth(_ formula: Formula, _ scope: Scope) throws(Stop) -> ConditionValue {
        guard case .condition(let condition) = try check(formula, scope) else {
            throw stop(.notCondition, formula.range)
        }
        return condition
    }

    func condition(_ formula: Formula, _ scope: Scope) throws(Stop) -> ConditionValue {
        switch formula.node {
        case .any(let parts): return try joined(parts, scope, .yes)
        case .all(let parts): return try joined(parts, scope, .no)
        case .not(let part):
            let inner = try truth(part, scope)
            return ConditionValue(inner.code.map(\.negated), why: inner.why, inner.trend.reversed)
        case .comparison(let left, let sign, let right, let place):
            return try comparison(left, sign, right, scope, at: place)
        case .state(let part, let isNegated, let word, let place):
            let state = try state(part, word, place, scope)
            guard isNegated else { return state }
            return ConditionValue(state.code.map(\.negated), why: state.why, state.trend.reversed)
        case .quantifier(let quantifier): return try self.quantifier(quantifier, scope, at: formula.range)
        default: throw stop(.notCondition, formula.range)
        }
    }

    /// Conditions joined by `or`, where one true part decides, or by `and`, where one false part does.
    private func joined(_ parts: [Formula], _ scope: Scope, _ decisive: Truth) throws(Stop) -> ConditionValue {
        var values: [ConditionValue] = []
        for part in parts { values.append(try truth(part, scope)) }
        let trend = values.dropFirst().reduce(values.first?.trend ?? .still) { $0 + $1.trend }
        let code = Code.joined(values.map(\.code), decisive)
        // A condition that is decided without an unknown part does not wait for that part.
        let why = DecisionReason.all(of: values.map(\.why)).unless(code.map { $0 != .unknown })
        return ConditionValue(code, why: why, trend)
    }

    // MARK: Comparisons

    private func comparison(
        _ left: Formula, _ sign: Formula.Comparison, _ right: Formula, _ scope: Scope, at place: Range<Int>
    ) throws(Stop) -> ConditionValue {
        let range = left.range.lowerBound..<right.range.upperBound
        // Report the faults of both sides.
        var first: CheckedFormula?
        attempt { () throws(Stop) in first = try self.check(left, scope) }
        let second = try check(right, scope)
        guard let first else { throw Stop() }
        switch (first, second) {
        case (.number(let first), .number(let second)):
            let (first, second, _) = try united(first, second, .comparesUnits, at: range)
            return sign == .reaches
                ? try reaching(first, second, at: place) : compared(first, sign, second, at: place)
        case (.text(let first), .text(let second)):
            guard sign == .equal || sign == .unequal else { throw stop(.notComparable, range) }
            try countWork(Self.work(comparing: first, second) * scope.visits, at: range)
            try checkChoice(first, is: second, at: right.range)
            try checkChoice(second, is: first, at: left.range)
            return same(first, second, isEqual: sign == .equal)
        default: throw stop(.notComparable, range)
        }
    }

    private func checkChoice(_ text: TextValue, is other: TextValue, at range: Range<Int>) throws(Stop) {
        guard let choices = text.choices, let literal = other.literal else { return }
        let name = comparableName(literal)
        if choices.contains(where: { comparableName($0) == name }) { return }
        faults.add(
            .unknownChoice, guessing: .unknownChoiceGuess, literal, among: choices, range,
            ["field": .string(text.name)])
        throw Stop()
    }

    private func same(_ left: TextValue, _ right: TextValue, isEqual: Bool) -> ConditionValue {
        let why: Code<[DecisionReason]> = .constant([DecisionReason(.missingField)])
        // A better grade may lead to any other text.
        let trend: Trend = left.trend == .still && right.trend == .still ? .still : .either
        if let (choice, choices) = Self.choice(left, right) ?? Self.choice(right, left) {
            // A value of a choice is nearly always written as it is declared.
            let code = (left.literal == nil ? left : right).code.map { value -> Truth in
                guard let value else { return .unknown }
                if value == choice { return Truth(isEqual) }
                return Truth((!choices.contains(value) && comparableName(value) == comparableName(choice)) == isEqual)
            }
            return ConditionValue(code, why: why, trend)
        }
        let code = left.code.with(right.code) { left, right -> Truth in
            guard let left, let right else { return .unknown }
            return Truth((left == right || comparableName(left) == comparableName(right)) == isEqual)
        }
        return ConditionValue(code, why: why, trend)
    }

    /// The value of a choice that a text means, and the choices.
    private static func choice(_ text: TextValue, _ other: TextValue) -> (choice: String, choices: [String])? {
        guard let choices = text.choices, choices.count <= 16, text.literal == nil, let literal = other.literal else {
            return nil
        }
        let name = comparableName(literal)
        let meant = choices.filter { comparableName($0) == name }
        return meant.count == 1 ? (meant[0], choices) : nil
    }

    /// The cost of comparing two texts, in parts of formulas: names are compared as people would.
    private static func work(comparing left: TextValue, _ right: TextValue) -> Double {
        choice(left, right) ?? choice(right, left) == nil ? 20 : 3
    }

    private func reaching(
        _ left: NumberValue, _ right: NumberValue, at place: Range<Int>
    ) throws(Stop) -> ConditionValue {
        guard let rule = left.rule else {
            faults.add(.reachesNeedsFigure, place, fix: ">=")
            throw Stop()
        }
        noteAmount(in: left.dimension)
        let trends = [left.trend, right.trend.reversed]
        let trend = trends[0] + trends[1]
        return ConditionValue(
            Self.compare(left.code, right.code) { rule.reaches($0, $1) }, why: Self.why(left.code, right.code),
            rule.better == .higher ? trend : trend.reversed)
    }

    private func compared(
        _ left: NumberValue, _ sign: Formula.Comparison, _ right: NumberValue, at place: Range<Int>
    ) -> ConditionValue {
        let rises = left.trend + right.trend.reversed
        let (trend, test): (Trend, @Sendable (Exact, Exact) -> Bool) =
            switch sign {
            case .equal: (rises == .still ? .still : .either, { $0 == $1 })
            case .unequal: (rises == .still ? .still : .either, { $0 != $1 })
            case .less: (rises.reversed, { $0 < $1 })
            case .lessOrEqual: (rises.reversed, { $0 <= $1 })
            case .greater: (rises, { $0 > $1 })
            case .greaterOrEqual, .reaches: (rises, { $0 >= $1 })
            }
        if let rule = left.rule, rule.compareOn != .exact, right.trend == .still {
            let reaches: Formula.Comparison = rule.better == .higher ? .greaterOrEqual : .lessOrEqual
            if sign == reaches {
                faults.add(.exactComparison, place, fix: "reaches")
            } else if sign != .equal, sign != .unequal {
                faults.add(.exactComparison, place)
            }
        }
        return ConditionValue(
            Self.compare(left.code, right.code, test), why: Self.why(left.code, right.code), trend)
    }

    private static func compare(
        _ left: Code<Quantity>, _ right: Code<Quantity>, _ test: @escaping @Sendable (Exact, Exact) -> Bool
    ) -> Code<Truth> {
        // The usual case: a comparison with a constant.
        if case .constant(let constant) = right, let bound = constant.value {
            return left.map { quantity in quantity.value.map { Truth(test($0, bound)) } ?? .unknown }
        }
        return left.with(right) { left, right in
            guard let left = left.value, let right = right.value else { return .unknown }
            return Truth(test(left, right))
        }
    }

    /// Returns the code of the reason why two numbers cannot be compared: that of the first undefined one.
    private static func why(_ left: Code<Quantity>, _ right: Code<Quantity>) -> Code<[DecisionReason]> {
        left.with(right) { left, right in
            [left.reason, right.reason].compactMap(\.self).prefix(1).map { DecisionReason($0) }
        }
    }

    // MARK: States

    private func state(
        _ part: Formula, _ word: String, _ place: Range<Int>, _ scope: Scope
    ) throws(Stop) -> ConditionValue {
        if let status = try status(part, word, place, scope) { return status }
        if word == "recorded" { return try recorded(part, scope) }
        switch try check(part, scope) {
        case .number(let number):
            guard word == "known" else { throw stop(.notComparable, place) }
            return ConditionValue(number.code.map { Truth($0.isDefined) })
        case .condition(let condition):
            guard word == "known" else { throw stop(.notComparable, place) }
            return ConditionValue(condition.code.map { Truth($0 != .unknown) })
        case .text(let text):
            if word == "known" { return ConditionValue(text.code.map { Truth($0 != nil) }, text.trend) }
            guard text.choices != nil else { throw stop(.notComparable, place) }
            let other = TextValue(code: .constant(word), name: word, literal: word)
            try countWork(Self.work(comparing: text, other) * scope.visits, at: place)
            try checkChoice(text, is: other, at: place)
            return same(text, other, isEqual: true)
        case .outcome(let outcome): return try condition(outcome, is: word, at: place)
        }
    }

    /// `status is absent`, unless a field has the name `status`.
    private func status(
        _ part: Formula, _ word: String, _ place: Range<Int>, _ scope: Scope
    ) throws(Stop) -> ConditionValue? {
        guard case .name(let words) = part.node, words.last?.text == "status", words.count <= 2 else { return nil }
        var (kind, way) = (scope.kind, Way?.some(.here))
        if words.count == 2 {
            kind = try self.kind(words.first)
            way = wayIfAny(to: kind, from: scope)
        }
        guard let way, !kinds[kind].has("status") else { return nil }
        if word == "none" { return ConditionValue(way.code { Truth($0.status == nil) }) }
        let status = try self.status(word, at: place)
        return ConditionValue(way.code { Truth($0.status == status) })
    }

    /// Whether a value is recorded in a field, whatever the run assumes.
    private func recorded(_ part: Formula, _ scope: Scope) throws(Stop) -> ConditionValue {
        let value = try check(part, scope)
        guard let (field, way) = try field(part, scope) else { throw stop(.notComparable, part.range) }
        switch (value, field.content) {
        case (.number, _) where !field.shape.letters.isEmpty:
            let key = Field<String>(field.name)
            return ConditionValue(way.code { Truth($0.has(key)) })
        case (.number, _):
            let key = Field<Exact>(field.name)
            return ConditionValue(way.code { Truth($0.has(key)) })
        case (_, .flag):
            let key = Field<Bool>(field.name)
            return ConditionValue(way.code { Truth($0.has(key)) })
        case (.text(let text), _): return ConditionValue(text.code.map { Truth($0 != nil) })
        default: throw stop(.notComparable, part.range)
        }
    }

    /// The field that a formula names, and the way to its entry; `nil` if the formula is no field.
    func field(_ formula: Formula, _ scope: Scope) throws(Stop) -> (field: FieldModel, way: Way)? {
        guard case .name(let words) = formula.node, let word = words.last else { return nil }
        let kind = words.count == 2 ? try self.kind(words.first) : scope.kind
        guard let field = kinds[kind].fields.first(where: { $0.name == word.text }),
            let found = words.count == 2 ? wayIfAny(to: kind, from: scope) : .here
        else { return nil }
        return (field, kinds[kind].base == nil ? found : found.toMember)
    }
}
