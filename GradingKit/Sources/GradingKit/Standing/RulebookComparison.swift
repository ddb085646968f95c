/// A comparison of how two rulebooks of one scheme judge a record. Both must compute in this process; for schemes in
/// their own processes there is ``StandingComparison``.
///
/// It is optimized because it processes whole cohorts: it computes only the current figures, and creates text only for
/// differences.
public struct RulebookComparison: Sendable {
    private let before: CompiledScheme
    private let after: CompiledScheme
    /// By kind of the later shape; empty for a kind that only one rulebook has.
    private let plans: [Plan]
    /// By kind of the later shape, its number in the earlier one; `nil` if it has none.
    private let numbers: [Int?]
    /// By kind of the earlier shape, the former names of the families in the later one.
    private let families: [Int: FormerNames]

    /// Whether both rulebooks read a stored record as the same tree, so that it need not be read twice.
    public let sharesShape: Bool

    /// The figures and outcomes to compare in entries of one kind.
    private struct Plan: Sendable {
        struct Pair: Sendable {
            let name: String
            let before: Int?
            let after: Int?
        }

        let figures: [Pair]
        let outcomes: [Pair]

        var isEmpty: Bool { figures.isEmpty && outcomes.isEmpty }
    }

    /// Creates a comparison between two rulebooks.
    public init(from before: Rulebook, to after: Rulebook) {
        self.before = before.compiled
        self.after = after.compiled
        // What people gave is read under other names, too.
        sharesShape =
            before.shape.reads(as: after.shape)
            && before.compiled.kinds.map(\.formerNames) == after.compiled.kinds.map(\.formerNames)
        let earlier = before.compiled.kinds
        let numbers = zip(after.compiled.kinds, after.shape.kinds).map { kind, shape in
            earlier.firstIndex { $0.key == kind.key }
                ?? earlier.firstIndex { old in shape.formerNames.contains { NameKey($0) == old.key } }
        }
        self.numbers = numbers
        families = numbers.indices.reduce(into: [:]) { families, later in
            if let old = numbers[later] { families[old] = FormerNames(ofFamiliesIn: later, by: after.compiled) }
        }
        plans = zip(after.compiled.kinds, numbers).map { kind, number in
            guard let old = number.map({ earlier[$0] }) else { return Plan(figures: [], outcomes: []) }
            return Plan(
                figures: Self.pairs(Self.shown(old.figures), Self.shown(kind.figures), kind.formerNames.figures),
                outcomes: Self.pairs(
                    old.outcomes.enumerated().map { ($1.name, $0) },
                    kind.outcomes.enumerated().map { ($1.name, $0) }, kind.formerNames.outcomes))
        }
    }

    private static func shown(_ figures: [CompiledFigure]) -> [(name: String, slot: Int)] {
        figures.enumerated().compactMap { $1.presentation == nil ? nil : ($1.figure.name, $0) }
    }

    /// Pairs what has the same name, or has been renamed; the pair has the later name.
    private static func pairs(
        _ old: [(name: String, slot: Int)], _ new: [(name: String, slot: Int)], _ aliases: NameAliases
    ) -> [Plan.Pair] {
        let successors = aliases.successors(of: old.map(\.name), among: new.map(\.name))
        let common = old.map { (name, slot) in
            let later = successors[name]
            return Plan.Pair(
                name: later ?? name, before: slot,
                after: later.flatMap { later in new.first { $0.name == later }?.slot })
        }
        let added = new.filter { item in !successors.values.contains(item.name) }
        return common + added.map { Plan.Pair(name: $0.name, before: nil, after: $0.slot) }
    }

    /// Returns the differences in a record, in tree order.
    ///
    /// - Parameters:
    ///   - tree: the record as the first reads it.
    ///   - other: the record as the second reads it.
    /// - Throws: `too_precise` when the second cannot hold a figure, `too_much_work` when the record takes too long.
    public func changes(from tree: RecordTree, to other: RecordTree) throws(FaultList) -> [VerdictChange] {
        let old = Run(tree.body, by: before, under: .current)
        let new = Run(other.body, by: after, under: .current)
        var changes: [VerdictChange] = []
        for index in new.record.entryNumbers {
            let earlier = sharesShape ? index : old.record.index(of: new.record.ids[index])
            if let earlier, earlier < old.record.nodes.count { compare(index, earlier, old, new, &changes) }
        }
        Members(of: old, renaming: families).compare(with: Members(of: new), &changes)
        if let refusal = new.refusal { throw FaultList([Fault(refusal)]) }
        return changes
    }

