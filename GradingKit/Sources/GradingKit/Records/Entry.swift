/// Identifies an entry within its record: opaque text, chosen by the server (or, in a calculation, by the caller).
public struct EntryID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The identifier as it stands in documents.
    public let text: String

    /// Wraps an identifier.
    public init(_ text: String) { self.text = text }

    /// The identifier's text.
    public var description: String { text }

    /// Later entries have greater identifiers.
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }

    /// The record itself, which has no identifier among its entries.
    static let record = EntryID("")
}

/// One node of a record's tree. Its values stand in the order of its kind's fields.
public struct Entry: Sendable, Hashable {
    /// Which entry it is.
    public let id: EntryID
    let kind: Int
    /// Its status; `nil` for an ordinary, graded or still ungraded one.
    public internal(set) var status: Status?
    /// Whether it is kept from the student until it is released.
    public internal(set) var isHidden = false
    /// While it is hidden, what the student goes on seeing in its place; `nil` for nothing.
    var shown: Shown?
    var values: [FieldValue]
    /// The entries that stand in it, in the order they were made.
    public internal(set) var children: [Entry] = []

    /// What an entry said before something hidden was written into it.
    struct Shown: Sendable, Hashable {
        var status: Status?
        var values: [FieldValue]
    }

    /// The entry's own values as the student sees them; `nil` when the student sees no such entry.
    var seen: Shown? { isHidden ? shown : Shown(status: status, values: values) }
}

/// A whole record: the record-level fields and the entries, under one shape.
public struct RecordTree: Sendable {
    /// The shape by which it was read.
    public let shape: RecordShape
    var root: Entry

    /// A record without fields and entries.
    public init(shape: RecordShape) {
        self.shape = shape
        root = Entry(
            id: .record, kind: 0, values: [FieldValue](repeating: .none, count: shape.record.fields.count))
    }

    /// The outermost entries.
    public var entries: [Entry] { root.children }

    /// Whether anything in it is kept from the student.
    public var hasHidden: Bool { Self.hasHidden(root.children) }

    private static func hasHidden(_ entries: [Entry]) -> Bool {
        entries.contains { $0.isHidden || hasHidden($0.children) }
    }

    /// The record as the student sees it: hidden entries as they were before something hidden was written into them,
    /// and without those that were hidden from the first, with what stands in them.
    public var released: RecordTree {
        guard hasHidden else { return self }
        var copy = self
        copy.root.children = Self.released(root.children)
        return copy
    }

    private static func released(_ entries: [Entry]) -> [Entry] {
        entries.compactMap { entry in
            guard let seen = entry.seen else { return nil }
            var entry = entry
            (entry.isHidden, entry.shown, entry.status, entry.values) = (false, nil, seen.status, seen.values)
            entry.children = released(entry.children)
            return entry
        }
    }

    /// The place of an entry: its index in each parent, outermost first.
    func path(to id: EntryID) -> [Int]? { Self.path(to: id, in: root.children) }

    private static func path(to id: EntryID, in entries: [Entry]) -> [Int]? {
        for (index, entry) in entries.enumerated() {
            if entry.id == id { return [index] }
            if let rest = path(to: id, in: entry.children) { return [index] + rest }
        }
        return nil
    }

    /// The entry, if the record has it.
    public func entry(_ id: EntryID) -> Entry? {
        path(to: id)?.reduce(root) { $0.children[$1] }
    }

    /// The outermost entry at a position, counted from 1.
    public func entry(atPosition position: Int) -> Entry? {
        root.children.indices.contains(position - 1) ? root.children[position - 1] : nil
    }

    /// The kind of an entry of this record.
    public func kind(of entry: Entry) -> Kind { shape.kinds[entry.kind].kind }

    /// How many entries there are.
    public var count: Int { Self.count(root.children) }

    private static func count(_ entries: [Entry]) -> Int { entries.reduce(0) { $0 + 1 + count($1.children) } }
}

extension RecordTree {
    /// Writes the record-level fields as an object.
    public func writeFields(to writer: inout JSONWriter) { write(fieldsOf: root, to: &writer) }

    /// Writes the entries as an array of subtrees.
    public func writeEntries(to writer: inout JSONWriter) {
        writer.array { for (index, entry) in root.children.enumerated() { write(entry, at: index + 1, to: &$0) } }
    }

    /// Writes one entry with its subtree; `nil` when the record does not have it.
    public func json(of id: EntryID) -> [UInt8]? {
        guard let path = path(to: id), let last = path.last else { return nil }
        var writer = JSONWriter()
        write(path.reduce(root) { $0.children[$1] }, at: last + 1, to: &writer)
        return writer.bytes
    }

    /// Writes one entry with its parent, for the history: enough to put it back where it stood.
    public func memoir(of id: EntryID, withChildren isDeep: Bool) -> [UInt8]? {
        guard let path = path(to: id), let last = path.last, let place = place(of: id) else { return nil }
        var entry = path.reduce(root) { $0.children[$1] }
        if !isDeep { entry.children = [] }
        var writer = JSONWriter()
        write(entry, at: last + 1, in: .some(place.parent), to: &writer)
        return writer.bytes
    }

    /// Writes the record-level fields for the history.
    public var fieldsMemoir: [UInt8] {
        var writer = JSONWriter()
        writer.object {
            $0.name("fields")
            writeFields(to: &$0)
        }
        return writer.bytes
    }

    /// Where an entry stands: its parent (`nil` for the record) and its position there, from 1.
    public func place(of id: EntryID) -> (parent: EntryID?, position: Int)? {
        guard let path = path(to: id), let last = path.last else { return nil }
        let parent = path.dropLast().reduce(root) { $0.children[$1] }
        return (parent.id == .record ? nil : parent.id, last + 1)
    }

    /// Writes a subtree; with `parent`, the outermost entry also names where it stands.
    private func write(_ entry: Entry, at position: Int, in parent: EntryID?? = nil, to writer: inout JSONWriter) {
        writer.object {
            $0.member("id", entry.id.text)
            if let parent { $0.member("parent", parent?.text) }
            $0.member("kind", shape.kinds[entry.kind].kind.name)
            $0.member("position", position)
            $0.member("status", entry.status?.rawValue)
            $0.member("hidden", entry.isHidden)
            if let shown = entry.shown {
                $0.member("shown") { writer in
                    writer.object {
                        $0.member("status", shown.status?.rawValue)
                        $0.name("fields")
                        write(shown.values, of: entry.kind, to: &$0)
                    }
                }
            }
            $0.name("fields")
            write(fieldsOf: entry, to: &$0)
            $0.member("children") { writer in
                writer.array {
                    for (index, child) in entry.children.enumerated() { write(child, at: index + 1, to: &$0) }
                }
            }
        }
    }

    private func write(fieldsOf entry: Entry, to writer: inout JSONWriter) {
        write(entry.values, of: entry.kind, to: &writer)
    }

    private func write(_ values: [FieldValue], of kind: Int, to writer: inout JSONWriter) {
        writer.object {
            let fields = shape.kinds[kind].fields
            for slot in fields.indices where slot < values.count {
                $0.name(fields[slot].name)
                values[slot].write(to: &$0)
            }
        }
    }
}
