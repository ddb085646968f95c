import Testing

@testable import GradingKit

@Suite struct FigureRuleTests {
    private func decimal(_ text: String) -> Exact { DecimalText(text)?.value ?? 0 }

    @Test(arguments: [
        (CompareRule.exact, "9.995", false), (.displayed, "9.995", true), (.displayed, "9.9949", false),
        (.tolerance(1), "9", true), (.tolerance(1), "8.9999", false), (.exact, "10", true),
    ])
    func `a bar is judged as the rule says`(compareOn: CompareRule, value: String, reached: Bool) {
        let rule = FigureRule(.halfUp, scale: 2, compareOn: compareOn)
        #expect(rule.reaches(decimal(value), 10) == reached)
        #expect((rule.judged(decimal(value)) >= 10) == reached)
    }

    @Test func `what is shown can contradict what is judged, and an example says how`() throws {
        let exact = FigureRule(.halfUp, scale: 2, compareOn: .exact)
        let fault = try #require(exact.contradiction(at: 90, path: "/bands/0/from"))
        #expect(fault.code == .displayContradicts)
        #expect(
            fault.arguments == ["example": .number("89.995"), "shown": "90.00", "bound": 90, "label": "< 90"])
        #expect(MessageCatalog.kit.message(fault, in: .english) == "89.995 is shown as 90.00 and counts as < 90")
    }

    @Test func `the warning names the label that the example gets`() throws {
        let bands = Bands(
            [Band("A", from: 90), Band("B+", from: 85), Band("F", from: 0)],
            judging: FigureRule(.halfUp, scale: 2, compareOn: .exact))
        let messages = bands.warnings(at: "").map { fault in
            Language.allCases.map { MessageCatalog.kit.message(fault, in: $0) }
        }
        #expect(
            messages.first == [
                "89.995 is shown as 90.00 and counts as B+", "89.995 s’affiche 90.00 et compte comme B+",
                "89.995 显示为 90.00，却按 B+ 计",
            ])
        #expect(messages.count == 2)
    }

    @Test(arguments: ["85.55", "85.56", "0"], Rounding.allCases)
    func `a warning is given exactly where some value contradicts`(bound: String, mode: Rounding) {
        compareWithAll(bound, mode, .higher)
        if bound == "85.56" { compareWithAll(bound, mode, .lower) }
    }

    private func compareWithAll(_ bound: String, _ mode: Rounding, _ better: Direction) {
        let rules: [CompareRule] = [.exact, .tolerance(decimal("0.05")), .tolerance(decimal("0.01"))]
        let grids: [RoundingGrid] = [.scale(1), .scale(0), .step(decimal("0.25"))]
        for (compareOn, grid) in rules.flatMap({ rule in grids.map { (rule, $0) } }) {
            for stages in [[], [RoundingStep(.floor, scale: 2), RoundingStep(mode, scale: 1)]] {
                var rule = FigureRule(mode, scale: 0, compareOn: compareOn, stages: stages)
                rule.better = better
                rule.shown = RoundingStep(mode, grid)
                let bound = decimal(bound)
                func contradicts(_ value: Exact) -> Bool {
                    better.reaches(rule.shown(value), bound) != rule.reaches(value, bound)
                }
                // All that matters lies on multiples of 0.005 or between two, and no further than a step away.
                let values = (-440...440).map { bound + Exact($0) * decimal("0.0025") }
                let exists = values.contains { x in contradicts(stages.reduce(x) { $1($0) }) }
                let warning = rule.contradiction(at: bound, path: "")
                #expect((warning != nil) == exists, "\(rule) at \(bound)")
                if case .number(let text)? = warning?.arguments["example"] { #expect(contradicts(decimal(text))) }
            }
        }
    }

    @Test func `no value outside the range of a setting is an example`() {
        let rule = FigureRule(.ceiling, scale: 0, compareOn: .exact)
        #expect(rule.contradiction(at: 0, path: "") != nil)
        #expect(rule.contradiction(at: 0, path: "", within: 0...20) == nil)
        #expect(rule.contradiction(at: 10, path: "", within: 0...20) != nil)
    }

    @Test(arguments: Rounding.allCases)
    func `what is judged as displayed contradicts nothing`(mode: Rounding) {
        #expect(FigureRule(mode, scale: 1, compareOn: .displayed).contradiction(at: 90, path: "") == nil)
    }

    @Test(arguments: [Rounding.floor, .truncate])
    func `what is judged exactly and shown on its floor contradicts nothing`(mode: Rounding) {
        #expect(FigureRule(mode, scale: 1, compareOn: .exact).contradiction(at: 90, path: "") == nil)
    }

    @Test func `a tolerance contradicts what is shown`() {
        let rule = FigureRule(.floor, scale: 2, compareOn: .tolerance(1))
        #expect(rule.contradiction(at: 10, path: "")?.arguments["label"] == "≥ 10")
    }

    @Test func `the lowest band takes everything below`() {
        let bands = Bands(
            [Band("A", from: 90, points: 4), Band("B", from: 80, points: 3), Band("F", from: 10, points: 0)],
            judging: FigureRule(.halfUp, scale: 0, compareOn: .displayed))
        let letters = ["100", "90", "89.5", "89.49", "80", "79.4", "0", "-5"].map {
            bands.band(for: decimal($0))?.label
        }
        #expect(letters == ["A", "A", "A", "B", "B", "F", "F", "F"])
        #expect(bands.points(for: 95).value == 4)
        #expect(bands.points(for: .undefined(.noGrades)).reason == .noGrades)
        #expect(Bands([], judging: bands.rule).band(for: 5 as Exact) == nil)
    }
}
