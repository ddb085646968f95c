import Testing

@testable import GradingKit

@Suite struct EntryDecoderTests {
    private static func unit(_ fields: JSON = ["title": "A"], _ more: JSONObject = JSONObject()) -> JSON {
        var unit: JSONObject = ["kind": "unit", "fields": fields]
        for member in more { unit[member.name] = member.value }
        return .object(unit)
    }

    @Test(
        arguments: [
            (["title": "A", "rank": 1], ["unknown_field /entries/0/fields/rank"]),
            (["title": 5], ["wrong_type /entries/0/fields/title"]),
            (["title": "A", "weight": true], ["wrong_type /entries/0/fields/weight"]),
            (["title": "A", "core": 1], ["wrong_type /entries/0/fields/core"]),
            (["title": "A", "colour": 1], ["wrong_type /entries/0/fields/colour"]),
            (["title": "A", "term": [:]], ["wrong_type /entries/0/fields/term"]),
            (["title": "A", "colour": "green"], ["out_of_range /entries/0/fields/colour"]),
            (["title": "A", "term": 3], ["out_of_range /entries/0/fields/term"]),
            (["title": "A", "term": "2"], []),
            (["title": "A", "term": "two"], ["not_a_number /entries/0/fields/term"]),
            (["title": "A", "weight": "1e999"], ["not_a_number /entries/0/fields/weight"]),
            (["title": "A", "weight": .number("1.5")], ["too_precise /entries/0/fields/weight"]),
            (["title": "A", "weight": 1_234_567_890], ["too_precise /entries/0/fields/weight"]),
            (["title": "A", "weight": 0], ["out_of_range /entries/0/fields/weight"]),
            (["title": "A", "weight": "1,0"], ["not_a_number /entries/0/fields/weight"]),
            (["title": "A", "weight": nil], []),
            (["title": "0123456789"], []),
            (["title": "0123456789a"], ["out_of_range /entries/0/fields/title"]),
            (["title": "a\nb"], ["text_invalid /entries/0/fields/title"]),
            (["title": "  "], ["missing_field /entries/0/fields/title"]),
            ([:], ["missing_field /entries/0/fields/title"]),
            ([], ["wrong_type /entries/0/fields", "missing_field /entries/0/fields/title"]),
            (["a/b~c": 1, "title": "A"], ["unknown_field /entries/0/fields/a~1b~0c"]),
        ] as [(JSON, [String])])
    func `each field is read by its shape`(fields: JSON, faults: [String]) throws {
        #expect(try Ledger.faults([Self.unit(fields)]) == faults)
    }

    @Test(
        arguments: [
            (5, ["wrong_type /entries/0"]), ([:], ["missing_field /entries/0/kind"]),
            (["kind": 5], ["wrong_type /entries/0/kind"]), (["kind": "part"], ["wrong_kind /entries/0/kind"]),
            (["kind": ""], ["wrong_kind /entries/0/kind"]), (["kind": "record"], ["wrong_kind /entries/0/kind"]),
            (unit(["title": "A"], ["id": 5]), ["wrong_type /entries/0/id"]),
            (unit(["title": "A"], ["id": ""]), ["wrong_type /entries/0/id"]),
            (unit(["title": "A"], ["rank": 5]), ["unknown_field /entries/0/rank"]),
            (unit(["title": "A"], ["position": 5]), ["unknown_field /entries/0/position"]),
            (unit(["title": "A"], ["hidden": true]), ["unknown_field /entries/0/hidden"]),
            (unit(["title": "A"], ["status": "excused"]), []), (unit(["title": "A"], ["status": "graded"]), []),
            (unit(["title": "A"], ["status": "absent"]), ["out_of_range /entries/0/status"]),
            (unit(["title": "A"], ["status": "superseded"]), ["out_of_range /entries/0/status"]),
            (unit(["title": "A"], ["status": 1]), ["wrong_type /entries/0/status"]),
            (unit(["title": "A"], ["children": 5]), ["wrong_type /entries/0/children"]),
            (unit(["title": "A"], ["children": nil]), []),
        ] as [(JSON, [String])])
    func `the envelope is read by the kit`(entry: JSON, faults: [String]) throws {
        #expect(try Ledger.faults([entry]) == faults)
    }

