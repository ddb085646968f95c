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

/// One entry of a record with everything that stands in it.
public struct Entry: Sendable {
    let body: RecordBody
    let index: Int

    /// Which entry it is.
    public var id: EntryID { body.ids[index] }
    /// Its status; `nil` for an ordinary, graded or still ungraded one.
    public var status: Status? { body.nodes[index].status }
    /// Whether it is kept from the student until it is released.
    public var isHidden: Bool { body.nodes[index].isHidden }
    /// The entries that stand in it, in the order they were made.
    public var children: [Entry] { body.children(of: index).map { Entry(body: body, index: $0) } }

    /// While it is hidden, what the student goes on seeing in its place; `nil` for nothing.
    var shown: EntryContent? { body.shown(for: index) }
    /// What the student sees of it; `nil` when the student sees no such entry.
    var seen: EntryContent? { isHidden ? shown : content }
    /// What it says of itself.
    var content: EntryContent { body.content(of: index) }

    /// What is given to it instead of being computed; `nil` for most.
    public var given: Given? { body.given(to: index) }
    /// The row of a class that it stands for.
    public var link: ClassLink? { given?.link }

    /// The number of its kind in the shape.
    var kind: Int { body.nodes[index].kind }
    /// Its values, in the order of its kind's fields.
    var values: ArraySlice<FieldValue> { body.values(of: index) }
}

extension Entry: Equatable {
    /// Whether two entries are the same in everything, wherever they stand.
    public static func == (left: Self, right: Self) -> Bool {
        left.id == right.id && left.kind == right.kind && left.content == right.content
            && left.isHidden == right.isHidden && left.shown == right.shown
            && left.body.extra(of: left.index) ?? EntryExtra() == right.body.extra(of: right.index) ?? EntryExtra()
            && left.children == right.children
    }
}
