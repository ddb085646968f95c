import Chalkboard
import GradingKit
import SchemeTestKit
import Testing

@Suite struct PresetTests {
    @Test(arguments: [
        ("default", ["A", "A", "B", "B", "F"]), ("plus", ["A", "A", "B+", "B", "F"]),
        ("plus-minus", ["A", "A-", "B+", "B-", "F"]),
    ])
    func `a total has the letter of the preset's table`(preset: String, letters: [String]) throws {
        let rules = try InstalledScheme(Chalkboard.self).rulebook(preset: preset)
        #expect(rules.warnings.isEmpty)
        let bounds = rules.configuration["bands"]?.array ?? []
        let found = [100, 92, 89, 81, 59].map { total in
            bounds.first { ($0["from"]?.integer ?? 0) <= total }?["label"]?.string ?? ""
        }
        #expect(found == letters)
    }
}
