/// The state of one figure in a run.
struct Verdict: Sendable {
    /// Whether the figure is known. A settled figure is the same under every assumption.
    enum Stage { case open, computing, settled, unsettled }

    fileprivate(set) var stage = Stage.open
    /// The figure, once it is computed.
    fileprivate(set) var quantity = Quantity(.zero)
}

extension Verdict {
    /// A figure from another source, with a value under each assumption.
    init(_ quantity: Quantity) { self.init(stage: .unsettled, quantity: quantity) }
}

/// One evaluation of one record under one assumption.
///
/// A run notes whether a computation has met an ungraded leaf. If it has not, the result is the same under every
/// assumption, so the runs for floor and ceiling take it from the current run.
///
/// Its variables skip the check for exclusive access, which costs a tenth of an evaluation. This is safe: a run belongs
/// to one calculation on one thread, and no access lasts longer than its statement, so no formula runs during one.
/// `RunTests` re-enters a run in every way that formulas can.
final class Run {
    let rules: CompiledScheme
    let record: RecordBody
    let assumption: Assumption
    /// Whether this run records explanations.
    let tracing: Bool
    /// Where explanations are recorded; `nil` without them.
    let recording: TraceRecording?
    let substitutes: [Leaf: Exact]
    /// Entries whose recorded grades count as open; `nil` unless the caller asks what is open.
    let opened: Set<EntryID>?
    /// Whether recorded grades are used as they are, unless a status changes them.
    let isPlain: Bool
    /// The leaves that the run had to assume so far, if the caller asks for them.
    var openings: [Leaf: GradeRange] = [:]
    /// The current run, if this run assumes something; otherwise `nil`, and the run itself is the current one.
    let reference: Run?
    let places: VerdictPlaces
    /// The verdicts by their index; empty until the first is needed.
    @exclusivity(unchecked) private(set) var verdicts: [Verdict] = []
    /// Why the record gets no standing: a figure outgrew its bounds, or the run took too many steps.
    private(set) var refusal: FaultCode?
    /// The work so far in steps, the same on any machine. Reading a field, a figure or an outcome is one step. An
    /// operation on numbers beyond machine words counts as many steps as take about the same time.
    @exclusivity(unchecked) var steps = 0
    /// The most steps. Beyond them every result is undefined, and the record is refused.
    let mostSteps: Int
    /// The outcomes that formulas have read.
    @exclusivity(unchecked) private var decisions: [OutcomePlace: KnownDecision] = [:]
    /// The run over what is recorded, if that is another one; made when it is first needed.
    private var recorded: Run?
    /// Whether the run has met an ungraded leaf since this flag was last reset.
    @exclusivity(unchecked) private var isUnsettled = false

    /// - Parameter isSearch: whether the run only computes the keys that group entries, over a record without groups.
    init(
        _ record: RecordBody, by rules: CompiledScheme, under assumption: Assumption,
        recording: TraceRecording? = nil, substituting substitutes: [Leaf: Exact] = [:],
        opening opened: Set<EntryID>? = nil, besides reference: Run? = nil, within mostSteps: Int? = nil,
        isSearch: Bool = false
    ) {
        self.rules = rules
        self.mostSteps = mostSteps ?? reference?.mostSteps ?? rules.mostSteps
        if rules.groupings.isEmpty || record.groups != nil || isSearch {
            self.record = record
        } else if let reference {
            self.record = reference.record
        } else {
            let search = Run(record, by: rules, under: .current, isSearch: true)
            self.record = record.grouped(by: rules, keysFrom: search)
            steps = search.steps
        }
        self.assumption = assumption
        tracing = recording != nil
        self.recording = recording
        self.substitutes = substitutes
        self.opened = opened
        isPlain = substitutes.isEmpty && opened == nil && !record.isAdjusted
        self.reference = reference
        places = reference?.places ?? VerdictPlaces(of: self.record, by: rules)
    }

    /// Does some work and returns whether its result depends on the assumption.
    @inline(__always)
    func noting<Result>(_ work: () -> Result) -> (result: Result, isUnsettled: Bool) {
        let before = isUnsettled
        isUnsettled = false
        let result = work()
        let found = isUnsettled
        isUnsettled = before || found
        return (result, found)
    }

    /// Notes that the current computation depends on the assumption.
    func noteUnsettled() { isUnsettled = true }

    /// Looks at an entry as it is recorded: nothing is assumed, opened or substituted. What the look finds does not
    /// make the present computation depend on the assumption.
    func asRecorded<Result>(_ index: Int, _ look: (GradedEntry) -> Result) -> Result {
        if assumption == .current, !tracing, substitutes.isEmpty, opened == nil {
            let before = isUnsettled
            defer { isUnsettled = before }
            return at(index, look)
        }
        let run = recorded ?? Run(record, by: rules, under: .current, within: mostSteps)
        recorded = run
        let before = run.steps
        defer { count(run.steps - before) }
        return run.at(index, look)
    }

    /// Counts work, in steps.
    func count(_ work: Int) { steps += min(max(work, 0), 1 << 40) }

    /// Notes why the record gets no standing. The first reason stays.
    func refuse(_ code: FaultCode) { refusal = refusal ?? code }

    /// The decision on an outcome, made when a formula first asks for it.
    func decision(_ outcome: CompiledOutcome, _ place: OutcomePlace) -> Decision {
        steps += 1
        if let known = decided(place) { return known }
        if case .deciding? = decisions[place] { return .pending(because: DecisionReason(.circular)) }
        guard hasTime else { return .pending(because: DecisionReason(.tooMuchWork)) }
        decisions[place] = .deciding
        let (found, isUnsettled) = noting { decide(outcome, of: place.index) }
        let decision = found ?? Decision(.pending)
        decisions[place] = .decided(decision, isUnsettled: isUnsettled)
        return decision
    }

