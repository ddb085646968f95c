@testable import GradingKit
import Testing

@Suite struct EntryIDsTests {
    private func names(_ count: Int, _ dice: inout SystemLikeDice) -> [EntryID] {
        (0..<count).map { _ in
            EntryID(String(repeating: "é", count: .random(in: 0...2, using: &dice)) + "\(dice.next() % 10_000)")
        }
    }

    private func ids(_ names: [EntryID]) -> EntryIDs {
        var ids = EntryIDs()
        for name in names { ids.append(name) }
        return ids
    }

    @Test func `identifiers put in and taken out are those that a list would hold`() {
        var dice = SystemLikeDice(seed: 23)
        for _ in 0..<200 {
            var list = names(.random(in: 0...6, using: &dice), &dice)
            var ids = ids(list)
            for _ in 0..<6 {
                let place = Int.random(in: 0...list.count, using: &dice)
                let end = Int.random(in: place...list.count, using: &dice)
                let others = names(.random(in: 0...3, using: &dice), &dice)
                ids.insert(contentsOf: self.ids(others), at: place)
                list.insert(contentsOf: others, at: place)
                ids.removeSubrange(place..<end)
                list.removeSubrange(place..<end)
                #expect(Array(ids) == list)
                for name in list + others { #expect(ids.place(of: name) == list.firstIndex(of: name)) }
            }
        }
    }

    @Test func `many are found in whatever order they are asked for, and strangers are not`() {
        var dice = SystemLikeDice(seed: 12)
        let names = (0..<40).map { EntryID($0.isMultiple(of: 2) ? "é\($0)" : "\($0)") }
        let ids = ids(names)
        let asked = (names + names + [EntryID("stranger")] + names.reversed()).shuffled(using: &dice)
        #expect(ids.places(of: asked) == asked.map { names.firstIndex(of: $0) })
    }

    @Test func `an identifier is found in whatever form its letters are written`() {
        let ids = ids([EntryID("x"), EntryID("caf\u{e9}")])
        #expect(ids.place(of: EntryID("cafe\u{301}")) == 1)
        #expect(ids.place(of: EntryID("cafe")) == nil)
        #expect(ids.place(of: EntryID("")) == nil)
        let places = ids.indices.filter { ids.holds(EntryID("cafe\u{301}"), at: $0) }
        #expect(places == [1])
        let found = ids.identifier(at: 1, like: EntryID("cafe\u{301}"))
        #expect(Array(found.text.utf8) == Array("caf\u{e9}".utf8), "in the form in which it is kept")
    }
}
