/// Parts of a rulebook that the laws check besides records.
extension Rulebook {
    /// The scales that determine the figures' letters and colours.
    package var shownBands: [Bands] {
        let presentations =
            compiled.kinds.flatMap { $0.shown.map(\.presentation) } + compiled.families.map(\.presentation)
        return presentations.flatMap { [$0.letters, $0.colours].compactMap(\.self) }
    }

    /// The names that several figures or outcomes of one kind share, each with its kind: `gpa of the record`.
    ///
    /// Goals find both figures and outcomes by name. Members of a family are named `name:key`, so a family only clashes
    /// with other families.
    package var clashingNames: [String] {
        func repeated(_ names: [String], _ owner: String) -> [String] {
            var seen: Set<String> = []
            return names.filter { !seen.insert($0).inserted }.map { "\($0) of \(owner)" }
        }
        let own = zip(compiled.shape.kinds, compiled.kinds).flatMap { kind, compiled in
            repeated(
                compiled.figures.map(\.figure.name) + compiled.outcomes.map(\.name),
                kind.kind == .record ? "the record" : kind.kind.name)
        }
        return own + repeated(compiled.families.map(\.figure.name), "the record's families")
    }
}
