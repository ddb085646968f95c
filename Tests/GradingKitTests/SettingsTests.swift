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

    @Test func `rules across settings come after the settings themselves`() {
        #expect(faults(["limit": 6], preset: "strict") == ["out_of_range /configuration/limit"])
        #expect(faults(["limit": 6, "mode": "calm"], preset: "strict").isEmpty)
    }

    @Test func `a sample entry fits the scheme's own shape`() {
        #expect(
            faults(["sample": ["kind": "unit", "fields": ["colour": "green"]]]) == [
                "out_of_range /configuration/sample/fields/colour"
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
