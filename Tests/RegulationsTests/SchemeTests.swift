import GradingKit
import GradingLaws
import Regulations
import Testing

/// The scheme of programs whose rules are a document: configurations, drafts, descriptions.
@Suite struct SchemeTests {
    private let scheme = InstalledScheme.regulations { rules in LawSuite(rules, records: 20).violations().map(\.fault) }

    private func configuration(_ rules: String, _ settings: JSON = .null) -> JSON {
        ["document": .string(Document.text(rules)), "settings": settings]
    }

    private func faults(_ work: () throws(FaultList) -> Void) -> [Fault] {
        do {
            try work()
            return []
        } catch {
            return error.faults
        }
    }

    @Test func `a configuration keeps the text as it is written`() throws {
        let written = configuration(
            "figure total in mark shown by averages = mean of low in plain over subject of unit")
        let kept = try scheme.draft(configuration: written)
        #expect(kept.configuration["document"] == written["document"])
        #expect(kept.configuration["settings"] == [:])
    }

    @Test func `settings are read, and of a preset those that it names`() throws {
        let rules = """
            preset dut "DUT" : rules = dut, bar = 8
            outcome passed
                needs (mean of grade over subject of unit) >= bar else below
            """
        let draft = try scheme.draft(preset: "dut", configuration: configuration(rules, ["strict": true]))
        #expect(draft.warnings == [])
        #expect(draft.configuration["settings"] == ["rules": "dut", "bar": 8, "strict": true])
        let changed = try scheme.draft(configuration: configuration(rules, ["bar": "12.5"]))
        #expect(changed.configuration["settings"] == ["bar": .number("12.5")])
        let book = try scheme.rulebook(configuration: changed.configuration)
        let described = try JSON.parse(scheme.description(of: book))
        #expect(described["configuration"]?["presets"]?["dut"]?["settings"]?["bar"] == 8)
        #expect(described["configuration"]?["defaults"]?["settings"]?["bar"] == 10)
        #expect(described["configuration"]?["presetLabels"]?["dut"]?["en"] == "DUT")
    }

    @Test func `a draft may have faults, rules may not`() throws {
        let broken = configuration("figure total in mark shown by averages = mean of grde over subject of unit")
        let warnings = try scheme.draft(configuration: broken).warnings
        let fault = try #require(warnings.first)
        #expect(fault.path == "/configuration/document")
        #expect(fault.code == "unknown_name")
        #expect(fault.arguments["fix"]?["replacement"] == "grade")
        #expect(fault.arguments["line"]?.integer ?? 0 > 1)
        #expect(MessageCatalog.general.message(fault, in: .french).contains("`grade`"))
        #expect(faults { () throws(FaultList) in _ = try scheme.rulebook(configuration: broken) } == warnings)
        #expect(faults { () throws(FaultList) in try scheme.checkPublishable(broken) } == warnings)
    }

    @Test func `settings that the document does not have stay in a draft and keep it from being published`() throws {
        let odd = configuration("", ["bar": 21, "strct": true, "rules": 3])
        let draft = try scheme.draft(configuration: odd)
        #expect(
            draft.warnings.map { "\($0.path) \($0.code)" } == [
                "/configuration/settings/bar out_of_range", "/configuration/settings/rules wrong_type",
                "/configuration/settings/strct unknown_field",
            ])
        #expect(draft.configuration["settings"] == odd["settings"])
        #expect(!faults { () throws(FaultList) in _ = try scheme.rulebook(configuration: odd) }.isEmpty)
    }

    @Test(arguments: [
        JSON.array([]), ["document": 3], ["document": "", "more": 1], ["document": "", "settings": []],
        ["document": .string(String(repeating: "x", count: 257 << 10))],
    ])
    func `what is no configuration is refused as a draft too`(json: JSON) {
        #expect(!faults { () throws(FaultList) in _ = try scheme.draft(configuration: json) }.isEmpty)
    }

    @Test func `publishing needs examples that come out`() {
        let wrong = """
            figure total in mark shown by averages = mean of grade over subject of unit
            example half "Half"
                unit "A" weight 1
                    subject "B" weight 1 grade 11
                expect total = 12
            """
        let found = faults { () throws(FaultList) in try scheme.checkPublishable(configuration(wrong)) }
        #expect(found.map(\.code) == ["example_differs"])
        #expect(found.first?.arguments["example"] == "Half")
    }

    @Test func `publishing needs laws that are kept`() {
        // One grade stands in two terms.
        let wrong =
            "figure total in mark shown by averages = (sum of grade over subject of unit) / 2 + (mean of grade over subject of unit) / 2"
        let found = faults { () throws(FaultList) in try scheme.checkPublishable(configuration(wrong)) }
        #expect(found.map(\.code).contains("law_broken"))
        #expect(found.first?.path == "/configuration/document")
    }

    @Test func `figures and outcomes name their article, in descriptions and in explanations`() throws {
        let rules = """
            figure total in mark shown by averages = mean of grade over subject of unit
            outcome passed
                article "§7"
                needs total reaches bar else below
            """
        let book = try scheme.rulebook(configuration: configuration(rules))
        let described = try JSON.parse(scheme.description(of: book))
        #expect(described["figures"]?.array?.first?["article"] == "Article one")
        #expect(described["outcomes"]?.array?.first?["article"] == "§7")
        #expect(described["title"]?["en"] == "Test")
        #expect(described["document"] == true)
        let tree = try book.calculation(
            fields: .null,
            entries: [
                [
                    "kind": "unit", "fields": ["title": "A", "weight": 1],
                    "children": [["kind": "subject", "fields": ["title": "B", "weight": 1, "grade": 12]]],
                ]
            ], newID: { EntryID("e") })
        var writer = JSONWriter()
        let standing = try book.standing(of: tree, explaining: .all)
        writer.object { standing.writeMembers(to: &$0, of: nil, in: .english) }
        #expect(String(decoding: writer.bytes, as: UTF8.self).contains(#""article":"Article one""#))
    }

    @Test func `a document that goes over everything for everything is refused before it is computed`() {
        let matrix = "figure all of unit in mark shown by averages = mean of grade over subject of record"
        let refused = faults { () throws(FaultList) in _ = try scheme.rulebook(configuration: configuration(matrix)) }
        #expect(refused.map(\.code) == ["too_costly"])
        let heading = Document.heading.replacing("entry unit ", with: "entry unit at most 20 ")
            .replacing("entry subject in unit ", with: "entry subject in unit at most 10 ")
        let regulation = Regulation(Array(Document.text(matrix, heading: heading).utf8))
        #expect(regulation.faults.map(\.code) == [])
    }
}
