import GradingKit

/// Checks figures and outcomes, each once.
extension Checker {
    /// How much deeper computing nests at the mention of a figure or outcome, besides its own formula.
    static let heightOfName = 4

    /// A figure as other formulas see it.
    func figure(_ place: Int, _ way: Way, at range: Range<Int>) throws(Stop) -> NumberValue {
        let model = try figure(place, at: range)
        let key = Figure(document.figures[place].heading.name.text)
        var value = NumberValue(way.code { $0.figure(key) }, model.dimension, model.range, model.trend)
        value.rule = model.presentation?.rule
        height = max(height, model.height + Self.heightOfName)
        countsPoints = countsPoints || model.countsPoints
        return value
    }

    /// A figure that is being checked, as its own formula sees it for entries inside; `nil` for another figure.
    ///
    /// It is assumed to behave as its scale promises. This is verified once its formula is known.
    func figureWithin(_ place: Int) throws(Stop) -> NumberValue? {
        guard path.contains(where: { $0.key == "figure \(place)" }) else { return nil }
        let figure = document.figures[place]
        let (key, dimension) = (Figure(figure.heading.name.text), dimension(figure.unit))
        figuresWithin.insert(place)
        var value = NumberValue(.one { $0.figure(key) }, dimension, .any, assumedTrend(of: figure))
        if let name = figure.shownBy {
            var rule = try rounding(name)
            rule.better = scale(of: dimension)?.better ?? .higher
            value.rule = rule
        }
        return value
    }

    private func assumedTrend(of figure: RegulationDocument.Figure) -> Trend {
        figure.hasRange ? scale(of: dimension(figure.unit))?.trend ?? .rises : .either
    }

    @discardableResult
    func figure(_ place: Int, at range: Range<Int>? = nil) throws(Stop) -> FigureModel {
        if let known = figures[place] {
            // Its own faults are reported at its declaration.
            guard let known else { throw Stop() }
            return known
        }
        let figure = document.figures[place]
        let name = figure.heading.name
        let outer = (size, deepest, height, culprit, countsPoints)
        defer { (size, deepest, height, culprit, countsPoints) = outer }
        begin()
        countsPoints = false
        do throws(Stop) {
            let model = try guarded("figure \(place)", name.text, at: range ?? name.range) { () throws(Stop) in
                try self.model(of: figure, at: place)
            }
            figures[place] = .some(model)
            return model
        } catch {
            figures[place] = .some(nil)
            throw error
        }
    }

    private func model(of figure: RegulationDocument.Figure, at place: Int) throws(Stop) -> FigureModel {
        let kind = try kind(figure.kind)
        try checkGroup(kind, at: figure.heading.name.range)
        let dimension = dimension(figure.unit)
        let scale = scale(of: dimension)
        let value = try number(figure.formula, root(kind, scale: scale)).beside(dimension)
        if let found = value.dimension, found != dimension {
            let arguments: JSONObject = ["unit": Self.named(dimension), "found": Self.named(found)]
            // A unit that occurs nowhere else and resembles another is probably a typing error.
            if let unit = figure.unit, unit.per == nil, let name = found.single,
                Spelling.nearest(to: unit.over.text, among: [name]) != nil
            {
                faults.add(.figureUnitGuess, unit.over.range, arguments, fix: name)
                throw Stop()
            }
            throw stop(found.isPlain && scale != nil ? .figureRatio : .figureUnit, figure.formula.range, arguments)
        }
        let better = scale?.better ?? .higher
        let isLawful = value.trend == .still || value.trend == (better == .higher ? .rises : .falls)
        let usesItself = figuresWithin.contains(place)
        if !figure.isHidden || usesItself, figure.hasRange, !isLawful {
            let place = culprit ?? figure.formula.range
            let because = faults.source[place.prefix(400)].split(whereSeparator: \.isWhitespace)
            faults.add(
                .notMonotone, figure.heading.name.range,
                ["because": .string(String(because.joined(separator: " ").prefix(80)))])
        }
        let height = (height + deepest - depth) * (usesItself ? kinds[kind].levels : 1)
        if height > Self.greatestHeight { throw stop(.tooDeep, figure.heading.name.range) }
        return FigureModel(
            dimension: dimension, range: value.range,
            trend: usesItself && !figure.hasRange ? .either : value.trend,
            presentation: try presentation(of: figure, better), formula: value.code.closed, height: height,
            countsPoints: countsPoints)
    }

    private func presentation(
        of figure: RegulationDocument.Figure, _ better: Direction
    ) throws(Stop) -> Presentation? {
        guard let name = figure.shownBy else { return nil }
        var rule = try rounding(name)
        rule.better = better
        var shown = Presentation(figure.heading.label ?? Self.label(figure.heading.name.text), rule)
        if let letters = figure.letteredBy { shown = shown.lettered(by: try table(letters, figure).bands) }
        if let colours = figure.colouredBy {
            shown = shown.coloured(by: try table(colours, figure).bands, otherwise: "none")
        }
        if !figure.heading.article.isEmpty { shown = shown.citing(figure.heading.article) }
        if countsPoints || dimension(figure.unit).isCounted(in: pointUnits) { shown = shown.countingPoints() }
        return figure.hasRange ? shown : shown.withoutRange()
    }

