/// One entry of a record, without its identifier and values.
struct RecordNode: Sendable, Equatable {
    /// The number of its kind in the shape.
    let kind: Int
    /// The number of its parent; the record is its own parent.
    var parent: Int
    /// The end of its subtree: the number of the first following entry that is not in it.
    var end: Int
    /// The index of its first value.
    var values: Int
    var status: Status?
    var isHidden = false
    /// The index of its extra data, counted from 1; 0 for most entries. The field uses space that alignment leaves
    /// free.
    var extra: Int32 = 0
}

/// An entry's own status and values.
struct EntryContent: Sendable, Equatable {
    var status: Status?
    /// In the order of the kind's fields.
    var values: ArraySlice<FieldValue>
    /// Who entered the values, by slot, and the status, as number 0.
    var authors = RecordAuthors()
    /// What people gave.
    var given: GivenValues?
    /// Applied to the grade in this order if a cell of a class is withheld.
    var adjustments: [GradeAdjustment] = []
}

/// A record in a flat layout: every entry has a number, the record itself is 0, and parents come before their children.
///
/// Tree order is therefore the order of numbers, a subtree is a range of them, and one array has the values of all
/// entries. Immutable and shared by all readers of the record; a `RecordDraft` makes changes.
final class RecordBody: Sendable {
    let shape: RecordShape
    let nodes: [RecordNode]
    let ids: EntryIDs
    let values: [FieldValue]
    /// What the student still sees of hidden entries: their content before hidden values were written.
    let shown: [EntryID: EntryContent]
    /// Which staff member entered which value and which status.
    let authors: RecordAuthors
    /// The given values and grade adjustments of entries.
    let extras: [EntryExtra]
    /// Whether any grade of the record is adjusted.
    let isAdjusted: Bool
    /// The numbers of the copies of earlier records; few, and none under most shapes.
    let copies: [Int]
    /// The groups of its entries, in a run of a scheme that has groupings.
    let groups: RecordGroups?

    init(
        shape: RecordShape, nodes: [RecordNode], ids: EntryIDs, values: [FieldValue],
        shown: [EntryID: EntryContent] = [:], authors: RecordAuthors = RecordAuthors(), extras: [EntryExtra] = [],
        groups: RecordGroups? = nil
    ) {
        self.shape = shape
        self.nodes = nodes
        self.ids = ids
        self.values = values
        self.shown = shown
        self.authors = authors
        self.extras = extras
        self.groups = groups
        isAdjusted = extras.contains { !$0.adjustments.isEmpty }
        copies =
            shape.hasCopies
            ? nodes.indices.filter { index in
                // Groups are of no kind of the shape.
                nodes[index].kind < shape.kinds.count && shape.kinds[nodes[index].kind].copies == Kind.record.name
            } : []
    }

    /// Returns the extra data that only some entries have.
    @inline(__always)
    func extra(of index: Int) -> EntryExtra? {
        let place = Int(nodes[index].extra)
        return place > 0 ? extras[place - 1] : nil
    }

    /// Returns what a class gives an entry.
    func given(to index: Int) -> Given? { extra(of: index)?.given }

    /// Returns what people gave an entry, or the record itself.
    func givenByPeople(to index: Int) -> GivenValues? {
        // Hardly any record has such values.
        extras.isEmpty ? nil : extra(of: index)?.people
    }

    /// Returns whether an entry stands for a row of a class.
    func isLink(_ index: Int) -> Bool { nodes[index].extra > 0 && given(to: index) != nil }

    /// Returns an entry's own status and values.
    func content(of index: Int) -> EntryContent {
        var content = EntryContent(status: nodes[index].status, values: values(of: index))
        content.given = givenByPeople(to: index)
        if authors.isEmpty { return content }
        let start = nodes[index].values
        content.authors.values = authors.values.part(start..<(start + content.values.count))
        content.authors.statuses[0] = authors.statuses[index]
        return content
    }

    /// Returns what the student still sees of a hidden entry.
    func shown(for index: Int) -> EntryContent? { shown.isEmpty ? nil : shown[ids[index]] }

    /// Returns the number of an entry; `EntryID.record` gives that of the record.
    func index(of id: EntryID) -> Int? { ids.place(of: id) }

    /// Returns the numbers of an entry's direct children, in order.
    func children(of index: Int) -> RecordChildren { RecordChildren(nodes: nodes, parent: index) }

    /// Returns the position of an entry among its siblings, from 1.
    func position(of index: Int) -> Int {
        var position = 1
        for sibling in children(of: nodes[index].parent) where sibling < index { position += 1 }
        return position
    }

    /// Returns the values of an entry, in the order of its kind's fields.
    func values(of index: Int) -> ArraySlice<FieldValue> {
        let start = nodes[index].values
        return values[start..<(start + shape.kinds[nodes[index].kind].fields.count)]
    }
}

/// The direct children of an entry: each begins where the subtree of the previous one ends.
struct RecordChildren: Sequence, IteratorProtocol {
    private let nodes: [RecordNode]
    private let end: Int
    private var following: Int

    init(nodes: [RecordNode], parent: Int) {
        self.nodes = nodes
        end = nodes[parent].end
        following = parent + 1
    }

    mutating func next() -> Int? {
        guard following < end else { return nil }
        defer { following = nodes[following].end }
        return following
    }
}
