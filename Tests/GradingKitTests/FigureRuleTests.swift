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
            fault.arguments == ["example": .number("89.995"), "shown": "90.00", "bound": 90, "judged": "below"])
        #expect(
            MessageCatalog.kit.message(fault, in: .english)
                == "89.995 is shown as 90.00 and judged otherwise against 90")
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
        #expect(rule.contradiction(at: 10, path: "")?.arguments["judged"] == "reached")
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
