@testable import GradingKit
import Testing

@Suite struct RecordTextTests {
    private static let entries: JSON = .array(
        (0..<3).map { number in
            [
                "kind": "unit", "fields": ["title": .string("Unit \(number)"), "weight": 3],
                "children": [
                    ["kind": "part", "fields": ["score": "9.25", "max": 10]],
                    ["kind": "part", "fields": ["max": "0.5"]],
                ],
            ]
        })

    /// The record without any memory of how it was written.
    private func forgetful(_ tree: RecordTree) -> RecordTree {
        let body = tree.body
        return RecordTree(
            RecordBody(shape: body.shape, nodes: body.nodes, ids: body.ids, values: body.values, shown: body.shown))
    }

    private func change(_ draft: inout RecordDraft, _ dice: inout SystemLikeDice) {
        let index = Int.random(in: 1..<draft.nodes.count, using: &dice)
        switch Int.random(in: 0..<6, using: &dice) {
        case 0: draft.set(.absent, of: index)
        case 1: draft.set(nil, of: index)
        case 2: draft.hide(index, Bool.random(using: &dice))
        case 3: draft.show(Bool.random(using: &dice) ? draft.content(of: index) : nil, for: index)
        case 4 where draft.nodes.count > 4: draft.remove(index)
        default: draft.set(1, of: index, to: .number(Exact(Int.random(in: 1...9_999, using: &dice))))
        }
    }

    @Test func `a record that remembers its text is written like one that does not`() throws {
        let rules = try Ledger.rules()
        var dice = SystemLikeDice(seed: 31)
        for _ in 0..<60 {
            var number = 0
            var tree = try rules.calculation(fields: ["prior": "12.5"], entries: Self.entries) {
                number += 1
                return EntryID("entry-\(number * 7)")
            }
            for _ in 0..<12 {
                var draft = RecordDraft(tree)
                for _ in 0..<Int.random(in: 0...2, using: &dice) { change(&draft, &dice) }
                let changed = draft.tree
                let plain = forgetful(changed).stored(as: "record", of: "program").text
                // Another identifier is of another length, so that all of the text stands elsewhere.
                let (text, written) = changed.stored(as: "record", of: "program")
                #expect(text == plain)
                #expect(written.stored(as: "r", of: "p").text == forgetful(changed).stored(as: "r", of: "p").text)
                tree = written
            }
        }
    }

    @Test func `what has not changed is copied`() throws {
        let rules = try Ledger.rules()
        let tree = try rules.calculation(fields: .null, entries: Self.entries) { EntryID("e") }
        let written = tree.stored(as: "record", of: "program").tree
        #expect(written.text?.places.dropFirst().allSatisfy { !$0.isEmpty } == true)
        var draft = RecordDraft(written)
        draft.set(.absent, of: 2)
        let places = try #require(draft.tree.text?.places)
        #expect(places.indices.filter { places[$0].isEmpty } == [0, 1, 2])
    }
}
