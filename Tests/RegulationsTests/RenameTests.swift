import GradingKit
import Regulations
import Testing

/// Names that kinds and fields had in earlier versions of a document.
@Suite struct `Renames in a document` {
    private static func rulebook(_ entries: String) throws -> Rulebook {
        let regulation = Regulation(
            Array(
                """
                ```rules
                regulation test "Test" language 1
                scale mark "/20" worst 0 best 20 step 0.01
                rounding averages half up, 2 decimals, judged as shown
                \(entries)
                ```
                """.utf8))
        #expect(regulation.faults.map { "\($0.code): \($0.message(in: .english))" } == [])
        return try #require(regulation.rulebook)
    }

    private static let before = """
        entry matiere
            title text
            mark grade in mark
            points number optional
        figure average in mark "Average" shown by averages = mean of mark over matiere
        """
    private static let after = """
        entry subject "Subject" was matiere statuses excused
            title text
            score grade in mark was mark, note
        figure average in mark "Average" shown by averages = mean of score over subject
        """

    @Test func `a record moves to the new names with its values`() throws {
        let (old, new) = (try Self.rulebook(Self.before), try Self.rulebook(Self.after))
        let entries: JSON = [["kind": "matiere", "fields": ["title": "Algebra", "mark": 14]]]
        let tree = try old.calculation(fields: .null, entries: entries, newID: { EntryID("e") })
        let text = tree.stored(as: "r", of: "p").text
        let moved = try new.storedRecord(text)
        #expect(try new.standing(of: moved).figure("average")?.current == .value(14))
        let again = String(decoding: moved.stored(as: "r", of: "p").text, as: UTF8.self)
        #expect(again.contains(#""kind":"subject""#) && again.contains(#""score":14"#))
        #expect(!again.contains("mark"))
    }

    @Test func `what has no new name would be lost`() throws {
        let (old, new) = (try Self.rulebook(Self.before), try Self.rulebook(Self.after))
        let entries: JSON = [["kind": "matiere", "fields": ["title": "Algebra", "mark": 14, "points": "2.5"]]]
        let tree = try old.calculation(fields: .null, entries: entries, newID: { EntryID("e") })
        let (read, losses) = try new.storedRecord(losing: tree.stored(as: "r", of: "p").text)
        #expect(losses.map { [$0.entry?.text, $0.field, $0.value] } == [["e", "points", "2.5"]])
        #expect(try new.standing(of: read).figure("average")?.current == .value(14))
    }

    @Test func `of two fields that become one, the first name counts and the other value would be lost`() throws {
        let old = try Self.rulebook(
            """
            entry matiere
                title text
                mark grade in mark
                note grade in mark
            figure average in mark "Average" shown by averages = mean of mark over matiere
            """)
        let new = try Self.rulebook(Self.after)
        let entries: JSON = [["kind": "matiere", "fields": ["title": "Algebra", "note": 9, "mark": 14]]]
        let tree = try old.calculation(fields: .null, entries: entries, newID: { EntryID("e") })
        let (read, losses) = try new.storedRecord(losing: tree.stored(as: "r", of: "p").text)
        #expect(losses.map { [$0.entry?.text, $0.field, $0.value] } == [["e", "note", "9"]])
        #expect(try new.standing(of: read).figure("average")?.current == .value(14))
    }

    @Test func `what people gave a figure or an outcome that goes would be lost`() throws {
        let figures = """
            figure total in mark "Total" shown by averages = mean of mark over matiere
            outcome passed "Passed"
                needs total reaches 10 else too_low
            texts
                too_low "Too low"
            """
        let shape = "entry matiere\n    title text\n    mark grade in mark\n"
        let old = try Self.rulebook(shape + figures)
        let new = try Self.rulebook(
            shape + figures.replacing("total", with: "overall").replacing("passed", with: "achieved"))
        let entries: JSON = [["kind": "matiere", "fields": ["title": "Algebra", "mark": 14]]]
        let note = GivenNote(author: "a", time: "2026-07-03T10:00:00Z", reason: "Jury")
        let given = GivenValues(
            figures: ["total": GivenValue(try #require(Exact(ratio: "31/2")), note: note)],
            outcomes: ["passed": GivenValue(GivenOutcome(.unmet, nil), note: note)])
        let tree = try old.storedRecord(fields: .null, entries: entries).giving(given)
        let losses = RulebookComparison(from: old, to: new).givenLosses(in: tree)
        #expect(
            losses.map { [$0.entry?.text, $0.field, $0.value] } == [
                [nil, "passed", "unmet"], [nil, "total", "15.5"],
            ])
        #expect(RulebookComparison(from: old, to: old).givenLosses(in: tree) == [])
    }

    @Test(arguments: [
        ("entry part was unit\n    title text", "former_name"),
        ("entry part was old\n    title text\nentry piece was old\n    title text", "former_name"),
        ("entry part\n    title text\n    name text was title", "former_name"),
        ("entry part\n    a text was old\n    b text was old", "former_name"),
        ("entry record was old\n    prior number", "unexpected"),
        ("entry part was\n    title text", "unexpected"),
    ])
    func `a former name is one that nothing has any more`(_ rules: String, _ code: String) {
        #expect(Set(Document.faults(rules).map { String($0.prefix { $0 != ":" }) }) == [code])
    }
}
