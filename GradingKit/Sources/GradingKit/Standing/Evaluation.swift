/// The three runs of a standing: current, floor and ceiling.
struct Evaluation {
    private let rules: CompiledScheme
    private let scheme: SchemeIdentifier
    private let record: RecordBody
    private let current: Run
    /// The runs for floor and ceiling; created when a result first depends on an assumption.
    private var bounds: (floor: Run, ceiling: Run)?

    /// Why the record gets no standing: a figure outgrew its bounds, or a run took too long.
    var refusal: FaultCode? { current.refusal ?? bounds.flatMap { $0.floor.refusal ?? $0.ceiling.refusal } }

    /// The cost of the runs, in steps.
    var steps: Int { current.steps + (bounds.map { $0.floor.steps + $0.ceiling.steps } ?? 0) }

    /// - Parameter mostSteps: the most steps of each run.
    init(of tree: RecordTree, by rules: CompiledScheme, scheme: SchemeIdentifier, within mostSteps: Int) {
        self.rules = rules
        self.scheme = scheme
        current = Run(tree.body, by: rules, under: .current, within: mostSteps)
        record = current.record
    }

    private mutating func floorAndCeiling() -> (floor: Run, ceiling: Run) {
        if let bounds { return bounds }
        let made = (
            floor: Run(record, by: rules, under: .floor, besides: current),
            ceiling: Run(record, by: rules, under: .ceiling, besides: current)
        )
        bounds = made
        return made
    }

    mutating func standing() -> Standing {
        for index in record.nodes.indices { judge(index) }
        let families = families()
        let replaced = replaced()
        let outcomes = outcomes()
        let warnings = warnings(besides: replaced, outcomes)
        return Standing(
            scheme: scheme, rules: rules, record: record, places: current.places, current: current.verdicts,
            floor: bounds?.floor.verdicts ?? [], ceiling: bounds?.ceiling.verdicts ?? [], families: families,
            decided: outcomes, warnings: warnings, computed: replaced, steps: steps)
    }

    /// Computes every shown figure of an entry, under all assumptions where these matter.
    private mutating func judge(_ index: Int) {
        rules.forEachShown(in: record.nodes[index].kind) { slot, hasRange in
            _ = current.figure(slot, of: index)
            if hasRange, !current.isSettled(slot, of: index) {
                let (floor, ceiling) = floorAndCeiling()
                _ = floor.figure(slot, of: index)
                _ = ceiling.figure(slot, of: index)
            }
        }
    }

    /// Returns the figures that would be computed in place of those given by people.
    private mutating func replaced() -> [Int: GivenFigure] {
        var found: [Int: GivenFigure] = [:]
        guard !record.extras.isEmpty else { return found }
        for index in record.nodes.indices {
            guard let given = record.givenByPeople(to: index) else { continue }
            for slot in rules.kinds[record.nodes[index].kind].shown where given.figures[slot.name] != nil {
                let (floor, ceiling) = floorAndCeiling()
                found[current.places(slot.place, of: index)] = GivenFigure(
                    current.computed(slot.place, of: index), floor: floor.computed(slot.place, of: index),
                    ceiling: ceiling.computed(slot.place, of: index))
            }
        }
        return found
    }

    private mutating func families() -> [FamilyMember] {
        var figures: [FamilyMember] = []
        for family in rules.families {
            let kind = rules.index(of: family.kind)
            for index in record.entryNumbers where record.nodes[index].kind == kind {
                add(family, of: index, to: &figures)
            }
        }
        guard let groups = record.groups else { return figures }
        for index in groups.entryCount..<record.nodes.count {
            for slot in rules.kinds[record.nodes[index].kind].shown { figures.append(member(slot, of: index)) }
        }
        return figures
    }

    private mutating func add(_ family: CompiledFamily, of index: Int, to figures: inout [FamilyMember]) {
        let (members, isUnsettled) = current.noting { current.members(of: family, at: index) }
        func states(_ run: Run) -> [String: Quantity.State] {
            Dictionary(run.members(of: family, at: index).map { ($0.name, $0.quantity.state) }) { first, _ in first }
        }
        let bounds = isUnsettled && family.presentation.hasRange ? floorAndCeiling() : nil
        let (floor, ceiling) = (bounds.map { states($0.floor) }, bounds.map { states($0.ceiling) })
        for (name, quantity) in members {
            figures.append(
                FamilyMember(
                    index: index,
                    figure: StandingFigure(
                        name: name, current: quantity.state, floor: floor?[name] ?? quantity.state,
                        ceiling: ceiling?[name] ?? quantity.state, presentation: family.presentation)))
        }
    }

