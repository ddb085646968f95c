import GradingKit

/// Looks up names.
extension Checker {
    /// The way from a scope to the enclosing entry of a kind.
    private func way(to kind: Int, from scope: Scope) -> Way? {
        let own = way(up: scope.own, to: kind, isOwn: scope.isInner)
        if kind == scope.kind, !(scope.isInner && own != nil) { return .here }
        // Among the entries of a fold, the kind's own name means the enclosing entry.
        if kind != scope.kind, let way = way(up: scope.kind, to: kind, isOwn: false) { return way }
        return own
    }

    /// The way from an entry of a kind to the enclosing entry of another kind, or to its group.
    private func way(up kind: Int, to outer: Int, isOwn: Bool) -> Way? {
        var (place, steps): (Int?, Int) = (kind, 0)
        while let here = place {
            if here == outer { return Way(isOwn: isOwn, steps: steps) }
            if kinds[outer].base == here {
                return Way(isOwn: isOwn, steps: steps, group: Kind(kinds[outer].name))
            }
            (place, steps) = (kinds[here].parent, steps + 1)
        }
        return nil
    }

    /// The way to the enclosing entry of a kind; `nil` if there is none.
    func wayIfAny(to kind: Int, from scope: Scope) -> Way? { way(to: kind, from: scope) }

    func checkName(_ words: [Formula.Word], _ scope: Scope, at range: Range<Int>) throws(Stop) -> CheckedFormula {
        guard let last = words.last else { throw Stop() }
        if words.count == 1 {
            if let value = parameters[last.text] { return .number(value) }
            if kinds[scope.kind].has(last.text) { return try member(last, of: scope.kind, .here, scope) }
            if let setting = settings[last.text] {
                note(last, as: .setting)
                if case .number(_, let dimension) = setting.value { noteAmount(in: dimension) }
                return Self.value(of: setting, named: last.text)
            }
            if let state = try state(last.text, .here, scope.kind, scope, at: last.range) { return .condition(state) }
            if tables[last.text] != nil { throw stop(.tableNeedsKeys, last.range, ["name": .string(last.text)]) }
            throw unknown(last, in: scope)
        }
        guard words.count == 2, let first = words.first else {
            throw stop(.leftOver, range, ["found": .string(last.text)])
        }
        let kind = try kind(first)
        try checkGroup(kind, at: first.range)
        guard let way = way(to: kind, from: scope) else {
            if kinds[kind].isCopy {
                guard kinds[kind].has(last.text) else { throw unknownMember(last, of: kind) }
                return try taken(last, from: kind, member(last, of: kind, .here, scope))
            }
            throw stop(
                .notAround, first.range, ["name": .string(first.text), "kind": .string(kinds[scope.kind].name)])
        }
        // In a fold, a `let` refers to the current entry. It cannot refer to the enclosing one, and would compare the
        // current entry with itself.
        if kind == scope.kind, kind != 0, !scope.isInner, path.last?.key.hasPrefix("let ") ?? false {
            throw stop(.outerInLet, range, ["name": .string(last.text), "kind": .string(first.text)])
        }
        if kinds[kind].has(last.text) { return try member(last, of: kind, way, scope) }
        if let state = try state(last.text, way, kind, scope, at: last.range) { return .condition(state) }
        throw unknownMember(last, of: kind)
    }

    private func unknownMember(_ word: Formula.Word, of kind: Int) -> Stop {
        faults.add(
            .unknownName, guessing: .unknownNameGuess, word.text, among: kinds[kind].names, word.range,
            ["kind": .string(kinds[kind].name)])
        return Stop()
    }

    private func unknown(_ word: Formula.Word, in scope: Scope) -> Stop {
        let here = kinds[scope.kind]
        let around = kinds.indices.filter { kinds[$0].has(word.text) }
        var arguments: JSONObject = ["name": .string(word.text), "kind": .string(here.name)]
        if let owner = around.first(where: { way(to: $0, from: scope) != nil }) {
            arguments["owner"] = .string(kinds[owner].name)
            faults.add(.nameElsewhere, word.range, arguments, fix: "\(kinds[owner].name).\(word.text)")
        } else if let owner = around.first {
            arguments["owner"] = .string(kinds[owner].name)
            faults.add(.nameOutOfReach, word.range, arguments)
        } else {
            faults.add(
                .unknownName, guessing: .unknownNameGuess, word.text, among: here.names + settings.keys.sorted(),
                word.range, ["kind": .string(here.name)])
        }
        return Stop()
    }

    private func member(
        _ word: Formula.Word, of kind: Int, _ way: Way, _ scope: Scope
    ) throws(Stop) -> CheckedFormula {
        if kinds[kind].has(word.text) { note(word, as: .member(of: kinds[kind].name)) }
        if let field = kinds[kind].fields.first(where: { $0.name == word.text }) {
            noteAmount(in: field, among: kinds[kind].fields)
            return Self.value(of: field, kinds[kind].base == nil ? way : way.toMember)
        }
        if let place = kinds[kind].abbreviations[word.text] {
            return try abbreviation(place, in: kind, at: word.range, scope, way)
        }
        if let place = kinds[kind].figures[word.text] {
            if scope.isWithin, way.steps == 0, !way.isOwn, let own = try figureWithin(place) { return .number(own) }
            return .number(try figure(place, way, at: word.range))
        }
        if let place = kinds[kind].taken[word.text] { return try taken(place, way) }
        if let place = kinds[kind].outcomes[word.text] {
            // Decided once for each entry, however often it is mentioned.
            let (model, name) = (try outcome(place, at: word.range), document.outcomes[place].heading.name.text)
            countsPoints = countsPoints || model.countsPoints
            height = max(height, model.height + Self.heightOfName)
            return .outcome(
                OutcomeReading(
                    code: way.code { $0.decision(name) }, values: model.values, trends: model.trends, name: name))
        }
        throw unknown(word, in: scope)
    }