    private func table(_ name: Formula.Word, _ figure: RegulationDocument.Figure) throws(Stop) -> BandsModel {
        let (table, unit) = (try bands(name), dimension(figure.unit))
        guard let bounds = table.dimension else { throw stop(.noBounds, name.range, ["name": .string(name.text)]) }
        guard bounds == unit else {
            throw stop(.bandsUnit, name.range, ["unit": Self.named(bounds), "found": Self.named(unit)])
        }
        return table
    }

    // MARK: Outcomes

    @discardableResult
    func outcome(_ place: Int, at range: Range<Int>? = nil) throws(Stop) -> OutcomeModel {
        if let known = outcomes[place] {
            guard let known else { throw Stop() }
            return known
        }
        let outcome = document.outcomes[place]
        let name = outcome.heading.name
        let outer = (size, deepest, height, culprit, countsPoints)
        defer { (size, deepest, height, culprit, countsPoints) = outer }
        countsPoints = false
        do throws(Stop) {
            let model = try guarded("outcome \(place)", name.text, at: range ?? name.range) { () throws(Stop) in
                try self.model(of: outcome)
            }
            outcomes[place] = .some(model)
            return model
        } catch {
            outcomes[place] = .some(nil)
            throw error
        }
    }

    private func model(of outcome: RegulationDocument.Outcome) throws(Stop) -> OutcomeModel {
        let kind = try kind(outcome.kind)
        try checkGroup(kind, at: outcome.heading.name.range)
        var scope = root(kind)
        // If a condition fails, it is computed again to find the entries at which it fails. If a formula asked for the
        // outcome too late, the outcome is decided twice.
        scope.visits *= 4
        var greatest = 0
        var (conditions, choices): ([OutcomeRule.Condition], [OutcomeRule.Choice]) = ([], [])
        var otherwise: OutcomeRule.Verdict?
        let values = try values(of: outcome)
        var verdicts: [ValueTrends.Verdict] = []
        var isWhole = true
        for clause in outcome.clauses where !faults.isFull {
            begin()
            defer { greatest = max(greatest, height + deepest - depth) }
            do throws(Stop) {
                switch clause {
                case .awaits(let formula, let code):
                    let awaited = try truth(formula, scope)
                    conditions.append(
                        OutcomeRule.Condition(awaited, try words(code, of: awaited.blamedKind ?? kind), awaits: true))
                case .needs(let formula, let code):
                    let needed = try truth(formula, scope)
                    conditions.append(
                        OutcomeRule.Condition(needed, try words(code, of: needed.blamedKind ?? kind), awaits: false))
                    // What is needed comes before every line that decides.
                    verdicts.insert(ValueTrends.Verdict(value: nil, trend: needed.trend.reversed), at: 0)
                case .when(let formula, let verdict, let code):
                    let condition = try truth(formula, scope)
                    let words = try code.map { code throws(Stop) in try self.words(code, of: kind) }
                    choices.append(OutcomeRule.Choice(condition, verdict, words))
                    verdicts.append(ValueTrends.Verdict(value: verdict.value?.text, trend: condition.trend))
                case .byHand: break
                case .otherwise(let verdict, let code):
                    otherwise = OutcomeRule.Verdict(.unmet, verdict.value?.text, try words(code, of: kind))
                }
            } catch {
                isWhole = false
            }
        }
        guard isWhole, !faults.isFull else { throw Stop() }
        checkNeeds(of: outcome)
        if !choices.isEmpty, choices.allSatisfy({ $0.verdict.state == .unmet }) {
            let name = outcome.heading.name
            faults.add(.neverMet, name.range, ["name": .string(name.text)])
        }
        if greatest > Self.greatestHeight { throw stop(.tooDeep, outcome.heading.name.range) }
        if let otherwise { verdicts.append(ValueTrends.Verdict(value: otherwise.value, trend: .still)) }
        judgesPoints = judgesPoints || countsPoints
        return OutcomeModel(
            rule: OutcomeRule(conditions: conditions, choices: choices, otherwise: otherwise), values: values,
            trends: ValueTrends(of: verdicts), height: greatest, countsPoints: countsPoints)
    }
}

/// An outcome's clauses, ready to decide.
struct OutcomeRule: Sendable {
    /// A condition that an outcome awaits or needs.
    struct Condition: Sendable {
        let test: @Sendable (GradedEntry) -> Truth
        let why: @Sendable (GradedEntry) -> [DecisionReason]
        let blamed: (@Sendable (GradedEntry) -> [GradedEntry])?
        let words: ReasonWords
        let awaits: Bool