    @Test func `places hold as many as the shape says`() throws {
        let part: JSON = ["kind": "part", "fields": ["max": 10]]
        #expect(try Ledger.faults([Self.unit(["title": "A"], ["children": [part, part]])]).isEmpty)
        #expect(
            try Ledger.faults([Self.unit(["title": "A"], ["children": [part, part, part]])]) == [
                "entry_limit /entries/0/children"
            ])
        let units = (0..<4).map { Self.unit(["title": .string("\($0)")]) }
        #expect(try Ledger.faults(.array(units)) == ["too_many_units "])
        #expect(
            try Ledger.faults(.array((0..<1001).map { Self.unit(["title": .string("\($0)")]) })) == [
                "entry_limit ", "too_many_units ",
            ])
    }

    @Test func `a bound may stand in a sibling, and no comma is nonsense where commas are decimal`() throws {
        func part(_ fields: JSON) throws -> [String] {
            try Ledger.faults([Self.unit(["title": "A"], ["children": [["kind": "part", "fields": fields]]])])
        }
        #expect(try part(["score": "9,5", "max": 10]).isEmpty)
        #expect(try part(["score": 11, "max": 10]) == ["score_range /entries/0/children/0/fields/score"])
        #expect(try part(["score": -1, "max": 10]) == ["score_range /entries/0/children/0/fields/score"])
        #expect(try part(["score": 11, "max": 0]) == ["out_of_range /entries/0/children/0/fields/max"])
        #expect(try part(["score": 11, "max": "x"]) == ["not_a_number /entries/0/children/0/fields/max"])
    }

    @Test func `record-level fields are read as any other`() throws {
        #expect(try Ledger.faults([], fields: ["prior": 21]) == ["out_of_range /fields/prior"])
        #expect(
            try Ledger.faults([], fields: ["prior": "x", "y": 1]) == [
                "not_a_number /fields/prior", "unknown_field /fields/y",
            ])
        #expect(try Ledger.faults(5, fields: 5) == ["wrong_type /entries", "wrong_type /fields"])
    }

    @Test func `an identifier is used once`() throws {
        let twins = ["A", "B"].map { Self.unit(["title": .string($0)], ["id": "same"]) }
        #expect(try Ledger.faults(.array(twins)) == ["duplicate_id /entries/1/id"])
    }

    @Test func `any JSON is read, or refused with its faults`() throws {
        var dice = SystemLikeDice(seed: 3)
        let rules = try Ledger.rules()
        for _ in 0..<1_000 {
            let (fields, entries) = (JSON.any(&dice), JSON.any(&dice, depth: 5))
            expectFaultsUnlessRead {
                let record = try rules.calculation(fields: fields, entries: entries, newID: { EntryID("x") })
                _ = try rules.standing(of: record, explaining: .all)
            }
            expectFaultsUnlessRead { _ = try rules.storedRecord(fields: fields, entries: entries) }
            expectFaultsUnlessRead { _ = try RecordChange.list(from: ["changes": entries]) }
            expectFaultsUnlessRead { _ = try Ledger.rules(entries) }
        }
    }

    private func expectFaultsUnlessRead(_ read: () throws -> Void) {
        do { try read() } catch { #expect((error as? FaultList)?.isEmpty == false, "\(error)") }
    }
}

extension JSON {
    /// Any JSON, of the names and values that a ledger's records know, and some that they do not.
    static func any(_ dice: inout SystemLikeDice, depth: Int = 3) -> JSON {
        let names = [
            "kind", "fields", "children", "id", "status", "title", "weight", "score", "max", "rule", "bands", "stages",
            "label", "from", "points", "op", "entry", "changes", "~/", "", "class", "enrolment", "given", "figures",
            "current",
            "outcomes", "value", "adjust",
        ]
        let texts =
            names + ["unit", "part", "excused", "1e999", "-", "9,5", "80–90", "tolerance(1)", "1/0", "\u{0}", "é"]
        let numbers = ["0", "-1", "1e18", "0.00001", "99999999999999999999999", "1e-300", "20", "1.5"]
        switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &dice) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &dice))
        case 2: return .number(numbers.randomElement(using: &dice) ?? "0")
        case 3, 4: return .string(texts.randomElement(using: &dice) ?? "")
        case 5, 6: return .array((0..<Int.random(in: 0...4, using: &dice)).map { _ in any(&dice, depth: depth - 1) })
        default:
            var object: JSONObject = ["kind": Bool.random(using: &dice) ? "unit" : "part"]
            for _ in 0..<Int.random(in: 0...5, using: &dice) {
                object[names.randomElement(using: &dice) ?? ""] = any(&dice, depth: depth - 1)
            }
            return .object(object)
        }
    }
}
