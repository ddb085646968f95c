import Chalkboard
import GradingKit
import GradingLaws
import SchemeTestKit
import Testing

@Suite struct LawTests {
    @Test(arguments: Seeds.few(1))
    func `the scheme keeps every law of grading under each preset`(seed: UInt64) throws {
        let violations = try LawSuite.violations(of: InstalledScheme(Chalkboard.self), seed: seed, records: 30)
        for violation in violations { Issue.record("\(violation.description)\n\(violation.record.text)") }
    }

    @Test func `a course can be graded by a class under each preset`() throws {
        let scheme = InstalledScheme(Chalkboard.self)
        for preset in scheme.presets {
            let laws = LawSuite(try scheme.rulebook(preset: preset), seed: 7, records: 120)
            #expect(laws.counterexample(toMounting: "course")?.description == nil, "\(preset)")
        }
    }

    @Test func `the greatest record that the laws are run over is a great one`() throws {
        let scheme = InstalledScheme(Chalkboard.self)
        for preset in scheme.presets {
            let record = try #require(LawSuite(try scheme.rulebook(preset: preset)).greatestRecord())
            #expect(record.count >= 16, "\(preset)")
        }
    }

    @Test func `what people give counts, and taken back it was never there`() throws {
        let scheme = InstalledScheme(Chalkboard.self)
        for preset in scheme.presets {
            let laws = LawSuite(try scheme.rulebook(preset: preset), seed: 11, records: 60)
            #expect(laws.counterexampleToGiving()?.description == nil, "\(preset)")
        }
    }
}
