/// The names that the figures and outcomes of a kind's entries had in earlier versions of the rules. What people and
/// classes gave under such a name is read under the name of today.
struct FormerNames: Sendable, Equatable {
    /// The former names of figures.
    private(set) var figures = NameAliases()
    /// The former names of outcomes.
    private(set) var outcomes = NameAliases()

    init(of figures: [CompiledFigure], _ outcomes: [CompiledOutcome], families: [CompiledFamily] = []) {
        for (figure, names) in figures.map({ ($0.figure, $0.formerNames) })
            + families.map({ ($0.figure, $0.formerNames) })
        {
            for name in names { self.figures.add(name, of: figure.name) }
        }
        for outcome in outcomes {
            for name in outcome.formerNames { self.outcomes.add(name, of: outcome.name) }
        }
    }

    /// The former names of families and of what groups have, in the entries of a kind that show them.
    init(ofFamiliesIn kind: Int, by rules: CompiledScheme) {
        let groups = rules.groupings.filter { $0.parent == kind }.map { rules.kinds[$0.kind] }
        self.init(
            of: groups.flatMap(\.figures), groups.flatMap(\.outcomes),
            families: rules.families.filter { rules.index(of: $0.kind) == kind })
    }

    private var isEmpty: Bool { figures.isEmpty && outcomes.isEmpty }

    /// Renames what an entry was given.
    ///
    /// - Returns: what people gave and another name supersedes, with its value as text.
    func rename(_ extra: inout EntryExtra) -> [(name: String, value: String)] {
        if isEmpty { return [] }
        if var given = extra.given {
            given.full.figures = figures.named(given.full.figures).values
            if var released = given.released {
                released.figures = figures.named(released.figures).values
                given.released = released
            }
            extra.given = given
        }
        guard let people = extra.people else { return [] }
        let (named, superseded) = rename(people)
        extra.people = named
        return superseded
    }

    /// Returns values under the names of today, and those that another name supersedes, with their texts.
    func rename(_ values: GivenValues) -> (values: GivenValues, superseded: [(name: String, value: String)]) {
        if isEmpty { return (values, []) }
        let (figures, outcomes) = (figures.named(values.figures), outcomes.named(values.outcomes))
        let superseded =
            figures.superseded.map { ($0, values.figures[$0]?.told ?? "") }
            + outcomes.superseded.map { ($0, values.outcomes[$0]?.told ?? "") }
        return (GivenValues(figures: figures.values, outcomes: outcomes.values), superseded)
    }
}

extension GivenValue<Exact> {
    /// The value as people read it.
    var told: String { FieldValue.number(value).told }
}

extension GivenValue<GivenOutcome> {
    /// The value as people read it.
    var told: String { value.name ?? value.state.rawValue }
}
