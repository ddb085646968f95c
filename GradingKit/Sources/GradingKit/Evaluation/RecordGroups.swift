/// The groups of a record's entries under a scheme's groupings.
///
/// A group has a number like an entry, behind those of all entries, so that its figures and outcomes are computed and kept
/// like those of entries. Its identifier is that of its member with the least one, which does not depend on the order
/// of entries.
struct RecordGroups: Sendable {
    /// A group of entries.
    struct Group: Sendable {
        /// The name of the group among those beside it: what its members share.
        let key: String
        /// The numbers of its members, in tree order.
        let members: [Int]
        /// The number of the one with the least identifier.
        let least: Int
    }

    /// The number of nodes that are entries, the record included; those behind them are groups.
    let entryCount: Int
    /// By number, from `entryCount` on.
    let list: [Group]
    /// By number of a grouping's kind and of a parent, the numbers of the groups.
    private let places: [Int: [Int: Range<Int>]]
    /// By number of a grouping's kind and of an entry, the number of its group.
    private let memberships: [Int: [Int: Int]]

    /// Returns the group with a number; `nil` for an entry.
    func group(_ index: Int) -> Group? { index < entryCount ? nil : list[index - entryCount] }

    /// Returns the numbers of the groups of a grouping in an entry.
    func groups(of kind: Int, in parent: Int) -> Range<Int> { places[kind]?[parent] ?? 0..<0 }

    /// Returns the number of the group in which a grouping puts an entry.
    func group(of kind: Int, with entry: Int) -> Int? { memberships[kind]?[entry] }

    /// Finds the groups of a record.
    ///
    /// - Parameter run: a run over the record without groups, which computes the keys.
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

    /// Returns the groups of siblings in the order of their first members. One without a key is a group of its own, under
    /// its identifier.
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
            // The key as that member has it: equal keys may be written differently.
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

    /// The numbers of all entries, that of the record first, without groups.
    var entryNumbers: Range<Int> { 0..<(groups?.entryCount ?? nodes.count) }
}

/// A grouping with the numbers of its kinds.
struct CompiledGrouping: Sendable {
    /// The number of the groups themselves, behind those of the shape's kinds.
    let kind: Int
    /// The number of the kind that is grouped.
    let base: Int
    /// The number of the kind in which that stands.
    let parent: Int
    /// The key of an entry; `nil` for a group of one.
    let key: @Sendable (GradedEntry) -> String?
}

extension Run {
    /// The figure or outcome of a group as it stands on the wire, `average:KEY`, with the entry that shows it; that of an
    /// entry under its own name.
    func place(of name: String, at index: Int) -> (name: String, index: Int) {
        guard let group = record.groups?.group(index) else { return (name, index) }
        return ("\(name):\(group.key)", record.nodes[index].parent)
    }

    /// Returns the numbers of the groups in an entry.
    func groups(in parent: Int) -> [Int] {
        guard let groups = record.groups else { return [] }
        return rules.groupings.flatMap { groups.groups(of: $0.kind, in: parent) }
    }

    /// Returns the group to which a name on the wire, `average:KEY`, belongs, with the name of its figure or outcome.
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
