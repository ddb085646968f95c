import GradingKit
import GradingLaws
import Regulations
import Testing

/// One rule for many bounds: a `let` that is called with numbers.
@Suite struct CalledTests {
    private static let heading = """
        regulation test "Test" language 1
        rounding shown half up, 2 decimals, judged as shown
        setting width in percent = 2 from 0 to 5 "Width"
        setting first in percent = 70 from 50 to 90 "First"
        entry module "Module" at most 12 statuses excused, absent, pending
            title text
            credits number in credits from 0
            mark grade in percent
        figure final in percent "Final" shown by shown = mean of mark over module weighted by credits
        """
    private static let rules = """
        let close(bound in percent) = not (final reaches bound) and final reaches bound - width
        let many(bound in percent, needed in credits) = (sum of credits over module where mark >= bound) >= needed
        let lifted(bound in percent) = close(bound) and many(bound, 60)
        let above(bound in percent, factor) of module = (mark - bound) * factor
        let doubled(factor) of module = 2 * factor
        figure award in percent "Award" shown by shown without range
            = if lifted(first) then first else if lifted(60) then 60 else final
        figure extra in percent shown by shown = mean of above(10%, doubled(1/4)) over module
        outcome class "Class"
            awaits any module else none
            met first_class when award reaches first because direct
            met second_class when lifted(first - 10) or final reaches first - 10
            else third_class lower
        """

    private func codes(_ rules: String) -> [String] {
        Document.faults(rules, heading: Self.heading).map { String($0.prefix { $0 != ":" }) }
    }

    @Test func `the rule holds for each bound with which it is called`() throws {
        let examples = """
            example lifted "Just below a bound, and half of it above"
                module "A" credits 60 mark 72
                module "B" credits 60 mark 66
                expect final = 69, award = 70, extra = 59/2, class first_class
            example below "Just below a bound, and not enough above"
                module "A" credits 40 mark 72
                module "B" credits 80 mark 67
                expect final = 206/3, award = 206/3, class second_class
            example second "Just below the lower bound"
                module "A" credits 60 mark 60
                module "B" credits 60 mark 58
                expect final = 59, award = 60, class second_class
            """
        let regulation = Regulation(
            Array(Document.text(Self.rules + "\n" + examples, heading: Self.heading).utf8))
        #expect(regulation.faults.map { $0.message(in: .english) } == [])
        let results = regulation.workedExamples()
        #expect(results.count == 3)
        #expect(results.flatMap { $0.differences.map { $0.text(.english) } } == [])
        #expect(
            LawSuite(try #require(regulation.rulebook), records: 100).violations().map(\.description) == [])
    }

    @Test(arguments: [
        ("let f(b in percent) = final reaches b\noutcome o\n    needs f(mark) else no", ["unknown_name"]),
        ("let f(b in percent) = final reaches b\noutcome o\n    needs f(final) else no", ["argument_open"]),
        ("let f(b in percent) = final reaches b\noutcome o\n    needs f(60 in credits) else no", ["unit_mismatch"]),
        ("let f(b in percent) = final reaches b\noutcome o\n    needs f(1, 2) else no", ["argument_count"]),
        ("let f(b in percent) = final reaches b\noutcome o\n    needs f else no", ["argument_count"]),
        ("let f = final reaches 2\noutcome o\n    needs f(2) else no", ["argument_count"]),
        ("let f(b in percent) of module = mark >= b\noutcome o\n    needs f(2) else no", ["unknown_function"]),
        ("let f(b in percent) = f(b) or final reaches b\noutcome o\n    needs f(2) else no", ["circular"]),
        ("let f(b in percent, b) = final reaches b", ["duplicate_name"]),
        ("let f(b in parsec) = final reaches b", ["unknown_unit"]),
        ("let f(a, b, c, d, e, g, h, i, j) = a", ["too_many"]),
        ("let f() = 1", ["unexpected"]),
        ("let f(b in percent) = final reaches c", ["unknown_name"]),
        ("let f(b in percent) = final reaches b", []),
    ])
    func `what is wrong with a call is told`(rules: String, expected: [String]) {
        #expect(codes(rules) == expected)
    }

    @Test func `calls within calls cost what they make of the formula`() {
        let doublings = (1...12).map { "let f\($0)(b in percent) = f\($0 - 1)(b) or f\($0 - 1)(b + 1)" }
        let rules = (["let f0(b in percent) = final reaches b"] + doublings).joined(separator: "\n")
        #expect(codes(rules + "\noutcome o\n    needs f12(1) else no").contains("formula_too_long"))
    }

    @Test func `is read back in words`() {
        let text = Document.text(Self.rules, heading: Self.heading)
        let words = { (language: Language) in
            Regulation(Array(text.utf8)).words(in: language).map { $0.text.replacing("\u{a0}", with: " ") }
        }
        #expect(
            words(.english).contains(
                "“lifted” for “bound” = “close” for “bound” and “many” for “bound”, 60"))
        let french = "« lifted » pour « bound » = « close » pour « bound » et « many » pour « bound », 60"
        #expect(words(.french).contains(french))
        #expect(words(.simplifiedChinese).contains("“lifted”（“bound”） = “close”（“bound”）且“many”（“bound”、60）"))
    }
}
