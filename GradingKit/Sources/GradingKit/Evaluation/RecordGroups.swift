/// The groups of a record's entries, by the groupings of a scheme.
///
/// A group has a number after those of all entries, so its figures and outcomes are computed and stored like those of
/// entries. Its identifier is the smallest identifier of its members, which does not depend on their order.
struct RecordGroups: Sendable {
    /// A group of entries.
    struct Group: Sendable {
        /// The value that its members share. It names the group among its neighbours.
        let key: String
        /// The numbers of its members, in tree order.
        let members: [Int]
        /// The number of the member with the smallest identifier.
        let least: Int
    }

    /// The number of entries, the record included. Greater node numbers belong to groups.
    let entryCount: Int
    /// The groups by number, starting at `entryCount`.
    let list: [Group]
    /// The numbers of the groups, by the number of the grouping's kind and that of the parent.
    private let places: [Int: [Int: Range<Int>]]
    /// The number of an entry's group, by the number of the grouping's kind and that of the entry.
    private let memberships: [Int: [Int: Int]]

    /// Returns the group with a number; `nil` for an entry.
    func group(_ index: Int) -> Group? { index < entryCount ? nil : list[index - entryCount] }

    /// Returns the numbers of a grouping's groups in an entry.
    func groups(of kind: Int, in parent: Int) -> Range<Int> { places[kind]?[parent] ?? 0..<0 }

    /// Returns the number of the group that contains an entry under a grouping.
    func group(of kind: Int, with entry: Int) -> Int? { memberships[kind]?[entry] }

    /// Finds the groups of a record.
    ///
    /// - Parameter run: a run over the record without groups, to compute the keys.
    fileprivate init(
        _ record: RecordBody, _ groupings: [CompiledGrouping], keysFrom run: Run, _ nodes: inout [RecordNode]
    ) {
        entryCount = record.nodes.count
        var (list, places, memberships) = ([Group](), [Int: [Int: Range<Int>]](), [Int: [Int: Int]]())
        for grouping in groupings {
            for parent in record.nodes.indices where record.nodes[parent].kind == grouping.parent {
                let start = nodes.count
                let members = record.children(of: parent).filter { record.nodes[$0].kind == grouping.base }
                for group in Self.groups(of: members, record, grouping, run) {
                    for member in group.members { memberships[grouping.kind, default: [:]][member] = nodes.count }
                    list.append(group)
                    nodes.append(
                        RecordNode(
                            kind: grouping.kind, parent: parent, end: nodes.count + 1, values: record.values.count))
                }
                if nodes.count > start { places[grouping.kind, default: [:]][parent] = start..<nodes.count }
            }
        }
        (self.list, self.places, self.memberships) = (list, places, memberships)
    }

    /// Groups siblings by key, in the order of their first members. An entry without a key is a group of its own, named
    /// by its identifier.
    private static func groups(
        of siblings: [Int], _ record: RecordBody, _ grouping: CompiledGrouping, _ run: Run
    ) -> [Group] {
        var (members, places): ([(key: String?, list: [Int])], [String: Int]) = ([], [:])
        for entry in siblings {
            let key = run.at(entry, grouping.key)
            let name = key.map(comparableName) ?? ""
            if name.isEmpty {
                members.append((nil, [entry]))
            } else if let place = places[name] {
                members[place].list.append(entry)
            } else {
                places[name] = members.count
                members.append((key, [entry]))
            }
        }
        var taken = Set(places.keys)
        return members.map { _, list in
            let first = list.min { record.ids[$0] < record.ids[$1] } ?? 0
            // The key as this member writes it: equal keys may be written differently.
            let key = run.at(first, grouping.key).map {
                $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            }
            if let key, !comparableName(key).isEmpty { return Group(key: key, members: list, least: first) }
            var name = "#\(record.ids[first])"
            while !taken.insert(comparableName(name)).inserted { name = "#" + name }
            return Group(key: name, members: list, least: first)
        }
    }
}

extension RecordBody {
    /// Returns the record with its groups, for runs.
    func grouped(by rules: CompiledScheme, keysFrom run: Run) -> RecordBody {
        var nodes = nodes
        let groups = RecordGroups(self, rules.groupings, keysFrom: run, &nodes)
        var ids = ids
        for group in groups.list { ids.append(utf8: self.ids[utf8: group.least]) }
        return RecordBody(
            shape: shape, nodes: nodes, ids: ids, values: values, shown: shown, authors: authors, extras: extras,
            groups: groups)
    }

    /// The numbers of all entries without groups, the record first.
    var entryNumbers: Range<Int> { 0..<(groups?.entryCount ?? nodes.count) }
}

/// A grouping, with its kinds as numbers.
struct CompiledGrouping: Sendable {
    /// The number of the kind of the groups, after those of the shape's kinds.
    let kind: Int
    /// The number of the kind whose entries are grouped.
    let base: Int
    /// The number of the kind that contains them.
    let parent: Int
    /// The key of an entry; `nil` for a group of its own.
    let key: @Sendable (GradedEntry) -> String?
}

extension Run {
    /// The wire name of a figure or outcome, with the entry that shows it: `average:KEY` for a group, the plain name
    /// for an entry.
    func place(of name: String, at index: Int) -> (name: String, index: Int) {
        guard let group = record.groups?.group(index) else { return (name, index) }
        return ("\(name):\(group.key)", record.nodes[index].parent)
    }

    /// Returns the numbers of the groups in an entry.
    func groups(in parent: Int) -> [Int] {
        guard let groups = record.groups else { return [] }
        return rules.groupings.flatMap { groups.groups(of: $0.kind, in: parent) }
    }

    /// Returns the group in a wire name such as `average:KEY`, and the name of its figure or outcome.
    func group(named name: String, in parent: Int) -> (name: String, index: Int)? {
        guard let groups = record.groups, let colon = name.firstIndex(of: ":") else { return nil }
        let (own, key) = (name[..<colon], name[name.index(after: colon)...])
        for grouping in rules.groupings {
            let kind = rules.kinds[grouping.kind]
            guard
                kind.figures.contains(where: { $0.figure.name == own })
                    || kind.outcomes.contains(where: { $0.name == own })
            else { continue }
            for index in groups.groups(of: grouping.kind, in: parent) {
                if let found = groups.group(index)?.key, found == key { return (String(own), index) }
            }
        }
        return nil
    }
}
