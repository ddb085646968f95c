import GradingKit
import IUT
import SchemeTestKit
import Testing

@Suite struct OutcomeTests {
    @Test(arguments: [("lp", "met, final"), ("dut", "unmet, final")])
    func `one unit far below the bar (I13)`(preset: String, diploma: String) throws {
        let year = [
            Year.unit(weight: 1, "1×4"), Year.unit(weight: 2, "1×13.5"),
            Year.unit(weight: 2, professional: true, "1×12"),
        ]
        let standing = try Trial(IUT.self, preset: preset).standing(year)
        #expect(standing.reading("total") == "11 → 11.00")
        #expect(standing.reading("professional") == "12 → 12.00")
        #expect(standing.outcome("diploma") == diploma)
    }

    @Test func `a pending placement is named`() throws {
        let standing = try Trial(IUT.self).standing(Year.sample())
        #expect(standing.reasons("diploma") == ["unit_ungraded"])
        #expect(standing.outcomes.first?.decision.reasons.first?.entry == EntryID("7"))
    }

    @Test func `what two averages wait for is told once`() throws {
        let standing = try Trial(IUT.self).standing([Year.unit(weight: 1, professional: true, "1×—")])
        #expect(standing.outcome("diploma") == "pending")
        #expect(standing.reasons("diploma") == ["no_grades", "unit_ungraded"])
    }

    @Test func `a licence needs a professional unit`() throws {
        let standing = try Trial(IUT.self).standing([Year.unit("1×12")])
        #expect(standing.outcome("diploma") == "pending")
        #expect(standing.reasons("diploma") == ["no_professional_unit"])
    }

    @Test(arguments: [
        ("B1", "9 11", ["met, final", "met, final"], ["compensation", "direct"]),
        ("B2", "9 10.90", ["unmet, final", "met, final"], ["unit_not_acquired", "direct"]),
    ])
    func `a group makes up for one of its units`(
        row: String, groups: String, acquired: [String], reasons: [String]
    ) throws {
        let standing = try Trial(IUT.self, preset: "but").standing(Year.groups(groups))
        #expect(["1", "2"].map { standing.outcome("acquired", of: $0) } == acquired, "\(row)")
        #expect(["1", "2"].flatMap { standing.reasons("acquired", of: $0) } == reasons, "\(row)")
        #expect(standing.outcome("diploma") == (row == "B1" ? "met, final" : "unmet, final"))
    }

    @Test(arguments: [
        ("B3", "10 10, 12 12, 10 11, 8 8", "met, final"), ("B4", "10 10, 12 12, 7.99 7.99, 10 10", "unmet, final"),
        ("B5", "10 10, 10 10, 9 9, 9 9", "unmet, final"), ("one open", "10 10, 10 —", "pending"),
    ])
    func `progress takes more than half the groups and none too low`(
        row: String, groups: String, progression: String
    ) throws {
        let standing = try Trial(IUT.self, preset: "but").standing(Year.groups(groups))
        #expect(standing.outcome("progression") == progression, "\(row)")
    }

    @Test func `poles share a unit (B6)`() throws {
        func unit(_ resources: Int, _ sae: Int) -> JSON {
            func subject(_ pole: String, _ weight: Int, _ grade: Int) -> JSON {
                [
                    "kind": "subject",
                    "fields": [
                        "title": .string(pole), "weight": .number("\(weight)"), "grade": .number("\(grade)"),
                        "pole": .string(pole),
                    ],
                ]
            }
            return [
                "kind": "unit", "fields": ["title": "Unité", "weight": 6],
                "children": [subject("resources", resources, 12), subject("sae", sae, 8)],
            ]
        }
        let trial = try Trial(IUT.self, preset: "but")
        let balanced = try trial.standing([unit(3, 2)])
        #expect(balanced.reading("average", of: "1") == "52/5 → 10.40")
        #expect(balanced.outcome("acquired", of: "1") == "met, final")
        #expect(balanced.warnings.isEmpty)
        #expect(try trial.standing([unit(61, 39)]).warningLines == ["pole_share_out_of_range 1"])
    }

    @Test func `a pending grade holds the outcome up even where it could change nothing`() throws {
        var year = Year.sample(stage: "8")
        let pending: JSON = [
            "kind": "unit", "fields": ["title": "Unité", "weight": 6],
            "children": [
                ["kind": "subject", "fields": ["title": "A", "weight": 1, "grade": 12]],
                ["kind": "subject", "fields": ["title": "B", "weight": 1], "status": "pending"],
            ],
        ]
        year.append(pending)
        let standing = try Trial(IUT.self).standing(year)
        #expect(standing.outcome("diploma") == "pending")
        #expect(standing.reasons("diploma") == ["pending"])
    }

    @Test(arguments: [("excused", "10.00"), ("withdrawn", "10.00"), ("transfer", "10.00"), ("audit", "10.00")])
    func `a unit that is out of averages is out of them`(status: String, total: String) throws {
        let standing = try Trial(IUT.self).standing([Year.unit("1×10"), Year.unit(status: status, "1×20")])
        #expect(standing.display("total") == total)
    }

    @Test func `a transferred unit is acquired elsewhere`() throws {
        let standing = try Trial(IUT.self, preset: "but").standing([
            Year.unit("1×12"), Year.unit(status: "transfer", "1×4"),
        ])
        #expect(standing.outcome("acquired", of: "2") == "met, final")
        #expect(standing.reasons("acquired", of: "2") == ["transferred"])
        #expect(standing.outcome("diploma") == "met, final")
        let elsewhere = try Trial(IUT.self, preset: "but").standing([Year.unit(status: "transfer", "1×—")])
        #expect(["diploma", "progression"].map { elsewhere.outcome($0) } == ["met, final", "met, final"])
    }

    @Test func `a unit that no outcome looks at has none`() throws {
        let trial = try Trial(IUT.self, preset: "but")
        let year = [Year.unit("1×12"), Year.unit(weight: 0, "1×4"), Year.unit(status: "excused", "1×4")]
        let standing = try trial.standing(year)
        #expect(["2", "3"].map { standing.outcome("acquired", of: $0) } == ["no such outcome", "no such outcome"])
        let goal = Goal("acquired", of: EntryID("2"), reaches: .named("met"))
        let faults = #expect(throws: FaultList.self) { try trial.rules.answer(to: goal, in: try trial.record(year)) }
        #expect(faults?.lines == ["out_of_range /figure"])
    }

    @Test(arguments: [
        ("minimum", "6.00", "unmet, final"), ("pending", "12.00", "pending"), ("counts", "14.00", "met, final"),
    ])
    func `the grades of a unit are taken as its status says`(average: String, total: String, diploma: String) throws {
        let table: JSON = ["withdrawn": ["average": .string(average)]]
        let standing = try Trial(IUT.self, configuration: ["preset": "dut", "statuses": table]).standing([
            Year.unit("1×12"), Year.unit(status: "withdrawn", "1×16"),
        ])
        #expect(standing.display("total") == total)
        #expect(standing.outcome("diploma") == diploma)
    }
}
