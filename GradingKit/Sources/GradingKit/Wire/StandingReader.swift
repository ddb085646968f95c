/// Makes a standing of what a scheme in a process of its own answered.
struct StandingReader {
    let rules: CompiledScheme
    let scheme: SchemeIdentifier
    let tree: RecordTree

    /// Reads a standing: what the answer says of the record, of every entry that has anything to be said of, and of
    /// nothing else.
    func standing(_ wire: WireValue) throws(SchemeFailure) -> Standing {
        let record = tree.body
        var own: [String: WireValue] = [:]
        for (name, value) in wire["entries"].isNull ? [] : try wire["entries"].object() { own[name] = value }
        var found = Found(places: VerdictPlaces(of: record, by: rules))
        for (index, node) in record.nodes.enumerated() {
            let kind = rules.kinds[node.kind]
            if index == 0 {
                try read(kind, wire, of: index, into: &found)
                continue
            }
            guard kind.isShown else { continue }
            guard let own = own[record.ids[index].text] else {
                throw SchemeFailure("the answer says nothing of the entry \(record.ids[index])")
            }
            try read(kind, own, of: index, into: &found)
        }
        let families = try families(wire["figures"], &found)
        return Standing(
            scheme: scheme, rules: rules, record: record, places: found.places, current: found.current,
            floor: found.floor, ceiling: found.ceiling, families: families.map(\.figure),
            familyTraces: families.compactMap { family in family.trace.map { (family.figure.name, $0) } },
            decided: found.decided, warnings: try warnings(wire["warnings"]),
            selection: found.explained.isEmpty ? .none : .named(found.explained), shownAs: found.shownAs,
            steps: try wire["steps"].optional { steps throws(SchemeFailure) in try steps.integer() } ?? 0)
    }

    /// What has been read so far.
    private struct Found {
        let places: VerdictPlaces
        var current: [Verdict]
        var floor: [Verdict]
        var ceiling: [Verdict]
        var decided: [(index: Int, outcome: StandingOutcome)] = []
        var shownAs: [Int: Presentation] = [:]
        var explained: Set<String> = []

        init(places: VerdictPlaces) {
            self.places = places
            current = Array(repeating: Verdict(), count: places.count)
            (floor, ceiling) = (current, current)
        }
    }

    private func read(
        _ kind: CompiledKind, _ wire: WireValue, of index: Int, into found: inout Found
    ) throws(SchemeFailure) {
        for slot in kind.shown {
            let own = wire["figures"][slot.name]
            let figure = try figure(own, slot.name, slot.presentation)
            let trace = try trace(own["trace"], of: figure)
            let place = found.places(slot.place, of: index)
            found.current[place] = Verdict(Quantity(figure.current, trace: trace))
            found.floor[place] = Verdict(Quantity(figure.floor, trace: nil))
            found.ceiling[place] = Verdict(Quantity(figure.ceiling, trace: nil))
            if !own["band"].isNull || !own["text"].isNull { found.shownAs[place] = figure.presentation }
            if trace != nil { found.explained.insert(slot.name) }
        }
        for outcome in kind.outcomes {
            let own = wire["outcomes"][outcome.name]
            // An entry may have no such outcome.
            if own.isNull { continue }
            let isFinal = try own["final"].flag()
            let outcome = StandingOutcome(name: outcome.name, decision: try decision(own), isFinal: isFinal)
            found.decided.append((index, outcome))
        }
    }

    /// The figures whose names begin with a family's.
    private func families(
        _ wire: WireValue, _ found: inout Found
    ) throws(SchemeFailure) -> [(figure: StandingFigure, trace: Trace?)] {
        var members: [(figure: StandingFigure, trace: Trace?)] = []
        guard !rules.families.isEmpty else { return members }
        for (name, value) in try wire.object() {
            guard let family = rules.families.first(where: { name.hasPrefix($0.figure.name + ":") }) else { continue }
            let figure = try figure(value, name, family.presentation)
            members.append((figure, try trace(value["trace"], of: figure)))
            if members.last?.trace != nil { found.explained.insert(name) }
        }
        return members
    }

    /// Reads one figure.
    func figure(
        _ wire: WireValue, _ name: String, _ presentation: Presentation
    ) throws(SchemeFailure) -> StandingFigure {
        let current = try Quantity.State(value: wire["exact"], reason: wire["reason"])
        // An end that does not follow from the current value is undefined where the answer names none.
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

    /// Reads an explanation, which must give the figure.
    private func trace(_ wire: WireValue, of figure: StandingFigure) throws(SchemeFailure) -> Trace? {
        guard !wire.isNull else { return nil }
        let trace = try Trace(wire)
        guard trace.reevaluated() == figure.current else {
            throw SchemeFailure("the explanation of \(figure.name) does not give its value")
        }
        return trace
    }

    /// Reads a decision.
    func decision(_ wire: WireValue) throws(SchemeFailure) -> Decision {
        let reasons = try wire["reasons"].optional { list throws(SchemeFailure) in
            try list.map { reason throws(SchemeFailure) in try DecisionReason(reason) }
        }
        return Decision(try wire["state"].word(Decision.State.self), because: reasons ?? [])
    }

    private func warnings(_ wire: WireValue) throws(SchemeFailure) -> [DecisionReason] {
        guard !wire.isNull else { return [] }
        return try wire.map { warning throws(SchemeFailure) in try DecisionReason(warning) }
    }
}