    /// The figures and outcomes that people gave in a record and that the second rulebook no longer has, in tree order.
    /// They would count no more.
    ///
    /// - Parameter tree: the record as the first reads it.
    public func givenLosses(in tree: RecordTree) -> [RecordLoss] {
        let record = tree.body
        if record.extras.isEmpty { return [] }
        return record.nodes.indices.flatMap { index -> [RecordLoss] in
            let kind = record.nodes[index].kind
            guard let given = record.extra(of: index)?.people, let later = numbers.firstIndex(of: kind) else {
                return []
            }
            let entry = index == 0 ? nil : record.ids[index]
            let (old, new) = (before.kinds[kind], after.kinds[later])
            let names = new.formerNames
            let figures = given.figures.filter { name, _ in
                let later = names.figures.own(of: name) ?? name
                return old.figures.contains { $0.figure.name == name }
                    && !new.figures.contains { $0.figure.name == later }
            }.mapValues(\.told)
            let outcomes = given.outcomes.filter { name, _ in
                let later = names.outcomes.own(of: name) ?? name
                return old.outcomes.contains { $0.name == name } && !new.outcomes.contains { $0.name == later }
            }.mapValues(\.told)
            return figures.merging(outcomes) { first, _ in first }.sorted { $0.key < $1.key }
                .map { RecordLoss(entry: entry, field: $0.key, value: $0.value) }
        }
    }

    private func compare(_ index: Int, _ before: Int, _ old: Run, _ new: Run, _ changes: inout [VerdictChange]) {
        let number = new.record.nodes[index].kind
        guard let kind = numbers[number], kind == old.record.nodes[before].kind, !plans[number].isEmpty else { return }
        // Created only for differences, which most entries do not have.
        func entry() -> EntryID? { index == 0 ? nil : new.record.ids[index] }
        let (plan, earlier, later) = (plans[number], self.before.kinds[kind], after.kinds[number])
        for pair in plan.figures {
            Side.compare(
                Side(pair.before, of: before, in: old, earlier.figures),
                Side(pair.after, of: index, in: new, later.figures), pair.name, at: entry(), &changes)
        }
        for pair in plan.outcomes {
            let decisions = (
                Self.decision(pair.before, of: before, in: old, earlier.outcomes),
                Self.decision(pair.after, of: index, in: new, later.outcomes)
            )
            if decisions.0 != decisions.1 {
                SeenOutcome.compare(
                    decisions.0.map { SeenOutcome($0) }, decisions.1.map { SeenOutcome($0) }, pair.name, at: entry(),
                    &changes)
            }
        }
    }

    private static func decision(
        _ slot: Int?, of index: Int, in run: Run, _ outcomes: [CompiledOutcome]
    ) -> Decision? {
        slot.flatMap { run.decide(outcomes[$0], of: index) }
    }

}

/// The figures and outcomes of families and groups, by the entry that shows them and their names.
private struct Members {
    struct Place: Hashable {
        let entry: EntryID?
        let name: String
    }

    private var figures: [(place: Place, side: Side)] = []
    private var outcomes: [(place: Place, decision: Decision)] = []

    /// - Parameter names: the former names of families, by the kinds of the entries that show them.
    init(of run: Run, renaming names: [Int: FormerNames] = [:]) {
        let (rules, record) = (run.rules, run.record)
        func entry(_ index: Int) -> EntryID? { index == 0 ? nil : record.ids[index] }
        func named(_ name: String, at index: Int, _ aliases: KeyPath<FormerNames, NameAliases>) -> String {
            names[record.nodes[index].kind]?[keyPath: aliases].own(ofMember: name) ?? name
        }
        for family in rules.families {
            let kind = rules.index(of: family.kind)
            for index in record.entryNumbers where record.nodes[index].kind == kind {
                figures += run.members(of: family, at: index).map { member in
                    let name = named(member.name, at: index, \.figures)
                    return (Place(entry: entry(index), name: name), Side(member.quantity, family.presentation))
                }
            }
        }
        for index in record.entryNumbers.upperBound..<record.nodes.count {
            let kind = rules.kinds[record.nodes[index].kind]
            func place(_ name: String, _ aliases: KeyPath<FormerNames, NameAliases>) -> Place {
                let place = run.place(of: name, at: index)
                return Place(entry: entry(place.index), name: named(place.name, at: place.index, aliases))
            }
            for slot in kind.shown {
                figures.append(
                    (place(slot.name, \.figures), Side(run.figure(slot.place, of: index), slot.presentation)))
            }
            for outcome in kind.outcomes {
                if let decision = run.decide(outcome, of: index) {
                    outcomes.append((place(outcome.name, \.outcomes), decision))
                }
            }
        }
    }

