/// The three runs behind a standing: current, floor and ceiling.
struct Evaluation {
    private let rules: CompiledScheme
    private let scheme: SchemeIdentifier
    private let selection: TraceSelection
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
        current = Run(tree, by: rules, under: .current, tracing: selection != .none)
        floor = Run(tree, by: rules, under: .floor, besides: current)
        ceiling = Run(tree, by: rules, under: .ceiling, besides: current)
    }

    mutating func standing() -> Standing {
        let entries = order().compactMap { entry(at: $0) }
        let (figures, traces) = figures(of: 0)
        let (familyFigures, familyTraces) = families()
        return Standing(
            scheme: scheme, figures: figures + familyFigures, entries: entries, outcomes: outcomes(of: 0),
            warnings: warnings(), traces: traces + familyTraces, catalog: rules.catalog)
    }

    /// Indices in tree order, parents before children, without the record.
    private func order() -> [Int] {
        var order: [Int] = []
        var stack = Array(current.flats[0].children.reversed())
        while let index = stack.popLast() {
            order.append(index)
            stack.append(contentsOf: current.flats[index].children.reversed())
        }
        return order
    }

    private func entry(at index: Int) -> EntryStanding? {
        let flat = current.flats[index]
        let compiled = rules.figures[flat.kind]
        guard compiled.contains(where: { $0.presentation != nil }) || !rules.outcomes[flat.kind].isEmpty else {
            return nil
        }
        let (figures, traces) = figures(of: index)
        let lettered = compiled.firstIndex { $0.presentation?.letters != nil }
        let letter = lettered.flatMap { slot in
            compiled[slot].presentation?.letters?.band(for: current.figure(slot, of: index))
        }
        return EntryStanding(
            entry: flat.id, figures: figures, isLettered: lettered != nil, letter: letter,
            outcomes: outcomes(of: index), traces: traces)
    }

    private func figures(of index: Int) -> ([StandingFigure], [(figure: String, trace: Trace)]) {
        var figures: [StandingFigure] = []
        var traces: [(figure: String, trace: Trace)] = []
        for (slot, compiled) in rules.figures[current.flats[index].kind].enumerated() {
            guard let presentation = compiled.presentation else { continue }
            let quantity = current.figure(slot, of: index)
            let hasRange = presentation.hasRange
            figures.append(
                StandingFigure(
                    name: compiled.figure.name, current: quantity.state,
                    floor: hasRange ? floor.figure(slot, of: index).state : quantity.state,
                    ceiling: hasRange ? ceiling.figure(slot, of: index).state : quantity.state,
                    presentation: presentation))
            if selection.includes(compiled.figure.name) {
                traces.append((compiled.figure.name, quantity.traceOrConstant))
            }
        }
        return (figures, traces)
    }

    private func families() -> ([StandingFigure], [(figure: String, trace: Trace)]) {
        var figures: [StandingFigure] = []
        var traces: [(figure: String, trace: Trace)] = []
        for family in rules.families {
            let bounds = [floor, ceiling].map { run in
                Dictionary(run.members(of: family).map { ($0.name, $0.quantity.state) }) { first, _ in first }
            }
            for (name, quantity) in current.members(of: family) {
                figures.append(
                    StandingFigure(
                        name: name, current: quantity.state, floor: bounds[0][name] ?? quantity.state,
                        ceiling: bounds[1][name] ?? quantity.state, presentation: family.presentation))
                if selection.includes(name) || selection.includes(family.figure.name) {
                    traces.append((name, quantity.traceOrConstant))
                }
            }
        }
        return (figures, traces)
    }

    /// An outcome is final when the worst and the best case agree on more than not knowing.
    private func outcomes(of index: Int) -> [StandingOutcome] {
        rules.outcomes[current.flats[index].kind].map { outcome in
            let decisions = [current, floor, ceiling].map { run in
                let decision = outcome.rule(GradedEntry(run: run, index: index))
                return index == 0 ? decision : decision.at(current.flats[index].id)
            }
            let isFinal = decisions[1].state == decisions[2].state && decisions[1].state != .pending
            return StandingOutcome(name: outcome.name, decision: decisions[0], isFinal: isFinal)
        }
    }

    private func warnings() -> [DecisionReason] {
        var sink = WarningSink()
        for index in current.flats.indices {
            for warner in rules.warners[current.flats[index].kind] {
                warner.warn(GradedEntry(run: current, index: index), &sink)
            }
        }
        guard sink.warnings.count > 1 else { return sink.warnings }
        var places: [EntryID: Int] = [:]
        for (place, index) in order().enumerated() { places[current.flats[index].id] = place }
        func place(_ warning: DecisionReason) -> Int { warning.entry.flatMap { places[$0] } ?? -1 }
        return sink.warnings.sorted { (place($0), $0.code) < (place($1), $1.code) }
    }
}
