import GradingKit

/// The entries of an example, by title.
struct OutlineTitles {
    struct Node {
        let kind: Int
        let title: String
        /// The title in the form for comparison.
        let key: String
        /// The number of the enclosing entry.
        let parent: Int?
    }

    /// `unit "A"` in a way, looked up once for all entries with which it is compared.
    fileprivate struct Step {
        let kinds: Set<Int>
        let key: String
    }

    /// The entries in the order of the record.
    fileprivate var nodes: [Node] = []
    /// The numbers of the entries, by title in the form for comparison.
    fileprivate var numbers: [String: [Int]] = [:]
}

/// Finds the entry that an example means by a title.
extension Checker {
    /// The cost of visiting an entry with a title, in steps.
    private static let stepsOfTitle = 20

    /// The entries of an example's expectations, by their number in the order of the record; `nil` for the record
    /// itself, for groups, and for what the outline does not name.
    ///
    /// - Parameter entries: the entries in the form of a calculation.
    func subjects(of example: RegulationDocument.Example, in entries: JSON) -> [Int?] {
        var titles = OutlineTitles()
        add(entries, in: nil, to: &titles)
        return example.expectations.map { expectation in
            var subject: Int?
            attempt { () throws(Stop) in subject = try self.subject(of: expectation, titles) }
            return subject
        }
    }

    private func add(_ entries: JSON, in parent: Int?, to titles: inout OutlineTitles) {
        for entry in entries.array ?? [] {
            let name = entry["kind"]?.string
            guard let kind = kinds.firstIndex(where: { $0.name == name }) else { continue }
            let texts = kinds[kind].fields.lazy.compactMap { field -> String? in
                switch field.content {
                case .text, .choice: entry["fields"]?[field.name]?.string
                case .number, .flag: nil
                }
            }
            let (number, title) = (titles.nodes.count, texts.first { !$0.isEmpty } ?? "")
            let key = comparableName(title)
            titles.nodes.append(OutlineTitles.Node(kind: kind, title: title, key: key, parent: parent))
            if !title.isEmpty { titles.numbers[key, default: []].append(number) }
            add(entry["children"] ?? .null, in: number, to: &titles)
        }
    }

    /// A title means the entries that have what is expected: a unit and a subject inside it may have the same title.
    private func subject(of expectation: Expectation, _ titles: OutlineTitles) throws(Stop) -> Int? {
        guard let title = expectation.entry, !faults.isFull, !isOfGroup(expectation) else { return nil }
        let called = titles.numbers[comparableName(title.text)] ?? []
        faults.spend(Self.stepsOfTitle * (1 + called.count))
        let way = expectation.way.map { step in
            OutlineTitles.Step(
                kinds: Set(kinds.indices.filter { answers(kinds[$0], to: step.kind.text) }),
                key: comparableName(step.title.text))
        }
        guard let first = called.first(where: { titles.leads(way, to: $0) }) else {
            guard let last = expectation.way.last else { return nil }
            if way.last?.kinds.isEmpty ?? false { _ = try kind(last.kind) }
            throw stop(.unknownName, title.range, ["name": .string(title.text), "kind": .string(last.kind.text)])
        }
        let name = expectation.name.text
        let owners = kinds.map { $0.shows(name) || $0.taken[name] != nil }
        // More than one is a fault; how many does not matter.
        let having = Array(
            called.lazy.filter { owners[titles.nodes[$0].kind] && titles.leads(way, to: $0) }.prefix(2))
        guard having.count > 1 else { return having.first ?? first }
        var arguments: JSONObject = ["name": .string(title.text), "figure": .string(name)]
        if let told = titles.way(from: having[0], unlike: having[1], self) {
            arguments["way"] = .string(told)
            throw stop(.ambiguousTitle, title.range, arguments)
        }
        arguments["kind"] = .string(kinds[titles.nodes[having[0]].kind].name)
        throw stop(.twinTitles, title.range, arguments)
    }

    /// Whether an expectation is about a group, which its key names.
    private func isOfGroup(_ expectation: Expectation) -> Bool {
        guard expectation.way.count == 1, let kind = expectation.way.first?.kind.text else { return false }
        return kinds.contains { $0.name == kind && $0.base != nil }
    }

    /// Whether a kind has this name in an outline; inside a copy of an earlier record, the name that it has there.
    fileprivate func answers(_ kind: KindModel, to name: String) -> Bool {
        if kind.name == name { return true }
        guard kind.isCopy, let parent = kind.parent else { return false }
        return kind.name == "\(kinds[parent].name)_\(name)"
    }

    /// The name of a kind in an outline.
    fileprivate func written(_ kind: KindModel) -> String {
        guard kind.isCopy, let parent = kind.parent, kinds[parent].isCopy else { return kind.name }
        return String(kind.name.dropFirst(kinds[parent].name.count + 1))
    }
}

extension OutlineTitles {
    /// Whether a way ends at an entry; it may start anywhere.
    fileprivate func leads(_ way: [Step], to number: Int) -> Bool {
        var place: Int? = number
        for step in way.reversed() {
            guard let here = place, step.kinds.contains(nodes[here].kind), nodes[here].key == step.key else {
                return false
            }
            place = nodes[here].parent
        }
        return true
    }

    /// The shortest way that distinguishes an entry from another with the same title; `nil` if there is none.
    fileprivate func way(from number: Int, unlike other: Int, _ checker: Checker) -> String? {
        var (here, there, steps): (Int?, Int?, [String]) = (number, other, [])
        while let place = here, steps.count < 8, !nodes[place].title.isEmpty {
            let node = nodes[place]
            steps.insert("\(checker.written(checker.kinds[node.kind])) \"\(node.title)\"", at: 0)
            guard let end = there, nodes[end].kind == node.kind, nodes[end].key == node.key else {
                return steps.joined(separator: " ")
            }
            (here, there) = (node.parent, nodes[end].parent)
            if here == there { return nil }
        }
        return nil
    }
}

extension Wording {
    fileprivate static let ambiguousTitle = Wording(
        "ambiguous_title",
        "several entries that have “{figure}” are called “{name}” — say where it stands, as in `of {way}`, "
            + "or give each a title of its own",
        fr:
            "plusieurs éléments qui ont « {figure} » s’appellent « {name} » — dites où il se trouve, "
            + "comme dans `of {way}`, ou donnez à chacun son propre titre",
        zh: "有多个带“{figure}”的条目都叫“{name}”——请写明所在位置，如 `of {way}`，或为各条目取不同的标题")
    static let twinTitles = Wording(
        "ambiguous_title",
        "several {kind} entries in the same place are called “{name}” — give each a title of its own",
        fr:
            "plusieurs {kind} au même endroit s’appellent « {name} » — donnez à chacun son propre titre",
        zh: "同一位置有多个 {kind} 都叫“{name}”——请为各条目取不同的标题")
}
