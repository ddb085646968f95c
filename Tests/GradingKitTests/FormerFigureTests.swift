import GradingKit
import Testing

/// Figures and outcomes that had other names when people gave them a value.
@Suite struct `Former names of figures` {
    private static func label(_ text: String) -> LocalizedText { LocalizedText(verbatim: text) }

    private static let course = KindShape(
        "course", label("Course"),
        fields: [.number(Field<Exact>("mark"), label("Mark")).optional().asGrade(best: 20)])
    private static let shown = Presentation(label("Average"), FigureRule(.halfUp, scale: 1, compareOn: .exact))

    /// Rules with a figure and an outcome of courses and of the record.
    private static func rules(
        _ figure: Figure, _ outcome: String, formerly names: [String] = [], decided former: [String] = [],
        adding more: Exact = 0
    ) -> Rulebook {
        Rulebook(scheme: "test", configuration: .null, shape: RecordShape(kinds: [course])) { registrar in
            for kind in [Kind("course"), .record] {
                registrar.calculate(figure, of: kind, shown, formerly: names) { _ in Quantity(more) }
                registrar.decide(outcome, of: kind, label("Passed"), formerly: former) {
                    ($0.figure(figure).value ?? .zero) >= 10 ? .met : .unmet()
                }
            }
            registrar.define("hidden", of: "course", formerly: ["secret"]) { _ in Quantity(1) }
        }
    }

    private static let given = #""by":"a","at":"2026-07-03T10:00:00Z","reason":"Jury","computed":"0"}"#

    private static func stored(_ own: String, _ members: String = "") -> [UInt8] {
        Array(
            """
            {"id":"r","program":"p","fields":{},"given":{\(own)},"entries":[{"id":"c","kind":"course","position":1,\
            "status":null,"hidden":false\(members),"fields":{"mark":8},"children":[]}]}
            """.utf8)
    }

