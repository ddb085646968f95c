/// The three runs behind a standing: current, floor and ceiling.
struct Evaluation {
    private let rules: CompiledScheme
    private let scheme: SchemeIdentifier
    private let selection: TraceSelection
    private let record: FlatRecord
    private let current: Run
    private let floor: Run
    private let ceiling: Run

    /// Whether a figure outgrew its bounds.
    var overflowed: Bool { current.overflowed || floor.overflowed || ceiling.overflowed }

    init(of tree: RecordTree, by rules: CompiledScheme, scheme: SchemeIdentifier, explaining selection: TraceSelection)
    {
        self.rules = rules
        self.scheme = scheme
        self.selection = selection
        record = FlatRecord(tree, by: rules)
        current = Run(record, by: rules, under: .current, tracing: selection != .none)
        floor = Run(record, by: rules, under: .floor, besides: current)
        ceiling = Run(record, by: rules, under: .ceiling, besides: current)
    }

    func standing() -> Standing {
        let order = record.inTreeOrder()
        let entries = order.compactMap { entry(at: $0) }
        var (figures, traces) = figures(of: 0)
        addFamilies(to: &figures, &traces)
        return Standing(
            scheme: scheme, figures: figures, entries: entries, outcomes: outcomes(of: 0),
            warnings: warnings(in: order), traces: traces, catalog: rules.catalog)
    }

    private func entry(at index: Int) -> EntryStanding? {
        let kind = rules.kinds[record.nodes[index].kind]
        guard kind.isShown else { return nil }
        let (figures, traces) = figures(of: index)
        let letter = kind.lettered.flatMap { slot in
            kind.figures[slot].presentation?.letters?.band(for: current.figure(slot, of: index))
        }
        return EntryStanding(
            entry: record.ids[index], figures: figures, isLettered: kind.lettered != nil, letter: letter,
            outcomes: outcomes(of: index), traces: traces)
    }

    private func figures(of index: Int) -> ([StandingFigure], [(figure: String, trace: Trace)]) {
        var figures: [StandingFigure] = []
        var traces: [(figure: String, trace: Trace)] = []
        for (slot, compiled) in rules.kinds[record.nodes[index].kind].figures.enumerated() {
            guard let presentation = compiled.presentation else { continue }
            let quantity = current.figure(slot, of: index)
            let isFixed = !presentation.hasRange || current.isSettled(slot, of: index)
            figures.append(
                StandingFigure(
                    name: compiled.figure.name, current: quantity.state,
                    floor: isFixed ? quantity.state : floor.figure(slot, of: index).state,
                    ceiling: isFixed ? quantity.state : ceiling.figure(slot, of: index).state,
                    presentation: presentation))
            if selection.includes(compiled.figure.name) {
                traces.append((compiled.figure.name, quantity.traceOrConstant))
            }
        }
        return (figures, traces)
    }

    private func addFamilies(
        to figures: inout [StandingFigure], _ traces: inout [(figure: String, trace: Trace)]
    ) {
        for family in rules.families {
            let (members, isUnsettled) = current.noting { current.members(of: family) }
            let bounds = (isUnsettled && family.presentation.hasRange ? [floor, ceiling] : []).map { run in
                Dictionary(run.members(of: family).map { ($0.name, $0.quantity.state) }) { first, _ in first }
            }
            for (name, quantity) in members {
                figures.append(
                    StandingFigure(
                        name: name, current: quantity.state, floor: bounds.first?[name] ?? quantity.state,
                        ceiling: bounds.last?[name] ?? quantity.state, presentation: family.presentation))
                if selection.includes(name) || selection.includes(family.figure.name) {
                    traces.append((name, quantity.traceOrConstant))
                }
            }
        }
    }

    /// An outcome is final when the worst and the best case agree on more than not knowing.
    private func outcomes(of index: Int) -> [StandingOutcome] {
        rules.kinds[record.nodes[index].kind].outcomes.map { outcome in
            func decide(_ run: Run) -> Decision { outcome.rule(GradedEntry(run: run, index: index)) }
            let (decision, isUnsettled) = current.noting { decide(current) }
            let (worst, best) =
                isUnsettled ? (decide(floor).state, decide(ceiling).state) : (decision.state, decision.state)
            return StandingOutcome(
                name: outcome.name, decision: index == 0 ? decision : decision.at(record.ids[index]),
                isFinal: worst == best && worst != .pending)
        }
    }

    private func warnings(in order: [Int]) -> [DecisionReason] {
        var sink = WarningSink()
        for index in [0] + order {
            for warner in rules.kinds[record.nodes[index].kind].warners {
                warner.warn(GradedEntry(run: current, index: index), &sink)
            }
        }
        guard sink.warnings.count > 1 else { return sink.warnings }
        var places: [EntryID: Int] = [:]
        for (place, index) in order.enumerated() { places[record.ids[index]] = place }
        func place(_ warning: DecisionReason) -> Int { warning.entry.flatMap { places[$0] } ?? -1 }
        return sink.warnings.sorted { (place($0), $0.code) < (place($1), $1.code) }
    }
}
