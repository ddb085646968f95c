import GradingKit
import Testing

/// Kinds and fields that had other names when a record was stored.
@Suite struct `Former names` {
    private static func label(_ text: String) -> LocalizedText { LocalizedText(verbatim: text) }

    private static func rules(_ unit: KindShape, fields: [FieldShape] = []) -> Rulebook {
        Rulebook(
            scheme: "test", configuration: .null, shape: RecordShape(fields: fields, kinds: [unit]),
            registering: { _ in })
    }

    private static func score(_ name: String) -> FieldShape {
        .number(Field<Exact>(name), label("Score")).optional().asGrade(best: 20)
    }

    private static let text = Array(
        """
        {"id":"r","program":"p","fields":{"prior":12},"enteredBy":{"fields":{"prior":"staff"}},"entries":[\
        {"id":"m","kind":"matiere","position":1,"status":null,"hidden":true,"shown":{"status":null,\
        "fields":{"mark":9},"enteredBy":{"fields":{"mark":"old"}}},"fields":{"mark":14,"note":"fine"},\
        "enteredBy":{"fields":{"mark":"staff"}},"children":[]},\
        {"id":"x","kind":"other","position":2,"status":null,"hidden":false,"fields":{"mark":1},"children":[]}]}
        """.utf8)

    @Test func `keep values, their authors and what is shown in their place`() throws {
        let unit = KindShape("unit", Self.label("Unit"), fields: [Self.score("score").formerly("mark", "points")])
            .formerly("matiere")
        let prior = FieldShape.number(Field<Exact>("before"), Self.label("Before")).formerly("prior")
        let (tree, losses) = try Self.rules(unit, fields: [prior]).storedRecord(losing: Self.text)
        let stored = String(decoding: tree.stored(as: "r", of: "p").text, as: UTF8.self)
        #expect(stored.contains(#""fields":{"before":12},"enteredBy":{"fields":{"before":"staff"}}"#))
        #expect(stored.contains(#""id":"m","kind":"unit""#))
        #expect(stored.contains(#""fields":{"score":14},"enteredBy":{"fields":{"score":"staff"}}"#))
        #expect(stored.contains(#""fields":{"score":9},"enteredBy":{"fields":{"score":"old"}}"#))
        #expect(losses.map { [$0.entry?.text, $0.field, $0.value] } == [["m", "note", "fine"], ["x", nil, "other"]])
    }

    @Test func `are none of a request, and lose nothing by themselves`() throws {
        let unit = KindShape("unit", Self.label("Unit"), fields: [Self.score("score").formerly("mark")])
            .formerly("matiere")
        let rules = Self.rules(unit)
        #expect(throws: FaultList.self) { try rules.storedRecord(Self.text) }
        for entries: JSON in [[["kind": "matiere"]], [["kind": "unit", "fields": ["mark": 3]]]] {
            #expect(throws: FaultList.self) {
                try rules.calculation(fields: .null, entries: entries, newID: { EntryID("n") })
            }
        }
    }

    @Test func `pair the kinds of two rulebooks`() throws {
        let old = KindShape("matiere", Self.label("Unit"), fields: [Self.score("mark")])
        let new = KindShape("unit", Self.label("Unit"), fields: [Self.score("score").formerly("mark")])
            .formerly("matiere")
        func rules(_ shape: KindShape, _ kind: Kind, _ field: String, times factor: Exact) -> Rulebook {
            Rulebook(scheme: "test", configuration: .null, shape: RecordShape(kinds: [shape])) { registrar in
                let shown = Presentation(Self.label("Worth"), FigureRule(.halfUp, scale: 1, compareOn: .exact))
                registrar.calculate("worth", of: kind, shown) { $0[Field<Exact>(field)] * Quantity(factor) }
            }
        }
        let (before, after) = (rules(old, "matiere", "mark", times: 1), rules(new, "unit", "score", times: 2))
        let text = Array(
            """
            {"id":"r","program":"p","fields":{},"entries":[{"id":"m","kind":"matiere","position":1,"status":null,\
            "hidden":false,"fields":{"mark":4},"children":[]}]}
            """.utf8)
        let comparison = RulebookComparison(from: before, to: after)
        #expect(!comparison.sharesShape)
        let changes = try comparison.changes(from: before.storedRecord(text), to: after.storedRecord(text))
        #expect(changes.map { "\($0.name) \($0.before ?? "-") \($0.after ?? "-")" } == ["worth 4.0 8.0"])
    }

    @Test func `are told, read again, and belong to one kind or field alone`() throws {
        let unit = KindShape("unit", Self.label("Unit"), fields: [Self.score("score").formerly("mark")])
            .formerly("matiere")
        let shape = RecordShape(kinds: [unit])
        let told = String(decoding: shape.described, as: UTF8.self)
        #expect(told.contains(#""kind":"unit","was":["matiere"]"#))
        #expect(told.contains(#""name":"score","was":["mark"]"#))
        #expect(try RecordShape(described: shape.described).described == shape.described)
        #expect(shape.violations.isEmpty)
        let twice = KindShape(
            "part", Self.label("Part"), fields: [Self.score("mark"), Self.score("a").formerly("mark")]
        )
        .formerly("unit")
        #expect(RecordShape(kinds: [unit, twice]).violations.count == 2)
    }
}
