import GradingKit
import IUT
import SchemeTestKit
import Testing

@Suite struct GoalTests {
    private func answer(_ trial: Trial, _ goal: Goal, _ units: [JSON]) throws -> GoalAnswer {
        try trial.rules.answer(to: goal, in: try trial.record(units))
    }

    @Test func `I8 - the diploma needs 7.80 of the internship, on the grid of hundredths`() throws {
        let goal = Goal("diploma", reaches: .named("met"), unknowns: [.init(entry: EntryID("7.1"))])
        let answer = try answer(try Trial(IUT.self), goal, Year.sample())
        #expect(answer.reading == "reachable 39/5")
        #expect(answer.outlook == "met of met")
    }

    @Test(arguments: [("displayed", "39/5"), ("exact", "781/100"), ("tolerance(0.5)", "701/100")])
    func `a figure is judged as its scheme judges it`(rule: String, needed: String) throws {
        let trial = try Trial(IUT.self, configuration: ["average": ["compareOn": .string(rule)]])
        let answer = try answer(trial, Goal("professional", reaches: .value(10)), Year.sample())
        #expect(answer.reading == "reachable \(needed)")
        #expect(answer.inputs.map(\.leaf.entry.text) == ["7.1"])
    }

    @Test(arguments: 0...21)
    func `several unknowns share the least fraction, checked by trying all`(target: Int) throws {
        let trial = try Trial(IUT.self)
        let half = BruteForce.Grades(to: 20, by: .half)
        let expected = try BruteForce([half, half, half]).reading { grades in
            let texts = grades.map { $0.decimalText ?? "" }
            let units = [
                Year.unit("2×\(texts[0]), 3×11.5"), Year.unit(weight: 9, "1×\(texts[1])"),
                Year.unit(weight: 3, "4×\(texts[2]), 1×6"),
            ]
            guard case .value(let value)? = try trial.standing(units).figure("total")?.current else { return false }
            return Rounding.halfUp(value, to: .scale(2)) >= Exact(target)
        }
        let empty: JSON = ["kind": "unit", "fields": ["title": "Vide", "weight": 9]]
        let answer = try answer(
            trial, Goal("total", reaches: .value(Exact(target)), grid: .half),
            [Year.unit("2×—, 3×11.5"), empty, Year.unit(weight: 3, "4×—, 1×6")])
        #expect(answer.reading == expected)
    }

    @Test(arguments: ["lp", "dut", "but"])
    func `the diploma of each preset, checked by trying all`(preset: String) throws {
        let trial = try Trial(IUT.self, preset: preset)
        func year(_ first: String, _ second: String) -> [JSON] {
            [
                Year.unit(professional: true, rcue: "A", "1×\(first), 1×9"), Year.unit(rcue: "A", "1×\(second)"),
                Year.unit(weight: 9, "1×10"),
            ]
        }
        let grades = BruteForce.Grades(to: 20, by: 1)
        let expected = try BruteForce([grades, grades]).reading { grades in
            try trial.standing(year(grades[0].description, grades[1].description)).outcome("diploma")
                .hasPrefix("met")
        }
        let goal = Goal("diploma", reaches: .named("met"), grid: 1)
        #expect(try answer(trial, goal, year("—", "—")).reading == expected)
        #expect(expected.hasPrefix("reachable"))
    }

    @Test func `a unit's outcome looks for its own grades alone, unless others are named`() throws {
        let trial = try Trial(IUT.self, preset: "but")
        let year = [Year.unit(rcue: "A", "1×—"), Year.unit(rcue: "A", "1×—")]
        let own = try answer(trial, Goal("acquired", of: EntryID("1"), reaches: .named("met")), year)
        #expect(own.inputs.map(\.leaf.entry.text) == ["1.1"])
        #expect(own.reading == "reachable 10")
        let both = Goal(
            "acquired", of: EntryID("1"), reaches: .named("met"), unknowns: [.init(entry: EntryID("2.1"))])
        #expect(try answer(trial, both, [Year.unit(rcue: "A", "1×8"), year[1]]).reading == "reachable 1199/100")
    }

    @Test(arguments: [("met", "7.1", "already_secured"), ("met", "1.1", "out_of_reach")])
    func `an outcome can be secured or out of reach`(target: String, unknown: String, status: String) throws {
        let trial = try Trial(IUT.self)
        let stage = unknown == "7.1" ? "18" : "1"
        let projects = unknown == "7.1" ? "1×19" : "1×2"
        let year = [
            Year.unit("1×15"), Year.unit(weight: 9, professional: true, projects),
            Year.unit(weight: 1, professional: true, "1×\(stage)"),
        ]
        let goal = Goal(
            "diploma", reaches: .named(target), unknowns: [.init(entry: EntryID(unknown == "7.1" ? "3.1" : "1.1"))])
        #expect(try answer(trial, goal, year).reading == status)
    }

    @Test func `an outcome can only be met`() throws {
        let error = #expect(throws: FaultList.self) {
            try answer(try Trial(IUT.self), Goal("diploma", reaches: .value(10)), Year.sample())
        }
        #expect(error?.lines == ["out_of_range /target"])
    }
}
