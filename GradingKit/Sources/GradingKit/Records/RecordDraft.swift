/// A record, or a part of one, while it is being read or changed.
struct RecordDraft {
    let shape: RecordShape
    private(set) var nodes: [RecordNode] = []
    private(set) var ids = EntryIDs()
    private(set) var values: [FieldValue] = []
    /// What the student still sees of hidden entries.
    private(set) var shown: [EntryID: EntryContent] = [:]
    /// Which staff member entered which value and which status.
    private(set) var authors = RecordAuthors()
    /// The given values and grade adjustments of entries.
    private(set) var extras: [EntryExtra] = []
    private var text: RecordText?

    /// Creates an empty part of a record; the first entry appended is its outermost one.
    init(partOf shape: RecordShape) { self.shape = shape }

    /// Creates a record without fields and entries.
    init(shape: RecordShape) {
        self.init(partOf: shape)
        append(.record, kind: 0, in: 0)
    }

    /// Creates a draft of the given record.
    init(_ tree: RecordTree) {
        let body = tree.body
        shape = body.shape
        nodes = body.nodes
        ids = body.ids
        values = body.values
        shown = body.shown
        authors = body.authors
        extras = body.extras
        text = tree.text
    }

    /// Creates a part from an entry with everything in it.
    init(_ entry: Entry) {
        self.init(partOf: entry.body.shape)
        let (start, end) = (entry.index, entry.body.nodes[entry.index].end)
        let firstValue = entry.body.nodes[start].values
        for index in start..<end {
            var node = entry.body.nodes[index]
            node.parent = max(0, node.parent - start)
            node.end -= start
            node.values -= firstValue
            node.extra = 0
            nodes.append(node)
            ids.append(utf8: entry.body.ids[utf8: index])
            values.append(contentsOf: entry.body.values(of: index))
            if let extra = entry.body.extra(of: index) { set(extra, of: nodes.count - 1) }
            if let content = entry.body.shown(for: index) { show(content, for: nodes.count - 1) }
        }
        guard !entry.body.authors.isEmpty else { return }
        authors.values = entry.body.authors.values.part(firstValue..<(firstValue + values.count))
        authors.statuses = entry.body.authors.statuses.part(start..<end)
    }

    /// Reserves space for `count` entries, so that a typical record is not reallocated while it grows.
    mutating func reserve(_ count: Int) {
        nodes.reserveCapacity(count)
        ids.reserve(count)
        values.reserveCapacity(count * 4)
    }

    /// The draft as a record.
    var body: RecordBody {
        RecordBody(
            shape: shape, nodes: nodes, ids: ids, values: values, shown: shown, authors: authors, extras: extras)
    }

    /// The draft as a record tree, which still has the stored text of unchanged entries.
    var tree: RecordTree { RecordTree(body, text: text) }

    /// Appends an entry without values; its subtree is open until `close`.
    @discardableResult
    mutating func append(_ id: EntryID, kind: Int, in parent: Int) -> Int {
        let index = open(id, kind: kind, in: parent)
        values.append(contentsOf: repeatElement(.none, count: shape.kinds[kind].fields.count))
        return index
    }

    /// Appends an entry; the caller appends its values next.
    mutating func open(_ id: EntryID, kind: Int, in parent: Int) -> Int {
        open(utf8: id.text.utf8, kind: kind, in: parent)
    }

    /// Appends an entry by the text of its identifier.
    mutating func open(utf8 id: some Sequence<UInt8>, kind: Int, in parent: Int) -> Int {
        text = nil
        nodes.append(RecordNode(kind: kind, parent: parent, end: nodes.count + 1, values: values.count))
        ids.append(utf8: id)
        return nodes.count - 1
    }

    /// Appends the next value of the entry opened last.
    mutating func append(_ value: FieldValue) { values.append(value) }

    /// Closes an entry: everything appended since it was opened is in its subtree.
    mutating func close(_ index: Int) { nodes[index].end = nodes.count }

