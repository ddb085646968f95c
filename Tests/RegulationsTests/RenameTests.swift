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

    private static let marks = "entry matiere\n    title text\n    mark grade in mark\n"

    /// A figure of units and a decision with values, as a jury may give them.
    private static func judged(_ figure: String, _ outcome: String) -> String {
        marks + """
            figure \(figure) shown by averages = mean of mark over matiere
            outcome \(outcome)
                met ADM "Admitted" when \(figure.prefix { $0 != " " }) reaches 10
                met AJAC "Admitted nevertheless" by hand
                else AJ too_low
            texts
                too_low "Too low"
            """
    }

    @Test func `a figure and an outcome with values take what a jury gave to their new names`() throws {
        let old = try Self.rulebook(Self.judged("average in mark \"Average\"", "result \"Result\""))
        let new = try Self.rulebook(
            Self.judged("overall in mark \"Overall\" was average, mean", "decision \"Decision\" was result"))
        let entries: JSON = [["kind": "matiere", "fields": ["title": "Algebra", "mark": 9]]]
        let note = GivenNote(author: "a", time: "2026-07-03T10:00:00Z", reason: "Jury")
        let given = GivenValues(
            figures: ["average": GivenValue(try #require(Exact(ratio: "19/2")), note: note)],
            outcomes: ["result": GivenValue(GivenOutcome(.met, "AJAC"), note: note)])
        let tree = try old.storedRecord(fields: .null, entries: entries).giving(given)
        let text = tree.stored(as: "r", of: "p").text
        let comparison = RulebookComparison(from: old, to: new)
        let (moved, losses) = try new.storedRecord(losing: text)
        #expect(losses == [] && comparison.givenLosses(in: tree) == [])
        #expect(try comparison.changes(from: tree, to: moved) == [])
        let standing = try new.standing(of: moved)
        #expect(standing.figure("overall")?.current == .value(try #require(Exact(ratio: "19/2"))))
        #expect(standing.outcomes.map { "\($0.name) \($0.decision.value ?? "-")" } == ["decision AJAC"])
        // The description tells both names, for forms and histories.
        let told = String(decoding: InstalledScheme.regulations().description(of: new), as: UTF8.self)
        #expect(told.contains(#""name":"overall","was":["average","mean"]"#))
        #expect(told.contains(#""was":["result"]"#))
    }

    @Test func `a second rename needs the first name only for records that skip a version`() throws {
        func rules(_ figure: String) throws -> Rulebook {
            try Self.rulebook(Self.marks + "figure \(figure) shown by averages = mean of mark over matiere")
        }
        let note = GivenNote(author: "a", time: "2026-07-03T10:00:00Z", reason: "Jury")
        let first = try rules("a in mark \"A\"")
        let tree = try first.storedRecord(fields: .null, entries: []).giving(
            GivenValues(figures: ["a": GivenValue(15, note: note)]))
        let text = tree.stored(as: "r", of: "p").text
        let second = try rules("b in mark \"B\" was a")
        let moved = try second.storedRecord(text)
        // b becomes c: a record that has moved to b follows, one that still says a does so if c was that, too.
        let third = try rules("c in mark \"C\" was b")
        let again = try third.storedRecord(moved.stored(as: "r", of: "p").text)
        #expect(again.givenByPeople(to: EntryID(""))?.figures["c"]?.value == 15)
        #expect(RulebookComparison(from: second, to: third).givenLosses(in: moved) == [])
        #expect(RulebookComparison(from: first, to: third).givenLosses(in: tree).map(\.field) == ["a"])
        let both = try rules("c in mark \"C\" was b, a")
        #expect(RulebookComparison(from: first, to: both).givenLosses(in: tree) == [])
        // c was a, and b is gone: what counted for b is lost.
        let other = try rules("c in mark \"C\" was a")
        #expect(RulebookComparison(from: second, to: other).givenLosses(in: moved).map(\.field) == ["b"])
        // Back to the first name.
        let back = try rules("a in mark \"A\" was b")
        let returned = try back.storedRecord(moved.stored(as: "r", of: "p").text)
        #expect(returned.givenByPeople(to: EntryID(""))?.figures["a"]?.value == 15)
    }

    @Test func `a rename beside a removal loses what is removed alone`() throws {
        let two = "figure average in mark \"A\" shown by averages = mean of mark over matiere\n"
        let old = try Self.rulebook(
            Self.marks + two + "figure top in mark \"B\" shown by averages = greatest of mark over matiere")
        let new = try Self.rulebook(
            Self.marks + "figure highest in mark \"B\" was top shown by averages = greatest of mark over matiere")
        let note = GivenNote(author: "a", time: "2026-07-03T10:00:00Z", reason: "Jury")
        let tree = try old.storedRecord(fields: .null, entries: []).giving(
            GivenValues(figures: ["average": GivenValue(12, note: note), "top": GivenValue(15, note: note)]))
        #expect(RulebookComparison(from: old, to: new).givenLosses(in: tree).map(\.field) == ["average"])
        let moved = try new.storedRecord(tree.stored(as: "r", of: "p").text)
        #expect(try new.standing(of: moved).figure("highest")?.current == .value(15))
    }

    @Test(arguments: [
        // Two with one former name; a name of today; a circle; an outcome; groups that show theirs side by side.
        "figure a in mark was old shown by averages = 1 in mark\nfigure b in mark was old shown by averages = 2 in mark",
        "figure a in mark shown by averages = 1 in mark\nfigure b in mark was a shown by averages = 2 in mark",
        "figure a in mark was b shown by averages = 1 in mark\nfigure b in mark was a shown by averages = 2 in mark",
        "figure a in mark was a shown by averages = 1 in mark",
        "figure a in mark was old, old shown by averages = 1 in mark",
        "hidden figure a in mark was b = 1 in mark\nfigure b in mark shown by averages = 2 in mark",
        "outcome a\n    needs 1 > 2 else no\noutcome b was a\n    needs 1 > 2 else no",
    ])
    func `a former name of a figure is one that no other has or had`(_ rules: String) {
        let codes = Document.faults(Self.marks + rules).map { String($0.prefix { $0 != ":" }) }
        #expect(Set(codes) == ["former_name"])
    }

    @Test func `a figure may take the former name of one of another kind, and of an outcome`() throws {
        _ = try Self.rulebook(
            Self.marks + """
                figure a of matiere in mark was old shown by averages = mark
                figure a in mark was old shown by averages = mean of a over matiere
                outcome b was old, c
                    needs a reaches 10 else no
                """)
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
