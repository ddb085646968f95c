import GradingKit
import Regulations
import Testing

/// Grades that stand for one another, as a resit for a mark: while one is recorded, the others are absent and not open.
@Suite struct AbsentGradeTests {
    private static func regulation(_ formula: String, _ rest: String) -> Regulation {
        let heading = """
            regulation test "Test" language 1
            scale mark worst 0 best 20 step 1
            rounding shown half up, 2 decimals, judged exactly
            setting cap in mark = 10 from 0 to 20
            entry module
                title text
                mark grade in mark
                resit grade in mark
            figure result of module in mark shown by shown = \(formula)
            figure average in mark shown by shown = mean of result over module
            """
        return Regulation(Array(Document.text(rest, heading: heading).utf8))
    }

    private static let chosen = [
        "resit otherwise mark", "max(mark, resit) otherwise mark", "max(mark, resit otherwise mark)",
        "min(resit, cap) otherwise mark", "mark otherwise resit", "max(mark, resit) otherwise mark otherwise resit",
    ]

    @Test(arguments: chosen)
    func `an absent resit widens no range, and a mark to come is open`(formula: String) {
        let regulation = Self.regulation(
            formula,
            """
            example settled "All marks are in"
                module "A" mark 8
                module "B" mark 12
                expect average = 10, floor average = 10, ceiling average = 10
            example open "A mark is to come"
                module "A"
                module "B" mark 12
                expect average = 12, floor average = 6, ceiling average = 16
            """)
        #expect(regulation.faults.map { $0.message(in: .english) } == [])
        #expect(regulation.workedExamples().flatMap { $0.differences.map { "\($0.text)" } } == [])
    }

    @Test(arguments: [
        ("resit otherwise 0", 0), ("max(mark otherwise 0, resit otherwise 0)", 20),
        ("(mark + resit) / 2 otherwise mark", 10),
    ])
    func `what stands for no other grade stays open`(formula: String, floor: Int) {
        let regulation = Self.regulation(
            formula,
            """
            example open "A grade is to come"
                module "A" mark 20
                expect ceiling average = 20, floor average = \(floor)
            """)
        #expect(regulation.faults.map { $0.message(in: .english) } == [])
        #expect(regulation.workedExamples().flatMap { $0.differences.map { "\($0.text)" } } == [])
    }

    @Test(arguments: [
        ("resit otherwise mark", 8, 8), ("max(mark, resit) otherwise mark", 8, 20),
        ("min(mark, resit) otherwise mark", 0, 8), ("max(mark, resit otherwise mark)", 8, 20),
    ])
    func `a resit without a mark counts as far as the formula lets it`(formula: String, floor: Int, ceiling: Int) {
        let regulation = Self.regulation(
            formula,
            """
            example resat "The mark is still to come"
                module "A" resit 8
                expect floor average = \(floor), ceiling average = \(ceiling)
            """)
        #expect(regulation.faults.map { $0.message(in: .english) } == [])
        #expect(regulation.workedExamples().flatMap { $0.differences.map { "\($0.text)" } } == [])
    }

    @Test(arguments: chosen)
    func `a goal asks for the mark that is to come, and for none that is recorded`(formula: String) throws {
        let template = "template t\n    module \"A\" mark 8\n    module \"B\""
        for (text, asked) in [(template, ["mark"]), (template + " mark 12", [])] {
            let rules = try #require(Self.regulation(formula, text).rulebook)
            var made = 0
            let record = try #require(
                try rules.template("t") {
                    made += 1
                    return EntryID("m\(made)")
                })
            let answer = try rules.answer(to: Goal("average", reaches: .value(12)), in: record)
            #expect(answer.inputs.map(\.leaf.field) == asked)
            #expect(answer.status == (asked.isEmpty ? .outOfReach : .reachable))
        }
    }
}
