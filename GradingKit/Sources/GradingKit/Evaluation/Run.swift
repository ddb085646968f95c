/// What a run knows of one figure.
struct Verdict: Sendable {
    /// How far it is known. What is settled is the same under every assumption.
    enum Stage { case open, computing, settled, unsettled }

    fileprivate(set) var stage = Stage.open
    /// The figure, once it is computed.
    fileprivate(set) var quantity = Quantity(.zero)
}

extension Verdict {
    /// A verdict from elsewhere, with a value under each assumption.
    init(_ quantity: Quantity) { self.init(stage: .unsettled, quantity: quantity) }
}

/// One evaluation of one record under one assumption. Lives for that evaluation only.
///
/// A run notes whether what it computes has met an ungraded leaf. What has not is the same under every assumption, so
/// the runs for floor and ceiling take it from the current one.
///
/// Its variables are not checked for exclusive access, which costs a tenth of an evaluation. A run belongs to one
/// calculation on one thread, and no access lasts longer than the statement that makes it: no formula runs while one is
/// under way. `RunTests` re-enters a run in every way that formulas can.
final class Run {
    let rules: CompiledScheme
    let record: RecordBody
    let assumption: Assumption
    /// Whether what is computed is explained.
    let tracing: Bool
    /// Where explanations are recorded, if what is computed is explained.
    let recording: TraceRecording?
    let substitutes: [Leaf: Exact]
    /// Entries whose recorded grades are taken as open; `nil` if it is not asked what is open.
    let opened: Set<EntryID>?
    /// Whether recorded grades are taken as they stand, unless a status says otherwise.
    let isPlain: Bool
    /// What had to be assumed so far, if anybody asks.
    var openings: [Leaf: GradeRange] = [:]
    /// The current run, for one that assumes something; a run that assumes nothing is its own.
    let reference: Run?
    let places: VerdictPlaces
    /// The verdicts by their places; none before the first is asked for.
    @exclusivity(unchecked) private(set) var verdicts: [Verdict] = []
    /// Why there is no standing: a figure outgrew its bounds, or the run took too many steps.
    private(set) var refusal: FaultCode?
    /// The work of the run so far, in steps, the same on any machine. To ask for a field, a figure or an outcome is one
    /// step; an operation on numbers beyond machine words is as many as take about as long.
    @exclusivity(unchecked) var steps = 0
    /// The most work, in steps. What is asked for beyond it is undefined, and the record is refused.
    let mostSteps: Int
    /// The outcomes that formulas have asked for.
    @exclusivity(unchecked) private var decisions: [OutcomePlace: KnownDecision] = [:]
    /// Whether an ungraded leaf has been met since this was last looked at.
    @exclusivity(unchecked) private var isUnsettled = false

    /// - Parameter isSearch: whether the run only computes the keys by which entries are grouped, over a record that has no
    ///   groups yet.
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

    /// Does some work, and tells whether it depends on what is assumed.
    @inline(__always)
    func noting<Result>(_ work: () -> Result) -> (result: Result, isUnsettled: Bool) {
        let before = isUnsettled
        isUnsettled = false
        let result = work()
        let found = isUnsettled
        isUnsettled = before || found
        return (result, found)
    }

    /// Notes that what is being computed depends on what is assumed.
    func noteUnsettled() { isUnsettled = true }

    /// Counts work, in steps.
    func count(_ work: Int) { steps += min(max(work, 0), 1 << 40) }

    /// Notes why there is no standing.
    func refuse(_ code: FaultCode) { refusal = refusal ?? code }

    /// An outcome as it was decided when a formula first asked for it.
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

    /// An outcome as people gave it, else as its rule decides; `nil` where the rule does not decide.
    func decide(_ outcome: CompiledOutcome, of index: Int) -> Decision? {
        if let given = record.givenByPeople(to: index)?.outcomes[outcome.name] {
            return Decision(given.value.state, given.value.name)
        }
        return at(index, outcome.rule)
    }

    /// An outcome that a formula has asked for before.
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

    /// A figure of an entry, computed when first asked for.
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
            // Nearly every figure is what its formula gives.
            if !tracing, figure.stages.isEmpty, result.isDefined { return result }
            return finished(result, figure.stages, figure.figure.name, of: index)
        }
        verdicts[place].quantity = quantity
        verdicts[place].stage = isUnsettled ? .unsettled : .settled
        return read(quantity)
    }

    /// A figure that is read: what is done with it next costs more when it is beyond machine words.
    @inline(__always)
    private func read(_ quantity: Quantity) -> Quantity {
        if quantity.hasBackground { count(quantity.work) }
        return quantity
    }

    /// The value that an entry is given for a figure; `nil` where it is computed.
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
        // A class's row is explained there.
        let id = record.ids[index]
        let own = recording.quantity(.given(entry: id, nil), state)
        return Quantity(state, trace: recording.trace(.figure(figure.figure.name, entry: id), state, of: [own]))
    }

    /// What would be computed of a figure that is given.
    func computed(_ slot: Int, of index: Int) -> Quantity.State {
        let figure = rules.figure(slot, of: record.nodes[index].kind)
        return at(index, { finished(figure.formula($0), figure.stages, figure.figure.name, of: index) }).state
    }

    /// Whether a row of a class that an entry stands for has a grade that is still to be decided.
    func awaitsGivenGrade(_ index: Int) -> Bool {
        guard record.nodes[index].extra > 0, record.given(to: index)?.full.awaitsGrade == true else { return false }
        noteUnsettled()
        return assumption == .current
    }

    /// Whether a figure is the same under every assumption; only a computed one can be.
    func isSettled(_ slot: Int, of index: Int) -> Bool {
        !verdicts.isEmpty && verdicts[places(slot, of: index)].stage == .settled
    }

    private func settled(_ place: Int) -> Quantity? {
        guard !verdicts.isEmpty, verdicts[place].stage == .settled else { return nil }
        return verdicts[place].quantity.untraced
    }

    /// Applies the configured stages and gives the figure its own line in the trace.
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

    /// The members of a family that an entry shows, by their whole names.
    func members(of family: CompiledFamily, at index: Int) -> [(name: String, quantity: Quantity)] {
        at(index, family.formulas).map { key, value in
            let name = "\(family.figure.name):\(key)"
            return (name, finished(value, family.presentation.rule.stages, name, of: index))
        }
    }
}
