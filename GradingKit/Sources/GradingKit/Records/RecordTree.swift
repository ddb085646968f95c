/// A whole record: the record-level fields and the entries, under one shape.
public struct RecordTree: Sendable {
    let body: RecordBody
    /// The text last stored; `nil` for a record that was never stored, or whose set of entries has changed.
    let text: RecordText?

    init(_ body: RecordBody, text: RecordText? = nil) {
        self.body = body
        self.text = text
    }

    /// Creates a record without fields and entries.
    public init(shape: RecordShape) { self.init(RecordDraft(shape: shape).body) }

    /// The shape under which it was read.
    public var shape: RecordShape { body.shape }

    /// The record itself, as the ancestor of all entries.
    var root: Entry { Entry(body: body, index: 0) }

    /// The outermost entries.
    public var entries: [Entry] { root.children }

    /// The number of entries.
    public var count: Int { body.nodes.count - 1 }

    /// Whether anything in it is hidden from the student.
    public var hasHidden: Bool {
        body.nodes.contains { $0.isHidden }
            || body.extras.contains {
                $0.given?.released != nil || $0.people?.isForStaff == true
            }
    }

    /// The record as the student sees it: hidden entries with the content they had before hidden values were written,
    /// and without the entries that are hidden entirely, with everything in them.
    public var released: RecordTree {
        guard hasHidden else { return self }
        var draft = RecordDraft(self)
        // From the last entry on, so that no number changes before its entry is processed.
        for index in body.nodes.indices.reversed() where body.nodes[index].isHidden {
            guard let content = body.shown(for: index) else {
                draft.remove(index)
                continue
            }
            draft.assign(content, to: index)
            draft.hide(index, false)
            draft.show(nil, for: index)
            // The adjustment of a hidden grade would reveal it, unless every student has it.
            if body.nodes[index].extra > 0 {
                draft.set(
                    EntryExtra(
                        given: body.given(to: index),
                        people: body.isLink(index) ? body.givenByPeople(to: index) : content.given,
                        adjustments: content.adjustments), of: index)
            }
        }
        for index in draft.nodes.indices where draft.nodes[index].extra > 0 {
            var extra = draft.extra(of: index)
            if let released = extra.given?.released {
                extra.given?.full = released
                extra.given?.released = nil
            }
            extra.people = extra.people?.released
            draft.set(extra, of: index)
        }
        return draft.tree
    }

    /// Returns the entry; `nil` if the record does not have it.
    public func entry(_ id: EntryID) -> Entry? {
        guard id != .record, let index = body.index(of: id) else { return nil }
        return Entry(body: body, index: index)
    }

    /// Returns the outermost entry at a position, counted from 1.
    public func entry(atPosition position: Int) -> Entry? {
        let entries = entries
        return entries.indices.contains(position - 1) ? entries[position - 1] : nil
    }

    /// Returns the kind of an entry of this record.
    public func kind(of entry: Entry) -> Kind { shape.kinds[entry.kind].kind }

    /// Returns the place of an entry: its parent, `nil` for the record, and its position there, from 1.
    public func place(of id: EntryID) -> (parent: EntryID?, position: Int)? {
        guard let entry = entry(id) else { return nil }
        let parent = body.nodes[entry.index].parent
        return (parent == 0 ? nil : body.ids[parent], body.position(of: entry.index))
    }
}

extension RecordTree {
    /// Returns the same record with one staff member as the author of everything.
    public func entered(by author: String) -> RecordTree {
        var draft = RecordDraft(self)
        draft.enterAll(by: author)
        return draft.tree
    }

    /// The accounts of the staff who entered anything in the record.
    public var authors: Set<String> {
        var found = Set(body.nodes.indices.lazy.compactMap { body.authors.statuses[$0] })
        found.formUnion(body.values.indices.lazy.compactMap { body.authors.values[$0] })
        for extra in body.extras { found.formUnion(extra.people?.authors ?? []) }
        return found
    }

    /// Writes the record in its stored form, `{"id","program","fields","entries"}`.
    ///
    /// The returned tree is the same record and remembers the text. If only values change, the next call rewrites only
    /// the changed entries.
    public func stored(as id: String, of program: String) -> (text: [UInt8], tree: RecordTree) {
        // A change of one entry makes the text only slightly longer.
        var writer = JSONWriter(capacity: 256 + (self.text?.bytes.count ?? count * 192))
        var places = [Range<Int>](repeating: 0..<0, count: body.nodes.count)
        writer.object {
            $0.member("id", id)
            $0.member("program", program)
            $0.name("fields")
            writeFields(to: &$0)
            write(authorsOf: body.content(of: 0), of: 0, to: &$0)
            body.extra(of: 0)?.write(to: &$0)
            $0.name("entries")
            write(childrenOf: 0, to: &$0, noting: &places)
        }
        let text = writer.bytes
        return (text, RecordTree(body, text: RecordText(text, places: places)))
    }

    /// Writes the record-level fields as an object.
    public func writeFields(to writer: inout JSONWriter) { write(fieldsOf: 0, to: &writer) }

    /// Writes the entries as an array of subtrees.
    public func writeEntries(to writer: inout JSONWriter) {
        var places: [Range<Int>] = []
        write(childrenOf: 0, to: &writer, noting: &places)
    }

    /// Returns one entry with its subtree as JSON; `nil` when the record does not have it.
    public func json(of id: EntryID) -> [UInt8]? {
        guard let entry = entry(id) else { return nil }
        var writer = JSONWriter()
        write(entry, to: &writer)
        return writer.bytes
    }

