/// How ungraded leaves are taken.
public enum Assumption: Sendable, CaseIterable {
    /// As they are: skipped. Gives the current figure.
    case current
    /// At their least. Gives the guaranteed figure.
    case floor
    /// At their best. Gives the best reachable figure.
    case ceiling
}

/// A leaf whose grade a goal or a what-if sets: a field of an entry, or (without field) an empty group.
public struct Leaf: Hashable, Sendable {
    /// The entry.
    public let entry: EntryID
    /// The grade field; `nil` for a category or unit in which nothing counts yet.
    public let field: String?

    /// A leaf.
    public init(entry: EntryID, field: String?) {
        self.entry = entry
        self.field = field
    }
}

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

/// Where the verdicts on the figures of each entry stand among those of a run.
struct VerdictPlaces: Sendable {
    private let starts: [Int]
    /// How many there are.
    let count: Int

    init(of record: RecordBody, by rules: CompiledScheme) {
        var (starts, count) = ([Int](), 0)
        starts.reserveCapacity(record.nodes.count)
        for node in record.nodes {
            starts.append(count)
            count += rules.figureCounts[node.kind]
        }
        self.starts = starts
        self.count = count
    }

    /// The place of the figure that an entry's kind has in a slot.
    func callAsFunction(_ slot: Int, of index: Int) -> Int { starts[index] + slot }
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
    private let opened: Set<EntryID>?
    /// Whether recorded grades are taken as they stand, unless a status says otherwise.
    private let isPlain: Bool
    /// What had to be assumed so far, if anybody asks.
    private(set) var openings: [Leaf: GradeRange] = [:]
    /// The current run, for one that assumes something; a run that assumes nothing is its own.
    let reference: Run?
    let places: VerdictPlaces
    /// The verdicts by their places; none before the first is asked for.
    @exclusivity(unchecked) private(set) var verdicts: [Verdict] = []
    /// Why there is no standing: a figure outgrew its bounds, or the run took too many steps.
    private(set) var refusal: FaultCode?
    /// The work of the run so far, in steps, the same on any machine. To ask for a field, a figure or an outcome is one
    /// step; an operation on numbers beyond machine words is as many as take about as long.
    @exclusivity(unchecked) private(set) var steps = 0
    /// The most work, in steps. What is asked for beyond it is undefined, and the record is refused.
    let mostSteps: Int
    /// The outcomes that formulas have asked for.
    @exclusivity(unchecked) private var decisions: [OutcomePlace: KnownDecision] = [:]
    /// Whether an ungraded leaf has been met since this was last looked at.
    @exclusivity(unchecked) private var isUnsettled = false

    init(
        _ record: RecordBody, by rules: CompiledScheme, under assumption: Assumption,
        recording: TraceRecording? = nil, substituting substitutes: [Leaf: Exact] = [:],
        opening opened: Set<EntryID>? = nil, besides reference: Run? = nil, within mostSteps: Int? = nil
    ) {
        self.rules = rules
        self.mostSteps = mostSteps ?? reference?.mostSteps ?? rules.mostSteps
        self.record = record
        self.assumption = assumption
        tracing = recording != nil
        self.recording = recording
        self.substitutes = substitutes
        self.opened = opened
        isPlain = substitutes.isEmpty && opened == nil && !record.isAdjusted
        self.reference = reference
        places = reference?.places ?? VerdictPlaces(of: record, by: rules)
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
        return recording?.quantity(.figure(name, entry: record.ids[index]), quantity.state, of: quantity) ?? quantity
    }

    /// The members of a family, by their whole names.
    func members(of family: CompiledFamily) -> [(name: String, quantity: Quantity)] {
        at(0, family.formulas).map { key, value in
            let name = "\(family.figure.name):\(key)"
            return (name, finished(value, family.presentation.rule.stages, name, of: 0))
        }
    }
}

/// Where statuses and missing grades are resolved; nowhere else.
extension Run {
    /// Where the value of a field stands among those of the record, as it is recorded; `nil` for a field that the shape
    /// does not have.
    @inline(__always)
    func place(of field: NameKey, in index: Int) -> Int? {
        steps += 1
        let node = record.nodes[index]
        return rules.slot(of: field, in: node.kind).map { node.values + $0.slot }
    }

    /// The value of a field as this run takes it.
    func quantity(of field: Field<Exact>, at index: Int) -> Quantity {
        steps += 1
        guard let (slot, isGrade) = rules.slot(of: field.key, in: record.nodes[index].kind) else {
            return .undefined(.missingField)
        }
        // Nearly every read is of a number as it stands.
        if !tracing, !isGrade || (isPlain && status(of: index) == nil),
            case .number(let value) = record.values[record.nodes[index].values + slot]
        {
            return Quantity(value)
        }
        return resolved(slot, isGrade: isGrade, of: index, field)
    }

