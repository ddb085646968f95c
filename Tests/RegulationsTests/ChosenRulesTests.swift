import GradingKit
import Regulations
import Testing

/// Roundings, bands and statuses that a program chooses in place of the document's own, and what templates begin with.
@Suite struct `Rules that programs choose` {
    private static let text = Document.text(
        """
        setting rounding shown half up, 2 decimals, judged as shown
        setting bands grades in percent judged by averages worth gp
            A 90 4
            F 0
        setting status late "Late" average 40% attempted
        setting bar_at in percent = 50 one of 40, 50, 62.5 "Bar"
        rounding coarse floor, 0 decimals, judged exactly
        bands two in percent judged by averages worth gp
            good 60 4
            poor 0 0
        preset strict "Strict" : shown = coarse, grades = two, late = absent, bar_at = 62.5
        preset lenient : late = excused
        entry record
            prior number optional
        entry test statuses late
            title text
            mark grade in percent
        figure result in percent shown by shown lettered by grades = mean of mark over test
        template begin "Begin"
            record prior 3.5
            test "A" mark 80
        """)

    private static func read(_ settings: JSON, preset: String? = nil) -> Regulation {
        Regulation(Array(text.utf8), preset: preset, settings: settings)
    }

    private static func standing(
        _ settings: JSON, status: Status? = nil, preset: String? = nil
    ) throws -> Standing {
        let regulation = read(settings, preset: preset)
        #expect(regulation.faults.map { $0.message(in: .english) } == [])
        #expect(regulation.settingFaults.faults == [])
        let rules = try #require(regulation.rulebook)
        var test: JSONObject = ["kind": "test", "id": "a", "fields": ["title": "A", "mark": "66.666"]]
        if let status { test["status"] = .string(status.rawValue) }
        return try rules.standing(
            of: rules.calculation(fields: .null, entries: [.object(test)], newID: { EntryID("n") }))
    }

    @Test func `stand where the document's would`() throws {
        #expect(try Self.standing(.null).figure("result")?.display == "66.67")
        #expect(try Self.standing(["shown": ["scale": 0, "rounding": "floor"]]).figure("result")?.display == "66")
        let bands: JSON = [["label": "good", "from": 60, "points": 4], ["label": "poor", "from": 0, "points": 0]]
        #expect(try Self.standing(["grades": bands]).letter?.label == "good")
        let late = try #require(Status(rawValue: "late"))
        #expect(try Self.standing(.null, status: late).figure("result")?.current == .value(40))
        #expect(try Self.standing(["late": ["average": "25%"]], status: late).figure("result")?.current == .value(25))
        #expect(try Self.standing(["late": ["average": "leaves"]], status: late).figure("result")?.display == "")
    }

    @Test(
        arguments: [
            (["shown": ["scale": 9]], "out_of_range /settings/shown/scale"),
            (["shown": ["colour": 1]], "unknown_field /settings/shown/colour"),
            (
                ["grades": [["label": "A", "from": 10, "points": 1], ["label": "B", "from": 20, "points": 0]]],
                "bands_not_decreasing /settings/grades/1/from"
            ),
            (["late": ["average": "120%"]], "out_of_range /settings/late/average"),
            (["late": ["earned": "yes"]], "wrong_type /settings/late/earned"),
            (["averages": ["scale": 1]], "unknown_field /settings/averages"),
        ] as [(JSON, String)])
    func `are refused with their place`(_ settings: JSON, _ fault: String) {
        #expect(Self.read(settings).settingFaults.faults.map { "\($0.code) \($0.path)" } == [fault])
    }

    @Test func `are described with their schema`() throws {
        let schema = try #require(Self.read(.null).rulebook?.particulars["configuration"]?["schema"])
        let settings = try #require(schema["properties"]?["settings"]?["properties"])
        #expect(settings["shown"]?["default"]?["scale"] == 2)
        #expect(settings["grades"]?["type"] == "array")
        #expect(settings["late"]?["default"]?["average"] == "40%")
    }

    @Test func `a template sets fields of the record`() throws {
        let rules = try #require(Self.read(.null).rulebook)
        let tree = try #require(try rules.template("begin", newID: { EntryID("t") }))
        #expect(String(decoding: tree.fieldsMemoir, as: UTF8.self).contains(#""prior":3.5"#))
    }

    @Test func `a field per student is told as one`() throws {
        let regulation = Document.regulation(
            """
            entry work
                title text
                late number in days per student
                speed number in days per hours optional per student
            """)
        #expect(regulation.faults.map { $0.message(in: .english) } == [])
        let fields = try #require(regulation.rulebook?.shape.kinds.first { $0.kind.name == "work" }?.fields)
        #expect(fields.map(\.isPerStudent) == [false, true, true])
    }

    @Test func `may be those that a preset names, which the program's own change further`() throws {
        let late = try #require(Status(rawValue: "late"))
        func standing(_ preset: String, _ settings: JSON = .null, status: Status? = nil) throws -> Standing {
            try Self.standing(settings, status: status, preset: preset)
        }
        #expect(try standing("strict").figure("result")?.display == "66")
        #expect(try standing("strict").letter?.label == "good")
        #expect(try standing("strict", status: late).figure("result")?.display == "0")
        #expect(try standing("strict", ["shown": ["scale": 1]]).figure("result")?.display == "66.6")
        #expect(try standing("strict", ["late": ["average": "25%"]], status: late).figure("result")?.display == "25")
        #expect(try standing("lenient", status: late).figure("result")?.display == "")
    }