    /// Writes one entry with its subtree; `null` when the record does not have it.
    public func write(_ id: EntryID, to writer: inout JSONWriter) {
        if let entry = entry(id) { write(entry, to: &writer) } else { writer.null() }
    }

    private func write(_ entry: Entry, to writer: inout JSONWriter) {
        var places: [Range<Int>] = []
        write(entry.index, at: body.position(of: entry.index), to: &writer, noting: &places)
    }

    /// The record-level fields and the values that people gave the record itself, as JSON for the history.
    public var fieldsMemoir: [UInt8] {
        var writer = JSONWriter()
        writer.object {
            $0.name("fields")
            writeFields(to: &$0)
            write(authorsOf: body.content(of: 0), of: 0, to: &$0)
            body.extra(of: 0)?.write(to: &$0)
        }
        return writer.bytes
    }

    /// Returns one entry with its parent as JSON, for the history: enough to restore it at its place.
    public func memoir(of id: EntryID, withChildren isDeep: Bool) -> [UInt8]? {
        guard let index = entry(id)?.index else { return nil }
        var (writer, places) = (JSONWriter(), [Range<Int>]())
        write(
            index, at: body.position(of: index), in: body.nodes[index].parent, withChildren: isDeep, to: &writer,
            noting: &places)
        return writer.bytes
    }

    /// Writes a subtree; with `parent`, the outermost entry also names its parent, where 0 is the record.
    ///
    /// - Parameter places: collects the range of each entry by its number, unless the array is empty.
    private func write(
        _ index: Int, at position: Int, in parent: Int? = nil, withChildren isDeep: Bool = true,
        to writer: inout JSONWriter, noting places: inout [Range<Int>]
    ) {
        let node = body.nodes[index]
        writer.object {
            $0.part("\"id\":")
            $0.string(utf8: body.ids[utf8: index])
            if let parent {
                $0.part(",\"parent\":")
                if parent == 0 { $0.null() } else { $0.string(utf8: body.ids[utf8: parent]) }
            }
            $0.part(shape.stored[node.kind].kind[...])
            $0.integer(position)
            $0.part(",\"status\":", node.status?.rawValue)
            $0.part(",\"hidden\":")
            $0.bool(node.isHidden)
            if node.extra > 0 { body.extra(of: index)?.write(to: &$0) }
            if node.isHidden, let shown = body.shown(for: index) { write(shown, of: node.kind, to: &$0) }
            $0.part(",\"fields\":")
            write(fieldsOf: index, to: &$0)
            if !body.authors.isEmpty { write(authorsOf: body.content(of: index), of: node.kind, to: &$0) }
            $0.part(",\"children\":")
            if isDeep { write(childrenOf: index, to: &$0, noting: &places) } else { $0.array { _ in } }
        }
    }

    /// Writes the children of an entry as an array. The depth of the shape bounds the recursion.
    private func write(childrenOf index: Int, to writer: inout JSONWriter, noting places: inout [Range<Int>]) {
        writer.array { writer in
            var (child, position) = (index + 1, 0)
            while child < body.nodes[index].end {
                position += 1
                let start = writer.nextPlace
                if let text, !text.places[child].isEmpty {
                    copy(child, from: text, to: &writer, noting: &places)
                } else {
                    write(child, at: position, to: &writer, noting: &places)
                    if !places.isEmpty { places[child] = start..<writer.bytes.count }
                }
                child = body.nodes[child].end
            }
        }
    }

    /// Copies an entry whose whole subtree has not changed since it was last stored.
    private func copy(
        _ index: Int, from text: RecordText, to writer: inout JSONWriter, noting places: inout [Range<Int>]
    ) {
        let old = text.places[index]
        let distance = writer.nextPlace - old.lowerBound
        writer.raw(text.bytes[old])
        guard !places.isEmpty else { return }
        for index in index..<body.nodes[index].end {
            let old = text.places[index]
            places[index] = (old.lowerBound + distance)..<(old.upperBound + distance)
        }
    }

    private func write(_ shown: EntryContent, of kind: Int, to writer: inout JSONWriter) {
        writer.part(",\"shown\":")
        writer.object {
            $0.part("\"status\":", shown.status?.rawValue)
            $0.part(",\"fields\":")
            write(shown.values, of: kind, to: &$0)
            write(authorsOf: shown, of: kind, to: &$0)
            if let given = shown.given { EntryExtra(people: given).write(to: &$0) }
        }
    }

    /// Writes which staff member entered what in an entry, unless the student entered everything.
    private func write(authorsOf content: EntryContent, of kind: Int, to writer: inout JSONWriter) {
        let names = shape.kinds[kind].fields.map(\.name)
        let entered = names.indices.filter { content.authors.values[$0] != nil }
        let status = content.authors.statuses[0]
        guard !entered.isEmpty || status != nil else { return }
        writer.part(",\"enteredBy\":")
        writer.object { writer in
            writer.member("fields") { writer in
                writer.object { for slot in entered { $0.member(names[slot], content.authors.values[slot]) } }
            }
            if let status { writer.member("status", status) }
        }
    }

    private func write(fieldsOf index: Int, to writer: inout JSONWriter) {
        write(body.values(of: index), of: body.nodes[index].kind, to: &writer)
    }

    private func write(_ values: ArraySlice<FieldValue>, of kind: Int, to writer: inout JSONWriter) {
        let stored = shape.stored[kind]
        writer.object {
            for (place, slot) in zip(values.indices, stored.forms.indices) {
                $0.part(stored.name(slot))
                values[place].write(to: &$0)
            }
        }
    }
}