    /// Sets the value of a field.
    mutating func set(_ slot: Int, of index: Int, to value: FieldValue) {
        values[nodes[index].values + slot] = value
        text?.forget(index, of: nodes)
    }

    /// Sets the status of an entry.
    mutating func set(_ status: Status?, of index: Int) {
        nodes[index].status = status
        text?.forget(index, of: nodes)
    }

    /// Sets the author of a value; `nil` for the student.
    mutating func enter(_ slot: Int, of index: Int, by author: String?) {
        if author == nil, authors.values.isEmpty { return }
        authors.values[nodes[index].values + slot] = author
        text?.forget(index, of: nodes)
    }

    /// Sets the author of an entry's status; `nil` for the student.
    mutating func enterStatus(of index: Int, by author: String?) {
        if author == nil, authors.statuses.isEmpty { return }
        authors.statuses[index] = author
        text?.forget(index, of: nodes)
    }

    /// Sets a staff member as the author of everything in the draft.
    mutating func enterAll(by author: String) {
        for index in nodes.indices {
            for slot in shape.kinds[nodes[index].kind].fields.indices where values[nodes[index].values + slot] != .none
            {
                enter(slot, of: index, by: author)
            }
            if nodes[index].status != nil { enterStatus(of: index, by: author) }
        }
    }

    /// Hides an entry from the student, or releases it.
    mutating func hide(_ index: Int, _ isHidden: Bool) {
        nodes[index].isHidden = isHidden
        text?.forget(index, of: nodes)
    }

    /// Sets what the student sees in place of a hidden entry; `nil` for nothing.
    mutating func show(_ content: EntryContent?, for index: Int) {
        if content == nil, shown.isEmpty { return }
        shown[ids[index]] = content
        text?.forget(index, of: nodes)
    }

    /// Sets the extra data that only some entries have.
    mutating func set(_ extra: EntryExtra, of index: Int) {
        if nodes[index].extra > 0 {
            extras[Int(nodes[index].extra) - 1] = extra
        } else if !extra.isEmpty {
            extras.append(extra)
            nodes[index].extra = Int32(truncatingIfNeeded: extras.count)
        }
        if extra.isEmpty, nodes[index].extra > 0 {
            nodes[index].extra = 0
            dropUnusedExtras()
        }
        text?.forget(index, of: nodes)
    }

    /// Returns the extra data that only some entries have.
    func extra(of index: Int) -> EntryExtra {
        nodes[index].extra > 0 ? extras[Int(nodes[index].extra) - 1] : EntryExtra()
    }

    /// The nesting level of an entry in entries of the same kind, itself included; 0 if the entry is of another kind.
    func level(of index: Int, _ kind: Int) -> Int {
        var (index, level) = (index, 0)
        while nodes.indices.contains(index), nodes[index].kind == kind {
            level += 1
            // The first entry of a part is its own parent.
            if nodes[index].parent >= index { break }
            index = nodes[index].parent
        }
        return level
    }

    /// Changes the identifier of an entry.
    mutating func rename(_ index: Int, to id: EntryID) {
        var one = EntryIDs()
        one.append(id)
        if let content = shown.removeValue(forKey: ids[index]) { shown[id] = content }
        ids.removeSubrange(index..<(index + 1))
        ids.insert(contentsOf: one, at: index)
        text = nil
    }

    /// Returns an entry's own status and values as a copy, because a slice would force a copy of all values at the next
    /// change.
    func content(of index: Int) -> EntryContent {
        let start = nodes[index].values
        let end = start + shape.kinds[nodes[index].kind].fields.count
        var content = EntryContent(status: nodes[index].status, values: Array(values[start..<end])[...])
        content.given = extra(of: index).people
        if authors.isEmpty { return content }
        content.authors.values = authors.values.part(start..<end)
        content.authors.statuses[0] = authors.statuses[index]
        return content
    }

