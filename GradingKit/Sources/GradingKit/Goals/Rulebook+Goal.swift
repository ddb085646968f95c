extension Rulebook {
    /// Returns what the open grades must be for a goal; changes nothing.
    ///
    /// Several unknowns get the same fraction of the way from their worst to their best grade, each on its own grid.
    /// The answer is the least fraction that suffices, confirmed by evaluating the record with those grades. Open
    /// grades that are not unknowns count as they do now.
    ///
    /// - Throws: `EntryNotFound` for an entry that the record does not have; `FaultList` at `/figure`, `/target` or
    ///   `/unknowns`, or with `goal_too_large` before a search that would take too long.
    public func answer(to goal: Goal, in tree: RecordTree) throws -> GoalAnswer {
        if let remote = compiled.remote { return try remote.answer(to: goal, in: tree, by: compiled, scheme: scheme) }
        let current = Run(tree.body, by: compiled, under: .current)
        let record = current.record
        let index = try record.number(of: goal.entry ?? .record)
        let aim = try Aim(goal, at: index, of: current)
        let (unknowns, steps) = try unknowns(of: goal, aim, at: index, in: record)
        func run(_ grades: [Exact]) -> Run {
            let substitutes = Dictionary(zip(unknowns.map(\.leaf), grades)) { first, _ in first }
            return Run(record, by: compiled, under: .current, substituting: substitutes)
        }
        let ranges = unknowns.map { unknown in
            GradeRange(
                worst: unknown.range.worst, best: unknown.range.best, step: goal.grid ?? unknown.range.step,
                letters: unknown.range.letters)
        }
        let search = GoalSearch(ranges: ranges, holds: { aim.holds(in: run($0)) })
        guard search.greatestTrialCount * (steps + ranges.count) <= greatestGoalSteps else {
            throw FaultList([Fault(.goalTooLarge)])
        }
        let finding = search()
        let ceiling = aim.outlook(in: run(ranges.map(\.best)))
        func answer(
            _ status: GoalAnswer.Status, _ reached: GoalAnswer.Outlook, _ grades: [Exact] = []
        ) -> GoalAnswer {
            GoalAnswer(
                status: status,
                inputs: zip(unknowns, grades).map { unknown, grade in
                    GoalAnswer.Input(leaf: unknown.leaf, value: grade, letter: unknown.range.letter(of: grade))
                },
                reached: reached, ceiling: ceiling, buffer: aim.buffer(in: current), catalog: catalog)
        }
        switch finding {
        case .alreadySecured: return answer(.alreadySecured, aim.outlook(in: run(ranges.map(\.worst))))
        case .outOfReach: return answer(.outOfReach, ceiling)
        case .least(let grades): return answer(.reachable, aim.outlook(in: run(grades)), grades)
        }
    }

    /// Returns the open leaves that count in the goal's figure or outcome, in tree order, and the steps that each trial
    /// of the search takes.
    ///
    /// Only a scheme's formulas know which field of an entry is its grade, and when an empty category stands for one.
    /// The figure is therefore computed once at worst and once at best; the leaves that had to be assumed are open, and
    /// the number of steps of one run predicts that of each trial.
    private func unknowns(
        of goal: Goal, _ aim: Aim, at index: Int, in record: RecordBody
    ) throws -> (leaves: [(leaf: Leaf, range: GradeRange)], steps: Int) {
        let named = goal.unknowns.map { Set($0.map(\.entry)) } ?? []
        let runs = [Assumption.floor, .ceiling].map { assumption in
            Run(record, by: compiled, under: assumption, recording: TraceRecording(within: traceLimits), opening: named)
        }
        var openings: [Leaf: GradeRange] = [:]
        for run in runs {
            let counting = aim.leaves(in: run)
            // Only the whole explanation says what counts.
            if run.recording?.isFull == true || run.refusal == .tooMuchWork { throw FaultList([Fault(.goalTooLarge)]) }
            openings.merge(run.openings.filter { counting?.contains($0.key) ?? true }) { first, _ in first }
        }
        var places: [EntryID: Int] = [:]
        for id in record.ids(under: 0) { places[id] = places.count }
        if let unknowns = goal.unknowns { try check(unknowns, against: openings, among: places) }
        let isWanted: (Leaf) -> Bool
        if let unknowns = goal.unknowns {
            let wanted = Set(unknowns)
            isWanted = { leaf in
                wanted.contains(Goal.Unknown(entry: leaf.entry))
                    || wanted.contains(Goal.Unknown(entry: leaf.entry, field: leaf.field))
            }
        } else {
            let inside = Set(record.ids(under: index))
            isWanted = { leaf in inside.contains(leaf.entry) }
        }
        let leaves = openings.filter { isWanted($0.key) }
            .map { (leaf: $0.key, range: $0.value) }
            .sorted { left, right in
                (places[left.leaf.entry] ?? 0, left.leaf.field ?? "")
                    < (places[right.leaf.entry] ?? 0, right.leaf.field ?? "")
            }
        return (leaves, runs.map(\.steps).max() ?? 0)
    }

    private func check(
        _ unknowns: [Goal.Unknown], against openings: [Leaf: GradeRange], among places: [EntryID: Int]
    ) throws {
        let open = Set(openings.keys.map(\.entry))
        var faults = FaultList()
        for (place, unknown) in unknowns.enumerated() {
            guard places[unknown.entry] != nil else { throw EntryNotFound(entry: unknown.entry.text) }
            let leaf = unknown.field.map { Leaf(entry: unknown.entry, field: $0) }
            if !(leaf.map { openings[$0] != nil } ?? open.contains(unknown.entry)) {
                faults.add(.notAnUnknown, at: "/unknowns" + JSONPointer.step(place))
            }
        }
        try faults.check()
    }
}

extension RecordBody {
    /// Returns the number of an entry.
    fileprivate func number(of id: EntryID) throws(EntryNotFound) -> Int {
        guard let index = index(of: id) else { throw EntryNotFound(entry: id.text) }
        return index
    }

    /// Returns the identifiers of an entry and everything in it, in tree order.
    fileprivate func ids(under index: Int) -> Slice<EntryIDs> { ids[index..<nodes[index].end] }
}
