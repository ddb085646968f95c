/// A record laid out for calculation: every entry has a number, siblings lie side by side, and all values stand in one
/// array. Made once and shared by the runs of an evaluation.
final class FlatRecord: Sendable {
    struct Node: Sendable {
        let kind: Int
        let parent: Int
        let status: Status?
        /// Where its values begin.
        let values: Int
        /// Where its figures begin among those of a run.
        let figures: Int
        let children: Range<Int>
        /// The kind of all its children; `nil` where they differ.
        let childKind: Int?
    }

    /// The record itself first, parents before children.
    let nodes: [Node]
    /// The identifiers of the entries, by their numbers.
    let ids: [EntryID]
    let values: [FieldValue]
    let figureCount: Int

    init(_ tree: RecordTree, by rules: CompiledScheme) {
        var layout = Layout(rules: rules)
        layout.reserve(tree.root, in: 0)
        layout.fill(tree.root, at: 0)
        nodes = layout.nodes
        ids = layout.ids
        values = layout.values
        figureCount = layout.figureCount
    }

    /// Entries in tree order, parents before children, without the record.
    func inTreeOrder() -> [Int] {
        var order: [Int] = []
        order.reserveCapacity(nodes.count)
        appendChildren(of: 0, to: &order)
        return order
    }

    private func appendChildren(of index: Int, to order: inout [Int]) {
        for child in nodes[index].children {
            order.append(child)
            appendChildren(of: child, to: &order)
        }
    }
}

/// Gives numbers to the entries of a tree. Recursion is bounded by the depth of the shape.
private struct Layout {
    let rules: CompiledScheme
    var nodes: [FlatRecord.Node] = []
    var ids: [EntryID] = []
    var values: [FieldValue] = []
    var figureCount = 0

    init(rules: CompiledScheme) {
        self.rules = rules
        // A usual record fits; a greater one grows from there.
        nodes.reserveCapacity(128)
        ids.reserveCapacity(128)
        values.reserveCapacity(512)
    }

    /// Gives an entry its number; its children have none yet.
    mutating func reserve(_ entry: Entry, in parent: Int) {
        nodes.append(node(entry, in: parent, children: 0..<0))
        ids.append(entry.id)
        values.append(contentsOf: entry.values)
        figureCount += rules.figureCounts[entry.kind]
    }

    /// Lays out what stands in the entry of that number.
    mutating func fill(_ entry: Entry, at index: Int) {
        guard let kind = entry.children.first?.kind else { return }
        let start = nodes.count
        // Spans lend their elements: a copy of an entry would count references to all it holds.
        let children = entry.children.span
        var isUniform = true
        for place in children.indices {
            reserve(children[place], in: index)
            if children[place].kind != kind { isUniform = false }
        }
        nodes[index] = nodes[index].having(start..<nodes.count, of: isUniform ? kind : nil)
        for place in children.indices { fill(children[place], at: start + place) }
    }

    private func node(_ entry: Entry, in parent: Int, children: Range<Int>) -> FlatRecord.Node {
        FlatRecord.Node(
            kind: entry.kind, parent: parent, status: entry.status, values: values.count, figures: figureCount,
            children: children, childKind: nil)
    }
}

extension FlatRecord.Node {
    fileprivate func having(_ children: Range<Int>, of kind: Int?) -> FlatRecord.Node {
        FlatRecord.Node(
            kind: self.kind, parent: parent, status: status, values: values, figures: figures, children: children,
            childKind: kind)
    }
}
