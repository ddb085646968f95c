/// Parts of a rulebook that the laws check besides records.
extension Rulebook {
    /// Returns the standing of an entry, in its JSON form, with the figures and outcomes of earlier rules under their
    /// names of today.
    public func named(_ standing: JSON, of kind: String) -> JSON {
        guard var named = standing.object, let number = shape.index(stored: kind) else { return standing }
        let (names, families) = (compiled.kinds[number].formerNames, FormerNames(ofFamiliesIn: number, by: compiled))
        for (member, aliases) in [("figures", \FormerNames.figures), ("outcomes", \FormerNames.outcomes)] {
            guard let values = named[member]?.object else { continue }
            var renamed = JSONObject()
            for value in values {
                let later =
                    names[keyPath: aliases].own(of: value.name) ?? families[keyPath: aliases].own(ofMember: value.name)
                renamed[later.flatMap { values[$0] == nil ? $0 : nil } ?? value.name] = value.value
            }
            named[member] = .object(renamed)
        }
        return .object(named)
    }

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
        let families = compiled.shape.kinds.enumerated().flatMap { number, kind in
            let groups = compiled.groupings.filter { $0.parent == number }.map { compiled.kinds[$0.kind] }
            return repeated(
                compiled.families.filter { $0.kind == kind.kind }.map(\.figure.name)
                    + groups.flatMap { $0.figures.map(\.figure.name) + $0.outcomes.map(\.name) },
                kind.kind == .record ? "the record's families" : "the families of \(kind.kind)")
        }
        return own + families
    }
}
