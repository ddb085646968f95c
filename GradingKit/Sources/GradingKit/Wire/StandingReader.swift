/// A reader of a standing from the answer of a scheme in its own process.
struct StandingReader {
    let rules: CompiledScheme
    let scheme: SchemeIdentifier
    let tree: RecordTree
    /// The figures that the standing is to explain.
    var selection = TraceSelection.none

    /// Reads a standing. The answer must cover the record and every entry with computed results, and nothing else.
    func standing(_ wire: WireValue) throws(SchemeFailure) -> Standing {
        let record = tree.body
        var own: [String: WireValue] = [:]
        for (name, value) in wire["entries"].isNull ? [] : try wire["entries"].object() { own[name] = value }
        var found = Found(places: VerdictPlaces(of: record, by: rules), traces: try TraceReader(wire))
        for (index, node) in record.nodes.enumerated() {
            let kind = rules.kinds[node.kind]
            if index == 0 {
                try read(kind, wire, of: index, into: &found)
                continue
            }
            guard kind.isShown else { continue }
            if tree.shape.kinds[node.kind].copies != nil {
                hold(kind, of: index, into: &found)
                continue
            }
            guard let own = own[record.ids[index].text] else {
                throw SchemeFailure("the answer says nothing of the entry \(record.ids[index])")
            }
            try read(kind, own, of: index, into: &found)
        }
        try found.traces.check(found.explained)
        return Standing(
            scheme: scheme, rules: rules, record: record, places: found.places, current: found.current,
            floor: found.floor, ceiling: found.ceiling, families: found.families, decided: found.decided,
            warnings: try warnings(wire["warnings"]), computed: found.computed,
            explanation: try explanation(found, record), shownAs: found.shownAs,
            steps: try wire["steps"].optional { steps throws(SchemeFailure) in try steps.integer() } ?? 0)
    }

    /// The results read so far.
    private struct Found {
        let places: VerdictPlaces
        let traces: TraceReader
        var current: [Verdict]
        var floor: [Verdict]
        var ceiling: [Verdict]
        var families: [FamilyMember] = []
        var decided: [(index: Int, outcome: StandingOutcome)] = []
        var shownAs: [Int: Presentation] = [:]
        /// The computed values that the rules have for figures of copies of earlier records: none.
        var computed: [Int: GivenFigure] = [:]
        /// The explained figures: the record's own, then those of entries.
        var explained: [(trace: Trace, figure: StandingFigure)] = []
        var roots: [Explanation.Root] = []

        init(places: VerdictPlaces, traces: TraceReader) {
            self.places = places
            self.traces = traces
            current = Array(repeating: Verdict(), count: places.count)
            (floor, ceiling) = (current, current)
        }

        /// Reads the explanation of a figure, if there is one.
        mutating func explain(_ figure: StandingFigure, of index: Int, _ wire: WireValue) throws(SchemeFailure) {
            guard !wire.isNull else { return }
            let trace = try traces.trace(wire)
            explained.append((trace, figure))
            roots.append(Explanation.Root(figure: figure.name, index: index, trace: trace))
        }
    }

    /// A copy of an earlier record keeps its own values, whatever the answer says.
    private func hold(_ kind: CompiledKind, of index: Int, into found: inout Found) {
        let given = tree.body.givenByPeople(to: index) ?? GivenValues()
        let nothing = Quantity.State.undefined(.notInEarlier)
        for slot in kind.shown {
            let place = found.places(slot.place, of: index)
            let state = given.figures[slot.name].map { Quantity.State.value($0.value) } ?? nothing
            let verdict = Verdict(Quantity(state, trace: nil))
            (found.current[place], found.floor[place], found.ceiling[place]) = (verdict, verdict, verdict)
            if given.figures[slot.name] != nil {
                found.computed[place] = GivenFigure(nothing, floor: nothing, ceiling: nothing)
            }
        }
        for outcome in kind.outcomes where !outcome.isFamily {
            let (own, id) = (given.outcomes[outcome.name], tree.body.ids[index])
            let decision =
                own.map { Decision($0.value.state, $0.value.name) }
                ?? .pending(because: DecisionReason(.notInEarlier, at: id))
            var standing = StandingOutcome(
                name: outcome.name, decision: decision, isFinal: own != nil, values: outcome.values)
            standing.given = own?.note
            found.decided.append((index, standing))
        }
    }

