/// What one entry of a record is, apart from its name and its values.
struct RecordNode: Sendable, Equatable {
    /// The number of its kind in the shape.
    let kind: Int
    /// The number of the entry in which it stands; the record stands in itself.
    var parent: Int
    /// Where what stands in it ends: the number of the next entry that does not.
    var end: Int
    /// Where its values begin.
    var values: Int
    var status: Status?
    var isHidden = false
    /// The place of what only some entries have, counted from 1; 0 for most. It fills what alignment would leave empty.
    var extra: Int32 = 0
}

/// What an entry says of itself.
struct EntryContent: Sendable, Equatable {
    var status: Status?
    /// In the order of its kind's fields.
    var values: ArraySlice<FieldValue>
    /// Who entered it: values by their slots, the status as number 0.
    var authors = RecordAuthors()
}

/// A record laid out flat: every entry has a number, the record itself is 0, parents come before what stands in them.
///
/// So tree order is the order of numbers, a subtree is a range of them, and the values of all entries stand in one
/// array. Immutable and shared by all readers of the record; changed through a `RecordDraft`.
final class RecordBody: Sendable {
    let shape: RecordShape
    let nodes: [RecordNode]
    let ids: EntryIDs
    let values: [FieldValue]
    /// What the student goes on seeing of hidden entries: how they stood before something hidden was written into them.
    let shown: [EntryID: EntryContent]
    /// Who of staff entered which value and which status.
    let authors: RecordAuthors
    /// What is given to entries, and how their grades are adjusted.
    let extras: [EntryExtra]
    /// Whether a grade of the record is adjusted.
    let isAdjusted: Bool

    init(
        shape: RecordShape, nodes: [RecordNode], ids: EntryIDs, values: [FieldValue],
        shown: [EntryID: EntryContent] = [:], authors: RecordAuthors = RecordAuthors(), extras: [EntryExtra] = []
    ) {
        self.shape = shape
        self.nodes = nodes
        self.ids = ids
        self.values = values
        self.shown = shown
        self.authors = authors
        self.extras = extras
        isAdjusted = extras.contains { !$0.adjustments.isEmpty }
    }

    /// What only some entries have.
    @inline(__always)
    func extra(of index: Int) -> EntryExtra? {
        let place = Int(nodes[index].extra)
        return place > 0 ? extras[place - 1] : nil
    }

    /// What is given to an entry.
    func given(to index: Int) -> Given? { extra(of: index)?.given }

    /// Whether an entry stands for a row of a class.
    func isLink(_ index: Int) -> Bool { nodes[index].extra > 0 && given(to: index)?.link != nil }

    /// What an entry says of itself.
    func content(of index: Int) -> EntryContent {
        var content = EntryContent(status: nodes[index].status, values: values(of: index))
        if authors.isEmpty { return content }
        let start = nodes[index].values
        content.authors.values = authors.values.part(start..<(start + content.values.count))
        content.authors.statuses[0] = authors.statuses[index]
        return content
    }

    /// What the student goes on seeing of an entry.
    func shown(for index: Int) -> EntryContent? { shown.isEmpty ? nil : shown[ids[index]] }

    /// The number of an entry; the record itself goes by `EntryID.record`.
    func index(of id: EntryID) -> Int? { ids.place(of: id) }

    /// The numbers of the entries that stand directly in one, in their order.
    func children(of index: Int) -> RecordChildren { RecordChildren(nodes: nodes, parent: index) }

    /// The position of an entry among its siblings, from 1.
    func position(of index: Int) -> Int {
        var position = 1
        for sibling in children(of: nodes[index].parent) where sibling < index { position += 1 }
        return position
    }

    /// The values of an entry, in the order of its kind's fields.
    func values(of index: Int) -> ArraySlice<FieldValue> {
        let start = nodes[index].values
        return values[start..<(start + shape.kinds[nodes[index].kind].fields.count)]
    }
}

/// The entries that stand directly in another: from each, the next begins where what stands in it ends.
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
