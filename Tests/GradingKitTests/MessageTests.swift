import GradingKit
import Testing

@Suite struct `What faults say` {
    private func message(
        _ code: FaultCode, _ arguments: JSONObject, in language: Language = .english
    ) -> String {
        MessageCatalog.kit.message(Fault(code, arguments), in: language)
    }

    @Test func `a value that is not allowed lists what is`() {
        let arguments = JSONObject.allowing(["calm", "strict"])
        #expect(message(.outOfRange, arguments) == "Not an allowed value; allowed: calm, strict")
        #expect(
            message(.outOfRange, arguments, in: .french) == "Valeur non permise ; valeurs permises : calm, strict")
        #expect(message(.outOfRange, arguments, in: .simplifiedChinese) == "超出允许的范围；允许的值：calm、strict")
        #expect(message(.outOfRange, ["min": 0, "max": 20]) == "Not an allowed value; allowed: 0 to 20")
        #expect(
            message(.outOfRange, ["above": 0, "max": 20])
                == "Not an allowed value; it must be above 0 and at most 20")
        #expect(message(.outOfRange, [:]) == "Not an allowed value")
    }

    @Test func `a long list is told in part`() {
        let arguments = JSONObject.allowing((1...500).map { "w\($0)" })
        #expect(arguments["allowed"]?.array?.count == 20)
        let text = message(.outOfRange, arguments)
        #expect(text.hasPrefix("Not an allowed value; the 500 allowed ones begin with w1, w2,"))
    }

    @Test func `a name that is not known comes with the nearest`() {
        var faults = FaultList()
        faults.add(unknown: "colors", among: ["colours", "bands"], at: "/configuration")
        #expect(faults.faults.map(\.path) == ["/configuration/colors"])
        #expect(
            faults.faults.map { MessageCatalog.kit.message($0, in: .english) }
                == ["This field is not known here; did you mean colours?"])
    }

    @Test func `guesses are made for few of many unknown names`() {
        var faults = FaultList()
        for number in 100...999 { faults.add(unknown: "band\(number)", among: ["band10"], at: "") }
        #expect(faults.faults.count == 900)
        #expect(faults.faults.count { $0.arguments["nearest"] != nil } <= 32)
    }

    @Test func `a scheme's own wording of a code stands`() {
        let catalog = MessageCatalog.kit.adding(
            MessageCatalog([.outOfRange: LocalizedText("Too odd", fr: "Trop bizarre", zh: "太奇怪")]))
        #expect(catalog.message(Fault(.outOfRange, .allowing(["a"])), in: .english) == "Too odd")
    }

    @Test func `a misspelt setting and a misspelt field suggest the nearest`() throws {
        func nearest(_ configuration: JSON) -> [String?] {
            do throws(FaultList) {
                _ = try Ledger.rules(configuration)
                return []
            } catch {
                return error.faults.map { $0.arguments["nearest"]?.string }
            }
        }
        #expect(nearest(["limt": 3]) == ["limit"])
        #expect(nearest(["rule": ["scal": 2]]) == ["scale"])
        #expect(nearest(["bands": [["label": "A", "form": 1, "points": 0]]]).contains("from"))
    }

    @Test func `a choice and a status say what they may be`() throws {
        func faults(_ entry: JSON) throws -> [Fault] {
            do throws(FaultList) {
                _ = try Ledger.rules().calculation(fields: .null, entries: [entry]) { EntryID("?") }
                return []
            } catch {
                return error.faults
            }
        }
        let colour = try faults(["kind": "unit", "fields": ["title": "A", "colour": "green"]])
        #expect(colour.map { $0.arguments["allowed"] } == [["red", "blue"]])
        let term = try faults(["kind": "unit", "fields": ["title": "A", "term": 3]])
        #expect(term.map { $0.arguments["allowed"] } == [["1", "2"]])
        let status = try faults(["kind": "unit", "fields": ["title": "A"], "status": "pending"])
        #expect(status.map { $0.arguments["allowed"] } == [["graded", "excused", "audit"]])
        let misspelt = try faults(["kind": "unit", "fields": ["titel": "A"], "stauts": "audit"])
        #expect(misspelt.compactMap { $0.arguments["nearest"] } == ["title", "status"])
    }

    @Test func `the bound that holds is told, also where a sibling sets it`() throws {
        let unit: JSON = [
            "kind": "unit", "fields": ["title": "A"],
            "children": [
                ["kind": "part", "fields": ["score": 9, "max": 8]], ["kind": "part", "fields": ["max": 0]],
            ],
        ]
        var made = 0
        let error = #expect(throws: FaultList.self) {
            try Ledger.rules().calculation(fields: .null, entries: [unit]) {
                made += 1
                return EntryID("\(made)")
            }
        }
        let arguments = error?.faults.reduce(into: [:]) { $0[$1.path] = $1.arguments }
        #expect(arguments?["/entries/0/children/0/fields/score"] == ["min": 0, "max": 8])
        #expect(arguments?["/entries/0/children/1/fields/max"] == ["above": 0])
    }

    @Test func `a range that is read as a bound is echoed`() throws {
        let bands: JSON = [
            ["label": "good", "from": "80–100", "points": 1], ["label": "fair", "from": "60 - 79.9", "points": 1],
            ["label": "bad", "from": 0, "points": 0],
        ]
        let warnings = try Ledger.rules(["bands": bands]).warnings.filter { $0.code == "range_read" }
        #expect(warnings.map(\.path) == ["/configuration/bands/0/from", "/configuration/bands/1/from"])
        #expect(
            warnings.map { MessageCatalog.kit.message($0, in: .english) }
                == ["80–100 is read as: good from 80", "60 - 79.9 is read as: fair from 60"])
    }
}