    private func read(
        _ kind: CompiledKind, _ wire: WireValue, of index: Int, into found: inout Found
    ) throws(SchemeFailure) {
        for slot in kind.shown {
            let own = wire["figures"][slot.name]
            let figure = try figure(own, slot.name, slot.presentation)
            try found.explain(figure, of: index, own["trace"])
            let place = found.places(slot.place, of: index)
            found.current[place] = Verdict(Quantity(figure.current, trace: nil))
            found.floor[place] = Verdict(Quantity(figure.floor, trace: nil))
            found.ceiling[place] = Verdict(Quantity(figure.ceiling, trace: nil))
            if !own["band"].isNull || !own["text"].isNull { found.shownAs[place] = figure.presentation }
        }
        let number = tree.body.nodes[index].kind
        try readFamilies(rules.families.filter { rules.index(of: $0.kind) == number }, wire, of: index, into: &found)
        for outcome in kind.outcomes where !outcome.isFamily {
            try read(outcome, outcome.name, wire["outcomes"][outcome.name], of: index, into: &found)
        }
        let families = kind.outcomes.filter(\.isFamily)
        for (name, value) in families.isEmpty || wire["outcomes"].isNull ? [] : try wire["outcomes"].object() {
            guard let family = families.first(where: { name.hasPrefix($0.name + ":") }) else { continue }
            try read(family, name, value, of: index, into: &found)
        }
    }

    private func read(
        _ outcome: CompiledOutcome, _ name: String, _ own: WireValue, of index: Int, into found: inout Found
    ) throws(SchemeFailure) {
        // An entry may lack the outcome.
        if own.isNull { return }
        let isFinal = try own["final"].flag()
        let decision = try decision(own, outcome.values)
        found.decided.append(
            (index, StandingOutcome(name: name, decision: decision, isFinal: isFinal, values: outcome.values)))
    }

    /// Reads the figures whose names begin with a family's name.
    private func readFamilies(
        _ families: [CompiledFamily], _ wire: WireValue, of index: Int, into found: inout Found
    ) throws(SchemeFailure) {
        guard !families.isEmpty, !wire["figures"].isNull else { return }
        for (name, value) in try wire["figures"].object() {
            guard let family = families.first(where: { name.hasPrefix($0.figure.name + ":") }) else { continue }
            let figure = try figure(value, name, family.presentation)
            found.families.append(FamilyMember(index: index, figure: figure))
            try found.explain(figure, of: index, value["trace"])
        }
    }

    /// Reads one figure.
    func figure(
        _ wire: WireValue, _ name: String, _ presentation: Presentation
    ) throws(SchemeFailure) -> StandingFigure {
        let current = try Quantity.State(value: wire["exact"], reason: wire["reason"])
        // If the answer omits floor or ceiling, it is undefined.
        let ends = try ["floor", "ceiling"].map { end throws(SchemeFailure) -> Quantity.State in
            guard presentation.hasRange else { return current }
            return wire[end].isNull ? .undefined(.noGrades) : .value(try wire[end].exact())
        }
        return StandingFigure(
            name: name, current: current, floor: ends[0], ceiling: ends[1],
            presentation: presentation.showing(
                band: try wire["band"].textIfAny(),
                text: try wire["text"].optional { text throws(SchemeFailure) in try text.localized() }))
    }

    /// Returns the requested explanations, in the record's order.
    private func explanation(_ found: Found, _ record: RecordBody) throws(SchemeFailure) -> Explanation? {
        guard selection != .none else { return nil }
        let asked = found.roots.filter { root in
            selection.includes(root.figure, of: record.ids[root.index])
                || rules.families.contains { family in
                    root.figure.hasPrefix(family.figure.name + ":")
                        && selection.includes(
                            root.figure, ofFamily: family.figure.name, of: record.ids[root.index])
                }
        }
        do {
            return try Explanation(asked.filter { $0.index == 0 } + asked.filter { $0.index > 0 }, in: record)
        } catch {
            throw SchemeFailure("the explanations are longer than an answer may be")
        }
    }

    /// Reads a decision, with a named value if the outcome has them.
    func decision(_ wire: WireValue, _ values: [OutcomeValue] = []) throws(SchemeFailure) -> Decision {
        let reasons = try wire["reasons"].optional { list throws(SchemeFailure) in
            try list.map { reason throws(SchemeFailure) in try DecisionReason(reason) }
        }
        let state = try wire["state"].word(Decision.State.self)
        let name = try wire["value"].textIfAny()
        guard name == nil || values.contains(where: { $0.name == name && $0.state == state }) else {
            throw wire["value"].wrong("one of the values of the outcome in that state")
        }
        return Decision(state, name, because: reasons ?? [])
    }

    private func warnings(_ wire: WireValue) throws(SchemeFailure) -> [DecisionReason] {
        guard !wire.isNull else { return [] }
        return try wire.map { warning throws(SchemeFailure) in try DecisionReason(warning) }
    }
}