    @inline(never)
    private func resolved(_ slot: Int, isGrade: Bool, of index: Int, _ field: Field<Exact>) -> Quantity {
        let state = isGrade ? grade(slot, of: index, field) : number(slot, of: index)
        let quantity = traced(state, .input(entry: record.ids[index], field: field.name))
        return isGrade && record.isAdjusted ? adjusted(quantity, of: index) : quantity
    }

    /// A grade after what is done to it, each step a line of its own in the trace; what a status decides stays.
    private func adjusted(_ grade: Quantity, of index: Int) -> Quantity {
        guard let adjustments = record.extra(of: index)?.adjustments, grade.isDefined,
            status(of: index).flatMap({ rules.statuses[$0].average.fixedShare }) == nil
        else { return grade }
        return adjustments.reduce(grade) { grade, adjustment in
            grade.mapped(.adjust(adjustment)) { adjustment($0) }
        }
    }

    func traced(_ state: Quantity.State, _ operation: @autoclosure () -> Trace.Operation) -> Quantity {
        guard let recording else { return Quantity(state, trace: nil) }
        let usage: Trace.Usage
        switch state {
        case .value: usage = .used
        case .undefined(.excused): usage = .dropped
        case .undefined: usage = .skipped
        }
        return Quantity(state, trace: recording.trace(operation(), state, usage: usage))
    }

    private func number(_ slot: Int, of index: Int) -> Quantity.State {
        guard case .number(let value) = record.values[record.nodes[index].values + slot] else {
            return .undefined(.missingField)
        }
        return .value(value)
    }

    /// The status by which the grades of an entry are taken: its own, or that of an entry in which it stands, when that
    /// one sets a grade or awaits one. A status that leaves grades as they are hides none around it.
    func status(of index: Int) -> Status? {
        var node = record.nodes[index]
        if let own = node.status, rules.statuses[own].average != .counts { return own }
        while node.parent > 0 {
            node = record.nodes[node.parent]
            guard let status = node.status else { continue }
            let average = rules.statuses[status].average
            if average.fixedShare != nil || average == .pending { return status }
        }
        return nil
    }

    private func grade(_ slot: Int, of index: Int, _ field: Field<Exact>) -> Quantity.State {
        var isPending = false
        if let status = status(of: index) {
            switch rules.statuses[status].average {
            case .leaves: return .undefined(.excused)
            case .minimum: return .value(worst(slot, of: index))
            case .share(let share):
                guard let best = best(slot, of: index) else { return .undefined(.missingField) }
                let worst = worst(slot, of: index)
                return Quantity(worst + share * (best - worst)).state
            case .pending: isPending = true
            case .counts: break
            }
        }
        if !substitutes.isEmpty, let value = substitutes[Leaf(entry: record.ids[index], field: field.name)] {
            return .value(value)
        }
        if !isPending, case .value(let value) = number(slot, of: index), opened?.contains(record.ids[index]) != true {
            return .value(value)
        }
        let kind = record.nodes[index].kind
        return assumed(
            Leaf(entry: record.ids[index], field: field.name), best: best(slot, of: index),
            worst: rules.kinds[kind].grades[slot]?.worst ?? .zero,
            step: rules.kinds[kind].grades[slot]?.step ?? GradeRange.scaleStep)
            ?? .undefined(isPending ? .pendingGrade : .ungraded)
    }

    /// The least grade of a field by its name.
    func worst(of field: NameKey, at index: Int) -> Exact {
        rules.slot(of: field, in: record.nodes[index].kind).map { worst($0.slot, of: index) } ?? .zero
    }

    /// The least grade of a field; 0 for one that is no grade.
    private func worst(_ slot: Int, of index: Int) -> Exact {
        rules.kinds[record.nodes[index].kind].grades[slot]?.worst ?? .zero
    }

    private func best(_ slot: Int, of index: Int) -> Exact? {
        guard let rule = rules.kinds[record.nodes[index].kind].grades[slot] else { return nil }
        if let best = rule.best { return best }
        guard let slot = rule.bestSlot, case .value(let best) = number(slot, of: index) else { return nil }
        return best
    }

    /// What the assumption makes of an ungraded leaf; `nil` when it is skipped.
    func assumed(
        _ leaf: @autoclosure () -> Leaf, best: @autoclosure () -> Exact?, worst: @autoclosure () -> Exact,
        step: @autoclosure () -> Exact
    ) -> Quantity.State? {
        noteUnsettled()
        if opened != nil, let best = best() {
            openings[leaf()] = GradeRange(worst: worst(), best: best, step: step())
        }
        return switch assumption {
        case .current: nil
        case .floor: .value(worst())
        case .ceiling: best().map { .value($0) }
        }
    }
}