    /// Sets the status and values of an entry, with their authors, and the values that people gave it.
    mutating func assign(_ content: EntryContent, to index: Int) {
        for (slot, value) in content.values.enumerated() {
            set(slot, of: index, to: value)
            enter(slot, of: index, by: content.authors.values[slot])
        }
        set(content.status, of: index)
        enterStatus(of: index, by: content.authors.statuses[0])
        if content.given != nil || nodes[index].extra > 0 { give(content.given, to: index) }
    }

    /// Gives an entry all content of another of its kind, hidden or not.
    mutating func assign(_ entry: Entry, to index: Int) {
        assign(entry.content, to: index)
        hide(index, entry.isHidden)
        show(entry.shown, for: index)
        if nodes[index].extra > 0 || entry.body.nodes[entry.index].extra > 0 {
            set(entry.body.extra(of: entry.index) ?? EntryExtra(), of: index)
        }
    }
}

extension RecordDraft {
    /// Inserts a part into an entry, before the child at a position, or last. Returns the number of the part's
    /// outermost entry.
    mutating func insert(_ part: RecordDraft, in parent: Int, at place: Int) -> Int {
        var (start, passed) = (parent + 1, 0)
        while passed < place, start < nodes[parent].end {
            start = nodes[start].end
            passed += 1
        }
        text = nil
        let firstValue = start < nodes.count ? nodes[start].values : values.count
        move(from: start, by: part.nodes.count, values: part.values.count)
        widen(parent, by: part.nodes.count)
        let known = Int32(truncatingIfNeeded: extras.count)
        extras += part.extras
        let inserted = part.nodes.enumerated().map { index, node in
            var node = node
            if node.extra > 0 { node.extra += known }
            node.parent = index == 0 ? parent : node.parent + start
            node.end += start
            node.values += firstValue
            return node
        }
        nodes.insert(contentsOf: inserted, at: start)
        ids.insert(contentsOf: part.ids, at: start)
        values.insert(contentsOf: part.values, at: firstValue)
        authors.values.insert(part.authors.values, count: part.values.count, at: firstValue)
        authors.statuses.insert(part.authors.statuses, count: part.nodes.count, at: start)
        shown.merge(part.shown) { _, new in new }
        return start
    }

    /// Removes an entry with everything in it.
    mutating func remove(_ index: Int) {
        text = nil
        let (end, parent) = (nodes[index].end, nodes[index].parent)
        let first = nodes[index].values
        let last = end < nodes.count ? nodes[end].values : values.count
        move(from: end, by: index - end, values: first - last)
        widen(parent, by: index - end)
        nodes.removeSubrange(index..<end)
        if !shown.isEmpty { for id in ids[index..<end] { shown[id] = nil } }
        ids.removeSubrange(index..<end)
        values.removeSubrange(first..<last)
        authors.values.remove(first..<last)
        authors.statuses.remove(index..<end)
        dropUnusedExtras()
    }

    /// Removes extra data that no entry uses any more.
    private mutating func dropUnusedExtras() {
        if extras.isEmpty { return }
        var kept: [EntryExtra] = []
        for index in nodes.indices where nodes[index].extra > 0 {
            kept.append(extras[Int(nodes[index].extra) - 1])
            nodes[index].extra = Int32(truncatingIfNeeded: kept.count)
        }
        extras = kept
    }

    /// Renumbers all entries from `start` on.
    private mutating func move(from start: Int, by distance: Int, values valueDistance: Int) {
        for index in start..<nodes.count {
            if nodes[index].parent >= start { nodes[index].parent += distance }
            nodes[index].end += distance
            nodes[index].values += valueDistance
        }
    }

    /// Changes the end of an entry, and of all its ancestors, by a number of entries.
    private mutating func widen(_ index: Int, by distance: Int) {
        var index = index
        nodes[index].end += distance
        while index > 0 {
            index = nodes[index].parent
            nodes[index].end += distance
        }
    }
}
