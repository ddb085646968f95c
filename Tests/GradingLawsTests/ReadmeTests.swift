import GradingKit
import GradingLaws
import SchemeTestKit
import Testing

/// The scheme that the kit's README shows is this module's `PassFail`, letter by letter, and it works.
@Suite struct ReadmeTests {
    @Testing.Test func `the README shows a scheme that compiles`() throws {
        let readme = try SourceFile("GradingKit/README.md").text
        let scheme = try SourceFile("Tests/GradingLawsTests/PassFail.swift").text
        #expect(readme.contains("```swift\n\(scheme)```"))
    }

    @Testing.Test func `it keeps the laws`() throws {
        #expect(try LawSuite.violations(of: InstalledScheme(PassFail.self), records: 60).map(\.description) == [])
    }

    @Testing.Test func `it grades as the README says`() throws {
        func test(_ title: String, _ points: JSON, _ max: JSON) -> JSON {
            ["kind": "test", "fields": ["title": .string(title), "points": points, "max": max]]
        }
        let standing = try Trial(PassFail.self).standing([
            test("One", 9, 20), test("Two", 11, 20), test("Three", nil, 10),
        ])
        #expect(standing.reading("result") == "50 → 50.0")
        #expect(standing.range("result") == "33.3…66.7")
        #expect(standing.outcome("passed") == "met")
        let trial = try Trial(PassFail.self)
        #expect(
            trial.faults([test("One", 21, 20), test(" one", 1, 2)]) == [
                "out_of_range /entries/0/fields/points", "duplicate_title /entries/1/fields/title",
            ])
    }
}
