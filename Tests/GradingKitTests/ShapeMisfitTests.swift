import GradingKit
import Testing

@Suite struct `A stored record held against a shape` {
    private let text = Array(
        """
        {"id":"r","program":"p","fields":{"prior":12},"entries":[{"id":"u","kind":"unit","position":1,"status":"audit",\
        "hidden":false,"fields":{"title":"Algebra","weight":3,"core":null,"colour":"red","term":null},"children":[]}]}
        """.utf8)

    private func shape(_ unit: KindShape, fields: [FieldShape] = []) -> RecordShape {
        RecordShape(fields: fields, kinds: [unit])
    }

    private let title = FieldShape.text(Unit.title, LocalizedText(verbatim: "Title"))
    private let weight = FieldShape.integer(Unit.weight, LocalizedText(verbatim: "Weight"))
    private let colour = FieldShape.text(Unit.colour, LocalizedText(verbatim: "Colour"))
    private let prior = FieldShape.number(Ledger.prior, LocalizedText(verbatim: "Prior"))

    private func unit(
        _ fields: [FieldShape], kind: Kind = Unit.kind, count: ClosedRange<Int> = 0...9, statuses: [Status] = [.audit]
    ) -> KindShape {
        KindShape(kind, LocalizedText(verbatim: "Unit"), count: count, statuses: statuses, fields: fields)
    }

    private func misfits(_ shape: RecordShape) -> [String] {
        shape.misfits(of: text).map { "\($0.kind ?? "-") \($0.field ?? "-") \($0.code)" }.sorted()
    }

    @Test func `fits its own shape, and one that no longer has what nobody filled in`() throws {
        #expect(try Ledger.rules().shape.misfits(of: text).isEmpty)
        #expect(misfits(shape(unit([title, weight, colour]), fields: [prior])).isEmpty)
    }

    @Test func `tells a kind and fields that are gone`() {
        #expect(misfits(shape(unit([], kind: "course"), fields: [prior])) == ["unit - wrong_kind"])
        #expect(misfits(shape(unit([title, weight]))) == ["- prior unknown_field", "unit colour unknown_field"])
    }

    @Test func `tells limits that are narrower`() {
        let narrow = [title, weight.atLeast(5), .text(Unit.colour, LocalizedText(verbatim: "Colour"), maxLength: 2)]
        #expect(
            misfits(shape(unit(narrow, statuses: []), fields: [prior.atMost(10)])) == [
                "- prior out_of_range", "unit colour out_of_range", "unit status out_of_range",
                "unit weight out_of_range",
            ])
        #expect(misfits(shape(unit([title, weight, colour], count: 2...3), fields: [prior])) == ["- - missing_child"])
        let needs = [title, weight, colour, FieldShape.flag(Unit.core, LocalizedText(verbatim: "Core"))]
        #expect(misfits(shape(unit(needs), fields: [prior])) == ["unit core missing_field"])
    }

    @Test func `tells what is no record`() {
        #expect(shape(unit([])).misfits(of: [1, 2]).map(\.code) == ["malformed"])
    }

    @Test func `a shape reads as it was described`() throws {
        let shape = try Ledger.rules().shape
        #expect(try RecordShape(described: shape.described).described == shape.described)
        #expect(throws: SchemeFailure.self) { try RecordShape(described: Array("{}".utf8)) }
    }
}
