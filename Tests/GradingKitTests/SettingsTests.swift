import Testing

@testable import GradingKit

@Suite struct SettingsTests {
    private func faults(_ configuration: JSON, preset: String? = nil) -> [String] {
        do {
            _ = try Ledger.rules(configuration, preset: preset)
            return []
        } catch {
            return error.faults.map { "\($0.code) \($0.path)" }
        }
    }

    @Test func `all faults of a configuration are found at once`() {
        let configuration: JSON = [
            "bar": 21, "limit": "many", "isOpen": "yes", "mode": "wild", "unheard": 1,
            "rule": [
                "rounding": "up", "scale": 7, "compareOn": "tolerance(x)", "colour": 1,
                "stages": [["scale": 1, "step": .number("0.5")], 3],
            ],
            "bands": [
                ["label": "A", "from": 90, "points": 4], ["label": "A", "from": 90, "points": "x"], ["label": "C"],
            ],
            "statuses": ["excused": ["average": "sometimes", "gpa": 1], "gone": [:]],
            "sample": 4,
        ]
        #expect(
            faults(configuration, preset: "none")
                == [
                    "not_a_number /configuration/bands/1/points",
                    "missing_field /configuration/bands/2/points",
                    "bands_not_decreasing /configuration/bands/1/from",
                    "duplicate_label /configuration/bands/1/label",
                    "out_of_range /configuration/bar",
                    "wrong_type /configuration/isOpen",
                    "not_a_number /configuration/limit",
                    "out_of_range /configuration/mode",
                    "unknown_field /configuration/rule/colour",
                    "out_of_range /configuration/rule/compareOn",
                    "out_of_range /configuration/rule/rounding",
                    "out_of_range /configuration/rule/scale",
                    "scale_and_step /configuration/rule/stages/0",
                    "wrong_type /configuration/rule/stages/1",
                    "wrong_type /configuration/sample",
                    "out_of_range /configuration/statuses/excused/average",
                    "wrong_type /configuration/statuses/excused/gpa",
                    "unknown_field /configuration/statuses/gone",
                    "unknown_field /configuration/unheard",
                    "out_of_range /preset",
                ].sorted { ($0.drop { $0 != " " }, $0) < ($1.drop { $0 != " " }, $1) })
    }

    @Test func `bounds decrease, and a label is used once`() {
        let bands: JSON = [
            ["label": "A", "from": 90, "points": 1], ["label": "A", "from": 90, "points": 1],
            ["label": "C", "from": 95, "points": 1],
        ]
        #expect(
            faults(["bands": bands]) == [
                "bands_not_decreasing /configuration/bands/1/from", "duplicate_label /configuration/bands/1/label",
                "bands_not_decreasing /configuration/bands/2/from",
            ])
        #expect(faults(["bands": []]) == ["entry_limit /configuration/bands"])
    }

    @Test func `a band with a fault is compared with the others all the same`() {
        let bands: JSON = [["label": "A", "from": 90], ["label": "A", "from": 95, "points": 3], ["points": 0]]
        #expect(
            faults(["bands": bands]) == [
                "missing_field /configuration/bands/0/points", "bands_not_decreasing /configuration/bands/1/from",
                "duplicate_label /configuration/bands/1/label", "missing_field /configuration/bands/2/label",
            ])
    }

    @Test func `a range may end where the better one begins, and not above`() {
        func scale(_ end: String) -> JSON {
            [["label": "A", "from": 80, "points": 1], ["label": "B", "from": .string("75-\(end)"), "points": 0]]
        }
        #expect(faults(["bands": scale("79.9")]).isEmpty)
        #expect(faults(["bands": scale("80")]).isEmpty)
        #expect(faults(["bands": scale("85")]) == ["bands_overlap /configuration/bands/1/from"])
    }

    @Test(arguments: ["", "  ", "A\u{0}", "A\u{202E}", String(repeating: "x", count: 41)])
    func `a label is text that can be read`(label: String) {
        let bands: JSON = [["label": .string(label), "from": 0, "points": 0]]
        #expect(faults(["bands": bands]) == ["label_unreadable /configuration/bands/0/label"])
    }

    @Test func `points that rise while letters fall are warned about`() throws {
        let bands: JSON = [["label": "A", "from": 10, "points": 1], ["label": "B", "from": 0, "points": 2]]
        let warnings = try Ledger.rules(["bands": bands]).warnings
        #expect(warnings.map { "\($0.code) \($0.path)" } == ["points_rise /configuration/bands/1/points"])
    }

    @Test func `settings that clash are told beside the settings that are wrong by themselves`() {
        #expect(
            faults(["limit": 6, "bar": 21], preset: "strict") == [
                "out_of_range /configuration/bar", "out_of_range /configuration/limit",
                "out_of_range /configuration/mode",
            ])
        #expect(faults(["limit": 60], preset: "strict") == ["out_of_range /configuration/limit"])
    }

    @Test func `rules across settings name every setting involved`() {
        #expect(
            faults(["limit": 6], preset: "strict") == [
                "out_of_range /configuration/limit", "out_of_range /configuration/mode",
            ])
        #expect(faults(["limit": 6, "mode": "calm"], preset: "strict").isEmpty)
    }

    @Test func `a sample entry fits the scheme's own shape`() {
        #expect(
            faults(["sample": ["kind": "unit", "fields": ["colour": "green", "weight": 0]], "bar": 21]) == [
                "out_of_range /configuration/bar", "out_of_range /configuration/sample/fields/colour",
                "missing_field /configuration/sample/fields/title", "out_of_range /configuration/sample/fields/weight",
            ])
        #expect(
            faults(["sample": ["kind": "unit", "id": "x", "fields": ["title": "Sample"]]]) == [
                "unknown_field /configuration/sample/id"
            ])
    }

    @Test(arguments: [JSON.number("3"), "x", [], true])
    func `a configuration is an object`(configuration: JSON) {
        #expect(faults(configuration) == ["wrong_type /configuration"])
    }

    @Test func `the canonical form reads back as itself`() throws {
        let given: JSON = [
            "bar": "9.50", "mode": "strict",
            "rule": ["rounding": "floor", "step": "1/4", "compareOn": "tolerance(0.005)", "stages": [["scale": 3]]],
            "bands": [["label": "A", "from": "80–89.9", "points": 4], ["label": "rest", "points": 0]],
            "statuses": ["audit": ["average": "counts"]],
        ]
        let canonical = try Ledger.rules(given).configuration
        #expect(try Ledger.rules(canonical).configuration == canonical)
        #expect(canonical["bar"] == .number("9.5"))
        #expect(canonical["rule"]?["step"] == .number("0.25"))
        #expect(canonical["bands"]?.array?.first == ["label": "A", "from": 80, "points": 4])
        #expect(canonical["statuses"]?["audit"]?["average"] == "counts")
        let defaults = try Ledger.rules().configuration
        #expect(try Ledger.rules(defaults).configuration == defaults)
    }

    @Test func `settings that surprise are warned about`() throws {
        let rules = try Ledger.rules(["rule": ["compareOn": "exact"]])
        #expect(
            rules.warnings.map { "\($0.code) \($0.path)" } == [
                "display_contradicts /configuration/bar", "display_contradicts /configuration/bands/0/from",
            ])
        #expect(try Ledger.rules().warnings.isEmpty)
    }

    @Test func `a scheme describes itself to clients`() throws {
        let installed = InstalledScheme(Ledger.self)
        let description = try JSON.parse(installed.description)
        #expect(installed.presets == ["default", "strict"])
        #expect(description["id"] == "ledger")
        #expect(description["title"]?["fr"] == "Registre")
        #expect(description["figures"]?.array?.compactMap { $0["name"]?.string } == ["mean", "mark"])
        #expect(description["outcomes"]?.array?.first?["name"] == "passed")
        let configuration = description["configuration"]
        #expect(configuration?["schema"]?["properties"]?["limit"]?["maximum"] == 9)
        #expect(configuration?["schema"]?["additionalProperties"] == false)
        #expect(configuration?["defaults"]?["bar"] == 10)
        #expect(configuration?["presets"]?["strict"]?["mode"] == "strict")
        #expect(configuration?["presetLabels"]?["strict"]?["en"]?.string != nil)
        let unit = description["shape"]?["kinds"]?.array?.first
        #expect(unit?["max"] == 3)
        #expect(unit?["parent"] == .null)
        #expect(unit?["statuses"] == ["excused", "audit"])
        #expect(unit?["fields"]?.array?.first?["type"] == "text")
        let score = description["shape"]?["kinds"]?.array?.last?["fields"]?.array?.first
        #expect(score?["maxField"] == "max")
        #expect(score?["grade"] == true)
        #expect(score?["decimalComma"] == true)
        for code in MessageCatalog.kit.codes { #expect(description["messages"]?[code.text]?["zh-Hans"] != nil) }
    }

    @Test func `two schemes never share a name`() throws {
        var registry = SchemeRegistry()
        try registry.install(InstalledScheme(Ledger.self))
        #expect(throws: SchemeRegistry.DuplicateScheme(identifier: "ledger")) {
            try registry.install(InstalledScheme(Ledger.self))
        }
        #expect(registry["ledger"] != nil)
        #expect(registry["other"] == nil)
    }
}