    /// Notes a number that has the same unit as points and maxima of the same entry.
    private func noteAmount(in field: FieldModel, among fields: [FieldModel]) {
        guard case .number(let dimension, _, _, _) = field.content, field.shape.bestGradeField == nil else { return }
        if !fields.contains(where: { $0.shape.bestGradeField == field.name }) { noteAmount(in: dimension) }
    }

    private static func value(of setting: SettingModel, named name: String) -> CheckedFormula {
        switch setting.value {
        case .number(let value, let dimension): .number(NumberValue(constant: value, dimension))
        case .flag(let flag): .condition(ConditionValue(.constant(Truth(flag))))
        case .choice(let choice, let choices):
            .text(TextValue(code: .constant(choice), choices: choices, name: name))
        }
    }

    private static func value(of field: FieldModel, _ way: Way) -> CheckedFormula {
        switch field.content {
        case .number(let dimension, let range, let scale, let isGrade):
            let key = Field<Exact>(field.name)
            let trend: Trend = isGrade ? scale?.trend ?? .rises : .still
            return .number(NumberValue(way.code { $0[key] }, dimension, range, trend))
        case .text:
            let key = Field<String>(field.name)
            return .text(TextValue(code: way.code { $0[key] }, name: field.name))
        case .choice(let choices):
            let key = Field<String>(field.name)
            return .text(TextValue(code: way.code { $0[key] }, choices: choices, name: field.name))
        case .flag:
            let key = Field<Bool>(field.name)
            return .condition(ConditionValue(way.code { Truth($0[key]) }))
        }
    }

    /// A property of the entry's status, if no field has that name.
    private func state(
        _ name: String, _ way: Way, _ kind: Int, _ scope: Scope, at range: Range<Int>
    ) throws(Stop) -> ConditionValue? {
        let test: @Sendable (GradedEntry) -> Bool
        switch name {
        case "counts": test = { $0.statusRule.average != .leaves }
        case "attempted": test = { $0.statusRule.attempted }
        case "earned": test = { $0.statusRule.earned }
        case "in_gpa": test = { $0.statusRule.inGPA }
        case "pending": test = { $0.awaitsGrade }
        case "awaiting":
            try countWork(looks(inside: way, kind, scope), at: range)
            test = { $0.awaitsGradeInside }
        default: return nil
        }
        return ConditionValue(way.code { Truth(test($0)) })
    }

    /// A named formula, written in place. Its names keep the meaning that they have at its declaration.
    func abbreviation(
        _ place: Int, in kind: Int, at range: Range<Int>, _ scope: Scope, _ way: Way = .here
    ) throws(Stop) -> CheckedFormula {
        let item = document.abbreviations[place]
        let (given, outer) = (arguments, parameters)
        arguments = []
        guard given.count == item.parameters.count else {
            throw stop(
                .argumentCount, range,
                ["name": .string(item.heading.name.text), "count": .number(String(item.parameters.count))])
        }
        parameters = Dictionary(
            zip(item.parameters.map(\.name.text), given), uniquingKeysWith: { first, _ in first })
        defer { parameters = outer }
        return try guarded("let \(place)", item.heading.name.text, at: range) { () throws(Stop) in
            var inner = Scope(kind, scale: way.steps == 0 && way.group == nil && !scope.isInner ? scope.scale : nil)
            inner.folds = scope.folds
            inner.isWithin = scope.isWithin && way.steps == 0 && !way.isOwn
            inner.visits = scope.visits
            switch try self.check(item.formula, inner) {
            case .number(let number):
                var moved = number
                if !number.code.isConstant { moved.code = way.code(number.code.closed) }
                return .number(moved)
            case .condition(let condition):
                let code = condition.code.isConstant ? condition.code : way.code(condition.code.closed)
                return .condition(
                    ConditionValue(code, why: way.code(condition.why.closed), condition.trend))
            case .text(var text):
                text = TextValue(
                    code: text.code.isConstant ? text.code : way.code(text.code.closed), choices: text.choices,
                    name: text.name, literal: text.literal, trend: text.trend)
                return .text(text)
            case .outcome(let outcome):
                return .outcome(
                    OutcomeReading(
                        code: way.code(outcome.code.closed), values: outcome.values, trends: outcome.trends,
                        name: outcome.name, isTaken: outcome.isTaken))
            }
        }
    }

    /// Checks something that may depend on itself.
    func guarded<Result>(
        _ key: String, _ name: String, at range: Range<Int>, _ work: () throws(Stop) -> Result
    ) throws(Stop) -> Result {
        if let start = path.firstIndex(where: { $0.key == key }) {
            let way = path[start...].map(\.name).dropFirst() + [name]
            throw stop(
                .circular, range,
                ["name": .string(name), "way": .string(way.prefix(8).map { "“\($0)”" }.joined(separator: ", "))])
        }
        path.append((key, name))
        defer { path.removeLast() }
        return try work()
    }

    // MARK: Units

    /// A unit in a formula, in which something must be given.
    func dimension(_ unit: Formula.Factor.Unit) throws(Stop) -> Dimension {
        func one(_ word: Formula.Word) throws(Stop) -> Dimension {
            if word.text == "plain" || units.contains(word.text) { return dimension(word.text) }
            faults.add(.unknownUnit, guessing: .unknownUnitGuess, word.text, among: units.sorted(), word.range)
            throw Stop()
        }
        let over = try one(unit.over)
        guard let per = unit.per else { return over }
        return over / (try one(per))
    }
}