    @Test func `are described as presets say them`() throws {
        let presets = try #require(Self.read(.null).rulebook?.particulars["configuration"]?["presets"])
        let strict = try #require(presets["strict"]?["settings"])
        #expect(strict["shown"]?["rounding"] == "floor" && strict["late"]?["average"] == "worst")
        #expect(strict["grades"]?.array?.first?["label"] == "good" && strict["bar_at"] == .number("62.5"))
        #expect(presets["lenient"]?["settings"]?["late"]?["average"] == "leaves")
        #expect(presets["lenient"]?["settings"]?["shown"]?["scale"] == 2)
    }

    @Test(arguments: [
        ("preset p : shown = none_such", "preset_rule: “none_such” cannot stand in for “shown” — "),
        ("preset p : shown = 2", "preset_rule: “2” cannot stand in for “shown” — "),
        ("preset p : grades = letters_of_marks", "preset_rule: “letters_of_marks” cannot stand in for “grades” — "),
        ("preset p : late = graded", "preset_rule: “graded” cannot stand in for “late” — "),
        ("preset p : averages = coarse", "unknown_setting: "),
        ("preset p : bar_at = 45", "unknown_choice: “bar_at” is never “45”"),
        ("setting n = 3 one of 1, 2", "unknown_choice: “n” is never “3”"),
    ])
    func `that a preset cannot choose are told`(_ rules: String, _ message: String) {
        let more = "bands letters_of_marks in mark judged by averages worth gp\n    A 16 4\n    F 0\n" + rules
        let text = Self.text.replacing("template begin", with: more + "\ntemplate begin")
        let faults = Regulation(Array(text.utf8)).faults.map { "\($0.code): \($0.message(in: .english))" }
        #expect(faults.count == 1 && faults.first?.hasPrefix(message) == true, "\(faults)")
    }

    @Test func `a number may be one of a few`() throws {
        let schema = try #require(Self.read(.null).rulebook?.particulars["configuration"]?["schema"])
        let bar = try #require(schema["properties"]?["settings"]?["properties"]?["bar_at"])
        #expect(bar["enum"] == [40, 50, .number("62.5")])
        for (value, codes) in [("40", []), (" 62.50", ["not_a_number"]), ("62.50", []), ("45", ["out_of_range"])] {
            #expect(Self.read(["bar_at": .string(value)]).settingFaults.faults.map(\.code.text) == codes, "\(value)")
        }
    }

    private static let others = """
        setting bands notes in german worth gp
            good 2.5 4
            poor 0
        bands others in german worth gp
            fine 2 4
            rest 1
        setting bands words worth gp
            Excellent 4
            Weak 1
        bands fewer worth gp
            Good 3
            Bad 0
        entry essay
            title text
            verdict letter of words
            mark grade in german
        figure points in gp shown by averages = mean of (mark through notes) over essay
        preset other : notes = others, words = fewer
        """

    @Test func `may be bands of a scale on which lower is better, and labels without bounds`() throws {
        func chosen(_ preset: String?, _ settings: JSON = .null) throws -> Rulebook {
            let regulation = Regulation(Array(Document.text(Self.others).utf8), preset: preset, settings: settings)
            #expect(regulation.faults.map { $0.message(in: .english) } == [])
            #expect(regulation.settingFaults.faults.map(\.path) == [])
            return try #require(regulation.rulebook)
        }
        func points(_ rules: Rulebook, _ verdict: String) throws -> String? {
            let essay: JSON = ["kind": "essay", "fields": ["title": "A", "verdict": .string(verdict), "mark": 5]]
            return try rules.standing(
                of: rules.calculation(fields: .null, entries: [essay], newID: { EntryID("n") })
            ).figure("points")?.display
        }
        #expect(try points(chosen(nil), "Weak") == "0.00")
        #expect(try points(chosen("other"), "Bad") == "1.00")
        let own: JSON = [["label": "Top", "points": 9], ["label": "Low", "points": 2]]
        #expect(try points(chosen(nil, ["words": own]), "Low") == "0.00")
        // What a description says of the settings may be sent back as it is.
        let described = try #require(chosen("other").particulars["configuration"]?["presets"]?["other"]?["settings"])
        #expect(try points(chosen(nil, described), "Bad") == "1.00")
    }

    @Test(arguments: [
        (
            "bands odd worth gp\n    Good 3\n    \"\" 0", "words = odd",
            "preset_rule: “odd” cannot stand in for “words” — no program could choose it: "
        ),
        (
            "bands odd in german worth gp\n    fine 5/3 4\n    rest 1", "notes = odd",
            "preset_rule: “odd” cannot stand in for “notes” — no program could choose it: "
        ),
        (
            "bands odd worth gp\n    Good 1\n    Fair 3\n    Bad 0", "words = odd",
            "letters_turn: the points of “odd” go up and down"
        ),
        ("bands odd worth gp\n    Good 1\n    Bad 1", "words = odd", "letters_alike: "),
    ])
    func `that no program could choose no preset takes over`(_ bands: String, _ chosen: String, _ message: String) {
        let text = Document.text(Self.others + "\n" + bands + "\npreset p : " + chosen)
        let faults = Regulation(Array(text.utf8)).faults
        let told = faults.map { "\($0.code): \($0.message(in: .english))" }
        #expect(told.count == 1 && told.first?.hasPrefix(message) == true, "\(told)")
        #expect(faults.first.map { String(decoding: Array(text.utf8)[$0.range], as: UTF8.self) } == "odd")
    }
}