        init(_ value: ConditionValue, _ words: ReasonWords, awaits: Bool) {
            test = value.code.closed
            why = value.why.closed
            blamed = value.blamed
            self.words = words
            self.awaits = awaits
        }

        func reasons(_ entry: GradedEntry) -> [DecisionReason] {
            blamed.map { $0(entry).map { words.reason($0, at: $0.id) } } ?? [words.reason(entry)]
        }
    }

    /// What a line decides, with its reason.
    struct Verdict: Sendable {
        let state: Decision.State
        let value: String?
        private let words: ReasonWords?

        init(_ state: Decision.State, _ value: String?, _ words: ReasonWords?) {
            self.state = state
            self.value = value
            self.words = words
        }

        func decision(_ entry: GradedEntry) -> Decision { Decision(state, value, because: words?.reason(entry)) }
    }

    /// A line that decides if its condition holds.
    struct Choice: Sendable {
        let test: @Sendable (GradedEntry) -> Truth
        let why: @Sendable (GradedEntry) -> [DecisionReason]
        let verdict: Verdict

        init(_ value: ConditionValue, _ verdict: RegulationDocument.Outcome.Verdict, _ words: ReasonWords?) {
            test = value.code.closed
            why = value.why.closed
            self.verdict = Verdict(verdict.state, verdict.value?.text, words)
        }
    }

    let conditions: [Condition]
    let choices: [Choice]
    let otherwise: Verdict?

    func decide(_ entry: GradedEntry) -> Decision {
        let decision = weigh(entry)
        // Reasons are long compared with a step, and make up most of a standing.
        _ = entry.spend(16 * decision.reasons.count)
        return decision
    }

    private func weigh(_ entry: GradedEntry) -> Decision {
        var (isPending, isUnmet) = (false, false)
        var (open, failed): ([DecisionReason], [DecisionReason]) = ([], [])
        func tell(_ reasons: [DecisionReason], in list: inout [DecisionReason]) {
            _ = entry.spend(reasons.count)
            list.tell(reasons)
        }
        for condition in conditions {
            switch condition.test(entry) {
            case .yes: break
            case .unknown:
                isPending = true
                tell(condition.why(entry), in: &open)
            case .no where condition.awaits:
                isPending = true
                tell(condition.reasons(entry), in: &open)
            case .no:
                isUnmet = true
                tell(condition.reasons(entry), in: &failed)
            }
        }
        if isPending { return .pending(because: open) }
        return isUnmet ? .unmet(because: failed) : choose(entry)
    }

    private func choose(_ entry: GradedEntry) -> Decision {
        for choice in choices {
            switch choice.test(entry) {
            case .yes: return choice.verdict.decision(entry)
            case .unknown: return .pending(because: choice.why(entry))
            case .no: break
            }
        }
        if let otherwise { return otherwise.decision(entry) }
        return choices.isEmpty ? .met : .unmet()
    }

}

extension DecisionReason {
    /// The reasons of several conditions, up to the limit.
    static func all(of parts: [Code<[DecisionReason]>]) -> Code<[DecisionReason]> {
        var open: [Code<[DecisionReason]>] = []
        for part in parts {
            if case .constant(let reasons) = part, reasons.isEmpty { continue }
            open.append(part)
        }
        guard let first = open.first else { return .constant([]) }
        if open.count == 1 { return first }
        return Code.several(open) { codes in
            { entry in
                var reasons: [DecisionReason] = []
                for code in codes where reasons.count < most { reasons.tell(code(entry)) }
                return reasons
            }
        } two: { codes in
            { entry, own in
                var reasons: [DecisionReason] = []
                for code in codes where reasons.count < most { reasons.tell(code(entry, own)) }
                return reasons
            }
        }
    }
}

extension [DecisionReason] {
    /// Adds reasons, each once and up to the limit: several conditions may wait for the same reason.
    mutating func tell(_ reasons: [DecisionReason]) {
        for reason in reasons where count < DecisionReason.most && !contains(reason) { append(reason) }
    }
}

extension Code<[DecisionReason]> {
    /// The reasons, or none if a condition holds.
    func unless(_ condition: Code<Bool>) -> Code {
        switch (self, condition) {
        case (.constant, _): return self
        case (_, .constant(let holds)): return holds ? .constant([]) : self
        default: break
        }
        if isClosed, condition.isClosed {
            let (reasons, holds) = (closed, condition.closed)
            return .one { holds($0) ? [] : reasons($0) }
        }
        let (reasons, holds) = (open, condition.open)
        return .two { holds($0, $1) ? [] : reasons($0, $1) }
    }
}

extension Range<Int> {
    /// The first bytes of the range, at most `count`.
    func prefix(_ count: Int) -> Range<Int> { lowerBound..<Swift.min(upperBound, lowerBound + count) }
}