    /// A figure of a group, computed earlier.
    private func member(_ slot: CompiledKind.ShownFigure, of group: Int) -> FamilyMember {
        let now = current.figure(slot.place, of: group).state
        let isFixed = !slot.hasRange || current.isSettled(slot.place, of: group)
        let (name, owner) = current.place(of: slot.name, at: group)
        return FamilyMember(
            index: owner,
            figure: StandingFigure(
                name: name, current: now,
                floor: isFixed ? now : bounds?.floor.figure(slot.place, of: group).state ?? now,
                ceiling: isFixed ? now : bounds?.ceiling.figure(slot.place, of: group).state ?? now,
                presentation: slot.presentation))
    }

    private mutating func outcomes() -> [(index: Int, outcome: StandingOutcome)] {
        var decided: [(index: Int, outcome: StandingOutcome)] = []
        for index in record.nodes.indices where rules.decidedKinds[record.nodes[index].kind] {
            for (slot, outcome) in rules.kinds[record.nodes[index].kind].outcomes.enumerated() {
                guard current.hasTime else { return decided }
                if let outcome = decide(outcome, OutcomePlace(index: index, slot: slot)) {
                    decided.append((current.place(of: outcome.name, at: index).index, outcome))
                }
            }
        }
        return decided
    }

    /// An outcome is final if the worst and the best case agree, and it is not pending in both.
    private mutating func decide(_ outcome: CompiledOutcome, _ place: OutcomePlace) -> StandingOutcome? {
        let index = place.index
        func decide(_ run: Run) -> Decision? { run.decided(place) ?? run.decide(outcome, of: index) }
        let (found, isUnsettled) = current.noting { decide(current) }
        guard let decision = found else { return nil }
        var isFinal = decision.state != .pending
        if isUnsettled {
            let (floor, ceiling) = floorAndCeiling()
            let (worst, best) = (decide(floor) ?? Decision(.pending), decide(ceiling) ?? Decision(.pending))
            isFinal = worst.state == best.state && worst.value == best.value && worst.state != .pending
        }
        func placed(_ decision: Decision) -> Decision { index == 0 ? decision : decision.at(record.ids[index]) }
        var standing = StandingOutcome(
            name: current.place(of: outcome.name, at: index).name, decision: placed(decision), isFinal: isFinal,
            values: outcome.values)
        if let given = record.givenByPeople(to: index)?.outcomes[outcome.name] {
            standing.given = given.note
            standing.computed = current.at(index, outcome.rule).map(placed)
        }
        return standing
    }

    /// Returns the given values whose computed value has changed since. The student's view does not have the earlier
    /// computed values.
    private func outdated(
        besides figures: [Int: GivenFigure], _ outcomes: [(index: Int, outcome: StandingOutcome)]
    ) -> [DecisionReason] {
        guard !record.extras.isEmpty else { return [] }
        var found: [DecisionReason] = []
        func note(_ name: String, as member: String, of index: Int, _ then: String?, _ now: String?) {
            guard let then, let now, then != now else { return }
            found.append(
                DecisionReason(
                    .givenOutdated, at: index == 0 ? nil : record.ids[index],
                    [member: .string(name), "before": .string(then), "after": .string(now)]))
        }
        for index in record.nodes.indices {
            guard let given = record.givenByPeople(to: index) else { continue }
            for slot in rules.kinds[record.nodes[index].kind].shown {
                guard let then = given.figures[slot.name]?.computed else { continue }
                let now = figures[current.places(slot.place, of: index)]?.current.text
                note(slot.name, as: "figure", of: index, then, now)
            }
            for (owner, outcome) in outcomes where owner == index {
                guard let then = given.outcomes[outcome.name]?.computed else { continue }
                note(outcome.name, as: "outcome", of: index, then, outcome.computed?.word ?? "")
            }
        }
        return found
    }

    private func warnings(
        besides figures: [Int: GivenFigure], _ outcomes: [(index: Int, outcome: StandingOutcome)]
    ) -> [DecisionReason] {
        var sink = WarningSink()
        for (number, kind) in rules.kinds.enumerated() {
            for warner in kind.warners {
                guard current.hasTime else { return [] }
                // Warnings about a class's row belong to the class.
                for index in record.nodes.indices where record.nodes[index].kind == number && !record.isLink(index) {
                    current.at(index) { warner.warn($0, &sink) }
                }
            }
        }
        let warnings = sink.warnings + outdated(besides: figures, outcomes)
        guard warnings.count > 1 else { return warnings }
        var places: [EntryID: Int] = [:]
        for place in record.entryNumbers { places[record.ids[place]] = place }
        func place(_ warning: DecisionReason) -> Int { warning.entry.flatMap { places[$0] } ?? -1 }
        return warnings.sorted { (place($0), $0.code) < (place($1), $1.code) }
    }
}