    func compare(with later: Members, _ changes: inout [VerdictChange]) {
        Self.each(figures, later.figures) { place, before, after in
            Side.compare(before, after, place.name, at: place.entry, &changes)
        }
        Self.each(outcomes, later.outcomes) { place, before, after in
            SeenOutcome.compare(
                before.map { SeenOutcome($0) }, after.map { SeenOutcome($0) }, place.name, at: place.entry, &changes)
        }
    }

    /// Visits what either has, the first one's order first.
    private static func each<Value>(
        _ before: [(place: Place, Value)], _ after: [(place: Place, Value)],
        _ visit: (Place, Value?, Value?) -> Void
    ) {
        if before.isEmpty, after.isEmpty { return }
        let places = Dictionary(after.enumerated().map { ($1.place, $0) }) { first, _ in first }
        var met: Set<Place> = []
        for (place, value) in before {
            met.insert(place)
            visit(place, value, places[place].map { after[$0].1 })
        }
        for (place, value) in after where !met.contains(place) { visit(place, nil, value) }
    }
}

/// One figure as one rulebook computes it.
private struct Side {
    let quantity: Quantity
    let presentation: Presentation

    init(_ quantity: Quantity, _ presentation: Presentation) {
        self.quantity = quantity
        self.presentation = presentation
    }

    init?(_ slot: Int?, of index: Int, in run: Run, _ figures: [CompiledFigure]) {
        guard let slot, let presentation = figures[slot].presentation else { return nil }
        self.init(run.figure(slot, of: index), presentation)
    }

    private var display: String? { quantity.value.map { presentation.display($0) } }
    private var letter: String? { presentation.letters?.band(for: quantity)?.label }
    private var band: String? { presentation.band(quantity.value) }

    static func compare(
        _ old: Side?, _ new: Side?, _ name: String, at entry: @autoclosure () -> EntryID?,
        _ changes: inout [VerdictChange]
    ) {
        let values = (before: old?.quantity.value, after: new?.quantity.value)
        // Equal values under equal rules have equal texts; this saves most of a cohort the creation of texts.
        if values.before != values.after || old?.presentation.rule != new?.presentation.rule {
            let display = (old?.display, new?.display)
            if values.before != values.after || display.0 != display.1 {
                changes.append(
                    VerdictChange(.figure, of: name, at: entry(), before: display.0, after: display.1, exactly: values))
            }
        }
        let letters = (old?.letter, new?.letter)
        if letters.0 != letters.1 {
            changes.append(VerdictChange(.letter, of: name, at: entry(), before: letters.0, after: letters.1))
        }
        let bands = (old?.band, new?.band)
        if bands.0 != bands.1 {
            changes.append(VerdictChange(.bar, of: name, at: entry(), before: bands.0, after: bands.1))
        }
    }
}

extension RecordShape {
    /// Returns whether another shape would read the same stored record as the same tree.
    fileprivate func reads(as other: RecordShape) -> Bool {
        kinds.count == other.kinds.count
            && zip(kinds, other.kinds).allSatisfy { one, two in
                one.kind == two.kind && one.parent == two.parent && one.nested == two.nested
                    && one.statuses == two.statuses && one.fields.count == two.fields.count
                    && zip(one.fields, two.fields).allSatisfy { $0.reads(as: $1) }
            }
    }
}

extension FieldShape {
    fileprivate func reads(as other: FieldShape) -> Bool {
        name == other.name && content == other.content && digits == other.digits && decimals == other.decimals
            && allowsComma == other.allowsComma
    }
}
