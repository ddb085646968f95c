@testable import GradingKit
import Testing

@Suite struct RecordDraftTests {
    private static let shape = RecordShape(
        fields: [.text(Field("name"), LocalizedText(verbatim: "Name")).optional()],
        kinds: [
            KindShape(
                "box", LocalizedText(verbatim: "Box"),
                fields: [.number(Field("size"), LocalizedText(verbatim: "Size"))],
                children: [
                    KindShape(
                        "bag", LocalizedText(verbatim: "Bag"), fields: [],
                        children: [
                            KindShape(
                                "thing", LocalizedText(verbatim: "Thing"),
                                fields: [
                                    .number(Field("price"), LocalizedText(verbatim: "Price")),
                                    .text(Field("title"), LocalizedText(verbatim: "Title")),
                                ])
                        ])
                ])
        ])

    /// An entry with what stands in it, as one would draw it.
    private struct Node: Equatable {
        let id: EntryID
        let values: [FieldValue]
        var children: [Node] = []

        init(_ entry: Entry) {
            id = entry.id
            values = Array(entry.values)
            children = entry.children.map { Node($0) }
        }

        /// All of it in tree order, with the path to each.
        var places: [[Int]] {
            [[]] + children.enumerated().flatMap { index, child in child.places.map { [index] + $0 } }
        }

        subscript(path: ArraySlice<Int>) -> Node {
            get { path.first.map { children[$0][path.dropFirst()] } ?? self }
            set {
                guard let first = path.first else { return self = newValue }
                children[first][path.dropFirst()] = newValue
            }
        }
    }

    private func part(_ kind: Int, depth: Int, _ number: inout Int, _ dice: inout SystemLikeDice) -> RecordDraft {
        var part = RecordDraft(partOf: Self.shape)
        func add(_ kind: Int, in parent: Int, _ part: inout RecordDraft) {
            number += 1
            let index = part.append(EntryID("\(number)"), kind: kind, in: parent)
            if kind != 2 { part.set(0, of: index, to: .number(Exact(number))) }
            for _ in 0..<(kind < 3 ? Int.random(in: 0...2, using: &dice) : 0) { add(kind + 1, in: index, &part) }
            part.close(index)
        }
        add(kind, in: 0, &part)
        return part
    }

    @Test func `parts put in and taken out leave the record as one would draw it`() {
        var dice = SystemLikeDice(seed: 11)
        for _ in 0..<40 {
            var number = 0
            var draft = RecordDraft(shape: Self.shape)
            var drawn = Node(Entry(body: draft.body, index: 0))
            for _ in 0..<30 {
                let places = drawn.places
                let index = Int.random(in: 0..<places.count, using: &dice)
                let path = places[index][...]
                if index > 0, Int.random(in: 0..<3, using: &dice) == 0 {
                    draft.remove(index)
                    if let last = path.last { drawn[path.dropLast()].children.remove(at: last) }
                } else if path.count < 3 {
                    let part = part(path.count + 1, depth: path.count, &number, &dice)
                    let count = drawn[path].children.count
                    let place = Int.random(in: 0...(count + 1), using: &dice)
                    #expect(draft.insert(part, in: index, at: place) > index)
                    drawn[path].children.insert(Node(Entry(body: part.body, index: 0)), at: min(place, count))
                }
                #expect(Node(Entry(body: draft.body, index: 0)) == drawn)
                check(draft.body)
            }
        }
    }

    /// Every number in its place: parents before children, subtrees as ranges, values side by side.
    private func check(_ body: RecordBody) {
        var values = 0
        for (index, node) in body.nodes.enumerated() {
            #expect(node.values == values)
            values += Self.shape.kinds[node.kind].fields.count
            #expect(node.end > index && node.end <= body.nodes.count)
            if index > 0 {
                #expect(node.parent < index && body.nodes[node.parent].end >= node.end)
                #expect(Self.shape.kinds[node.kind].parent == Self.shape.kinds[body.nodes[node.parent].kind].kind)
            }
        }
        #expect(body.values.count == values && body.ids.count == body.nodes.count)
    }

    @Test func `an entry taken as a part is the same entry`() {
        var dice = SystemLikeDice(seed: 5)
        var number = 0
        var draft = RecordDraft(shape: Self.shape)
        for _ in 0..<6 { _ = draft.insert(part(1, depth: 0, &number, &dice), in: 0, at: .max) }
        let body = draft.body
        for index in body.nodes.indices.dropFirst() {
            let entry = Entry(body: body, index: index)
            let part = RecordDraft(entry).body
            #expect(Entry(body: part, index: 0) == entry)
            check(RecordBody(shape: part.shape, nodes: part.nodes, ids: part.ids, values: part.values))
        }
    }
}
