/// The figure or outcome that a goal is about, resolved in the scheme, and the bar it must reach.
struct Aim {
    enum Subject {
        case figure(Int, Presentation)
        case member(CompiledFamily, name: String)
        case outcome(CompiledOutcome)
    }

    enum Bar {
        case value(Exact, FigureRule)
        /// The band at this index of the scale, or a better one.
        case band(Int, Bands)
        case met
    }

    private let subject: Subject
    private let bar: Bar
    private let index: Int

    /// Resolves the names in a goal.
    ///
    /// - Parameter current: a run over the current record, which knows the members of families.
    /// - Throws: faults at `/figure` and `/target`.
    init(_ goal: Goal, at index: Int, of current: Run) throws(FaultList) {
        // The figure or outcome of a group is the group's.
        let (name, owner) = current.group(named: goal.figure, in: index) ?? (goal.figure, index)
        self.index = owner
        subject = try Self.subject(name, at: owner, of: current)
        bar = try Self.bar(goal.target, for: subject)
    }

    private static func subject(_ name: String, at index: Int, of run: Run) throws(FaultList) -> Subject {
        let kind = run.kind(of: index)
        let figures = kind.figures
        if let slot = figures.firstIndex(where: { $0.figure.name == name }),
            let presentation = figures[slot].presentation
        {
            return .figure(slot, presentation)
        }
        let outcomes = kind.outcomes.filter { run.decide($0, of: index) != nil }
        if let outcome = outcomes.first(where: { $0.name == name }) { return .outcome(outcome) }
        var known = figures.filter { $0.presentation != nil }.map(\.figure.name) + outcomes.map(\.name)
        for group in run.groups(in: index) {
            let kind = run.kind(of: group)
            let names = kind.shown.map(\.name) + kind.outcomes.map(\.name)
            known += names.map { run.place(of: $0, at: group).name }
        }
        let number = run.record.nodes[index].kind
        for family in run.rules.families where run.rules.index(of: family.kind) == number {
            let members = run.members(of: family, at: index).map(\.name)
            if members.contains(name) { return .member(family, name: name) }
            known += members
        }
        throw FaultList([Fault(.outOfRange, at: "/figure", .allowing(known))])
    }

    private static func bar(_ target: Goal.Target, for subject: Subject) throws(FaultList) -> Bar {
        let presentation: Presentation
        switch (subject, target) {
        case (.outcome, .named("met")): return .met
        case (.outcome, _): throw FaultList([Fault(.outOfRange, at: "/target", ["allowed": ["met"]])])
        case (.figure(_, let shown), _): presentation = shown
        case (.member(let family, _), _): presentation = family.presentation
        }
        switch target {
        case .value(let value): return .value(value, presentation.rule)
        case .named(let text):
            if let scale = presentation.scale, let place = scale.list.firstIndex(where: { $0.label == text }) {
                return .band(place, scale)
            }
            if let number = DecimalText(text) { return .value(number.value, presentation.rule) }
            guard let scale = presentation.scale else { throw FaultList([Fault(.notANumber, at: "/target")]) }
            throw FaultList([Fault(.outOfRange, at: "/target", .allowing(scale.list.map(\.label)))])
        }
    }

    /// Returns whether the goal is reached in a run.
    func holds(in run: Run) -> Bool {
        switch (subject, bar) {
        case (.outcome(let outcome), _):
            return run.decide(outcome, of: index)?.state == .met
        case (_, .value(let value, let rule)):
            return quantity(in: run).value.map { rule.reaches($0, value) } ?? false
        case (_, .band(let place, let scale)):
            guard let value = quantity(in: run).value else { return false }
            return scale.list[...place].contains { scale.rule.reaches(value, $0.from) }
                || place == scale.list.count - 1
        case (_, .met): return false
        }
    }

    /// Returns the leaves that count in a tracing run; `nil` for an outcome, whose trace does not name them.
    func leaves(in run: Run) -> Set<Leaf>? {
        guard case .outcome(let outcome) = subject else { return quantity(in: run).trace?.countingLeaves ?? [] }
        _ = run.decide(outcome, of: index)
        return nil
    }

    /// Returns the goal's outlook in a run.
    func outlook(in run: Run) -> GoalAnswer.Outlook {
        switch subject {
        case .outcome(let outcome):
            let decision = run.decide(outcome, of: index) ?? .pending(because: [])
            return .outcome(index == 0 ? decision : decision.at(run.record.ids[index]))
        case .figure(let slot, let presentation):
            let name = run.kind(of: index).figures[slot].figure.name
            return .figure(figure(run.place(of: name, at: index).name, presentation, in: run))
        case .member(let family, let name): return .figure(figure(name, family.presentation, in: run))
        }
    }

    private func figure(_ name: String, _ presentation: Presentation, in run: Run) -> StandingFigure {
        let state = quantity(in: run).state
        return StandingFigure(
            name: name, current: state, floor: state, ceiling: state, presentation: presentation.withoutRange())
    }

    /// Returns how far a run's figure lies above the bound of its band; `nil` if it has no band, or the last one, which
    /// cannot be lost.
    func buffer(in run: Run) -> Exact? {
        let scale: Bands?
        switch subject {
        case .figure(_, let presentation): scale = presentation.scale
        case .member(let family, _): scale = family.presentation.scale
        case .outcome: scale = nil
        }
        guard let scale, let value = quantity(in: run).value, let place = scale.place(of: value),
            place < scale.list.count - 1
        else { return nil }
        return scale.rule.margin(of: value, over: scale.list[place].from)
    }

    private func quantity(in run: Run) -> Quantity {
        switch subject {
        case .figure(let slot, _): return run.figure(slot, of: index)
        case .member(let family, let name):
            return run.members(of: family, at: index).first { $0.name == name }?.quantity ?? .undefined(.noGrades)
        case .outcome: return .undefined(.noGrades)
        }
    }
}

extension Run {
    fileprivate func kind(of index: Int) -> CompiledKind { rules.kinds[record.nodes[index].kind] }
}

extension Trace {
    /// The leaves whose value is used at every step up to this node.
    fileprivate var countingLeaves: Set<Leaf> {
        var found: Set<Leaf> = []
        var seen: Set<Int> = [number]
        var rest = [self]
        while let node = rest.popLast() {
            guard node.usage == .used else { continue }
            switch node.operation {
            case .input(let entry, let field): found.insert(Leaf(entry: entry, field: field))
            case .assumed(let entry): found.insert(Leaf(entry: entry, field: nil))
            default: rest += node.children.filter { seen.insert($0.number).inserted }
            }
        }
        return found
    }
}