    private static let old = stored(
        #""figures":{"average":{"value":"31/2",\#(given)},"outcomes":{"passed":{"value":"met",\#(given)}"#,
        #","given":{"figures":{"average":{"value":"12",\#(given)}}"#)

    @Test func `what people gave is read under the new names, and stored with them`() throws {
        let rules = Self.rules("mean", "achieved", formerly: ["average"], decided: ["passed"])
        let (tree, losses) = try rules.storedRecord(losing: Self.old)
        #expect(losses == [])
        let standing = try rules.standing(of: tree)
        #expect(standing.figure("mean")?.current == .value(try #require(Exact(ratio: "31/2"))))
        #expect(standing.outcomes.first?.name == "achieved" && standing.outcomes.first?.decision.state == .met)
        #expect(tree.givenByPeople(to: EntryID("c"))?.figures["mean"]?.value == 12)
        let text = String(decoding: tree.stored(as: "r", of: "p").text, as: UTF8.self)
        #expect(text.contains(#""mean":{"value":"31/2","by":"a""#) && text.contains(#""achieved":{"value":"met""#))
        #expect(!text.contains("average") && !text.contains("passed"))
    }

    @Test func `what a class gave, in either view, is read under the new names, hidden figures too`() throws {
        let text = Self.stored(
            "",
            #","class":"C","enrolment":"E","given":{"figures":{"average":{"current":"12"},"secret":{"current":"3"}},"awaitsGrade":false,"released":{"figures":{"average":{"current":"9"}},"awaitsGrade":false}}"#
        )
        let rules = Self.rules("mean", "achieved", formerly: ["average"])
        let tree = try rules.storedRecord(text)
        let again = String(decoding: tree.stored(as: "r", of: "p").text, as: UTF8.self)
        #expect(again.contains(#""given":{"figures":{"hidden":{"current":"3"},"mean":{"current":"12"}}"#))
        #expect(again.contains(#""released":{"figures":{"mean":{"current":"9"}}"#))
        #expect(try rules.standing(of: tree).entries.first?.figures.first?.current == .value(12))
    }

    @Test func `of two that become one the own name counts, then the first, and the other would be lost`() throws {
        let both = Self.stored(
            #""figures":{"first":{"value":"1",\#(Self.given),"second":{"value":"2",\#(Self.given)}"#)
        for (names, kept, lost) in [(["first", "second"], 1, "second 2"), (["second", "first"], 2, "first 1")]
            as [([String], Exact, String)]
        {
            let rules = Self.rules("mean", "achieved", formerly: names)
            let (tree, losses) = try rules.storedRecord(losing: both)
            #expect(tree.givenByPeople(to: EntryID(""))?.figures.mapValues(\.value) == ["mean": kept])
            #expect(losses.map { "\($0.field ?? "") \($0.value)" } == [lost])
            #expect(try rules.storedRecord(both).stored(as: "r", of: "p").text == tree.stored(as: "r", of: "p").text)
        }
        let (tree, losses) = try Self.rules("second", "achieved", formerly: ["first"]).storedRecord(losing: both)
        #expect(tree.givenByPeople(to: EntryID(""))?.figures.mapValues(\.value) == ["second": 2])
        #expect(losses.map(\.field) == ["first"])
    }

    @Test func `a comparison pairs figures and outcomes by their former names`() throws {
        let before = Self.rules("average", "passed", adding: 4)
        let same = Self.rules("mean", "achieved", formerly: ["average"], decided: ["passed"], adding: 4)
        let comparison = RulebookComparison(from: before, to: same)
        #expect(!comparison.sharesShape)
        let plain = Self.stored("")
        #expect(try comparison.changes(from: before.storedRecord(plain), to: same.storedRecord(plain)) == [])
        let given = try before.storedRecord(Self.old)
        #expect(comparison.givenLosses(in: given) == [])
        #expect(try comparison.changes(from: given, to: same.storedRecord(Self.old)) == [])
        #expect(RulebookComparison(from: before, to: Self.rules("mean", "achieved")).givenLosses(in: given).count == 3)
        // What differs has the later name.
        let other = Self.rules("mean", "achieved", formerly: ["average"], decided: ["passed"], adding: 11)
        let changes = try RulebookComparison(from: before, to: other)
            .changes(from: before.storedRecord(plain), to: other.storedRecord(plain))
        let told = ["mean 4.0 11.0", "achieved unmet met"]
        #expect(changes.map { "\($0.name) \($0.before ?? "-") \($0.after ?? "-")" } == told + told)
        let stored = try before.standing(of: before.storedRecord(plain)).json(of: nil, in: .english)
        let found = try StandingComparison(with: stored).changes(in: other.standing(of: other.storedRecord(plain)))
        #expect(found.map { "\($0.name) \($0.before ?? "-") \($0.after ?? "-")" } == told + told)
        // Once both versions have the former names, nothing is read twice.
        #expect(RulebookComparison(from: same, to: other).sharesShape)
    }

    @Test func `members of families and groups are compared under their later names`() throws {
        func rules(_ family: Figure, _ worth: Figure, _ names: [String], _ formerly: [String]) -> Rulebook {
            Rulebook(scheme: "test", configuration: .null, shape: RecordShape(kinds: [Self.course])) { registrar in
                registrar.calculate(eachOf: family, Self.shown, formerly: names) { _ in [("x", Quantity(3))] }
                registrar.group("pair", Self.label("Pair"), of: "course", by: { _ in "k" })
                registrar.calculate(worth, of: "pair", Self.shown, formerly: formerly) { _ in Quantity(5) }
                registrar.decide("won", of: "pair", Self.label("Won")) { _ in .met }
            }
        }
        let (before, text) = (rules("term", "worth", [], []), Self.stored(""))
        func changes(to after: Rulebook) throws -> [[String]] {
            let (old, new) = (try before.storedRecord(text), try after.storedRecord(text))
            let stored = try before.standing(of: old).json(of: nil, in: .english)
            return [
                try RulebookComparison(from: before, to: after).changes(from: old, to: new).map(\.name).sorted(),
                try StandingComparison(with: stored).changes(in: after.standing(of: new)).map(\.name).sorted(),
            ]
        }
        #expect(try changes(to: rules("session", "value", ["term"], ["worth"])) == [[], []])
        let gone = ["session:x", "term:x", "value:k", "worth:k"]
        #expect(try changes(to: rules("session", "value", [], [])) == [gone, gone])
    }

    @Test func `a history restores what people gave under the names of today`() throws {
        let rules = Self.rules("mean", "achieved", formerly: ["average"])
        let memoir = try JSON.parse(
            Array(
                #"{"id":"c","kind":"course","status":null,"fields":{"mark":8},"given":{"figures":{"average":{"value":"12",\#(Self.given)}},"children":[]}"#
                    .utf8))
        let entry = try rules.remembered(memoir, in: rules.emptyRecord).entry
        #expect(entry.givenByPeople?.figures.keys.sorted() == ["mean"])
    }

    @Test func `a standing under earlier rules is told in the names of today`() throws {
        let rules = Self.rules("mean", "achieved", formerly: ["average"], decided: ["passed"])
        let old: JSON = ["figures": ["average": 1, "other": 2], "outcomes": ["passed": 3], "letter": "A"]
        #expect(
            rules.named(old, of: "course") == [
                "figures": ["mean": 1, "other": 2], "outcomes": ["achieved": 3], "letter": "A",
            ])
    }
}