    /// An outcome given by people, otherwise decided by its rule; `nil` if the rule does not decide it.
    func decide(_ outcome: CompiledOutcome, of index: Int) -> Decision? {
        if let given = record.givenByPeople(to: index)?.outcomes[outcome.name] {
            return Decision(given.value.state, given.value.name)
        }
        return at(index, outcome.rule)
    }

    /// An outcome that a formula has already read.
    func decided(_ place: OutcomePlace) -> Decision? {
        if !decisions.isEmpty, case .decided(let decision, let depends)? = decisions[place] {
            if depends { isUnsettled = true }
            return decision
        }
        guard let reference, !reference.decisions.isEmpty,
            case .decided(let decision, isUnsettled: false)? = reference.decisions[place]
        else { return nil }
        return decision
    }

    /// A figure of an entry, computed on first use.
    func figure(_ slot: Int, of index: Int) -> Quantity {
        steps += 1
        let place = places(slot, of: index)
        if verdicts.isEmpty { verdicts = [Verdict](repeating: Verdict(), count: places.count) }
        switch verdicts[place].stage {
        case .unsettled:
            isUnsettled = true
            return read(verdicts[place].quantity)
        case .settled: return read(verdicts[place].quantity)
        case .computing: return .undefined(.circular)
        case .open: break
        }
        if let settled = reference?.settled(place) { return settled }
        guard hasTime else { return .undefined(.tooMuchWork) }
        verdicts[place].stage = .computing
        let figure = rules.figure(slot, of: record.nodes[index].kind)
        let (quantity, isUnsettled) = noting {
            if record.nodes[index].extra > 0, let given = given(figure, to: index) { return given }
            let result = at(index, figure.formula)
            // The fast path of nearly every figure: the plain result of its formula.
            if !tracing, figure.stages.isEmpty, result.isDefined { return result }
            return finished(result, figure.stages, figure.figure.name, of: index)
        }
        verdicts[place].quantity = quantity
        verdicts[place].stage = isUnsettled ? .unsettled : .settled
        return read(quantity)
    }

    /// A figure that a formula reads. Counts steps if the value is beyond machine words, since using it costs more.
    @inline(__always)
    private func read(_ quantity: Quantity) -> Quantity {
        if quantity.hasBackground { count(quantity.work) }
        return quantity
    }

    /// The value that people or a class gave an entry for a figure; `nil` if the figure is computed.
    private func given(_ figure: CompiledFigure, to index: Int) -> Quantity? {
        if let given = record.givenByPeople(to: index)?.figures[figure.figure.name] {
            let state = Quantity.bounded(given.value)
            guard let recording else { return Quantity(state, trace: nil) }
            let id = record.ids[index]
            let parts = [recording.quantity(.given(entry: id, given.note), state), at(index, figure.formula)]
            return Quantity(state, trace: recording.trace(.figure(figure.figure.name, entry: id), state, of: parts))
        }
        guard let given = record.given(to: index), let value = given.full.figures[figure.figure.name] else {
            return nil
        }
        if !value.isSettled { noteUnsettled() }
        let state = value.state(under: assumption)
        guard let recording else { return Quantity(state, trace: nil) }
        // The explanation of a class's row belongs to the class.
        let id = record.ids[index]
        let own = recording.quantity(.given(entry: id, nil), state)
        return Quantity(state, trace: recording.trace(.figure(figure.figure.name, entry: id), state, of: [own]))
    }

    /// The value that would be computed for a given figure.
    func computed(_ slot: Int, of index: Int) -> Quantity.State {
        let figure = rules.figure(slot, of: record.nodes[index].kind)
        return at(index, { finished(figure.formula($0), figure.stages, figure.figure.name, of: index) }).state
    }

    /// Whether the class row for which an entry stands has a grade that is still to be decided.
    func awaitsGivenGrade(_ index: Int) -> Bool {
        guard record.nodes[index].extra > 0, record.given(to: index)?.full.awaitsGrade == true else { return false }
        noteUnsettled()
        return assumption == .current
    }

    /// Whether a figure is the same under every assumption. Only a computed figure can be.
    func isSettled(_ slot: Int, of index: Int) -> Bool {
        !verdicts.isEmpty && verdicts[places(slot, of: index)].stage == .settled
    }

    private func settled(_ place: Int) -> Quantity? {
        guard !verdicts.isEmpty, verdicts[place].stage == .settled else { return nil }
        return verdicts[place].quantity.untraced
    }

    /// Applies the configured stages, and gives the figure its own line in the trace.
    private func finished(
        _ result: Quantity, _ stages: [RoundingStep], _ name: String, of index: Int
    ) -> Quantity {
        var quantity = result
        for step in stages { quantity = quantity.rounded(step) }
        if quantity.isUndefined(because: .tooPrecise) { refusal = refusal ?? .tooPrecise }
        guard let recording else { return quantity }
        let (name, owner) = place(of: name, at: index)
        return recording.quantity(.figure(name, entry: record.ids[owner]), quantity.state, of: quantity)
    }

    /// The members of a family that an entry shows, by their full names.
    func members(of family: CompiledFamily, at index: Int) -> [(name: String, quantity: Quantity)] {
        at(index, family.formulas).map { key, value in
            let name = "\(family.figure.name):\(key)"
            return (name, finished(value, family.presentation.rule.stages, name, of: index))
        }
    }
}
