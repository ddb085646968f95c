import RoseHulman
import GradingKit
import GradingLaws
import SchemeTestKit
import Testing

@Suite struct LawTests {
    @Test(arguments: Seeds.few(1))
    func `the scheme keeps every law of grading under each preset`(seed: UInt64) throws {
        let violations = try LawSuite.violations(of: InstalledScheme(RoseHulman.self), seed: seed, records: 30)
        for violation in violations { Issue.record("\(violation.description)\n\(violation.record.text)") }
    }

    @Test(arguments: Seeds.few(1))
    func `a course can be graded by a class under each preset`(seed: UInt64) throws {
        let scheme = InstalledScheme(RoseHulman.self)
        for preset in scheme.presets {
            let laws = LawSuite(try scheme.rulebook(preset: preset), seed: 6 + seed, records: 20)
            #expect(laws.counterexample(toMounting: "course")?.description == nil, "\(preset)")
        }
    }

    @Test func `the greatest record that the laws are run over is a great one`() throws {
        let scheme = InstalledScheme(RoseHulman.self)
        for preset in scheme.presets {
            let record = try #require(LawSuite(try scheme.rulebook(preset: preset)).greatestRecord())
            #expect(record.count >= 400, "\(preset)")
        }
    }

    @Test(arguments: Seeds.few(1))
    func `what people give counts, and taken back it was never there`(seed: UInt64) throws {
        let scheme = InstalledScheme(RoseHulman.self)
        for preset in scheme.presets {
            let laws = LawSuite(try scheme.rulebook(preset: preset), seed: 10 + seed, records: 20)
            #expect(laws.counterexampleToGiving()?.description == nil, "\(preset)")
        }
    }
}
