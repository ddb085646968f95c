@testable import GradingLaws
import GradingKit
import Regulations
import Testing

/// A review of the laws counts what it does, and stops soon after it has done what it may.
@Suite struct ReviewCostTests {
    private static let work = 300_000

    /// Rules that ask for much; what asks for more is refused before.
    private static let hostile: [String] = [
        many(60, "outcome o#") { "    needs bar > \($0 % 20) else no_reason_\($1)" },
        many(30, "outcome o# of unit") { "    needs weight > 1/\($0 + 1) else too_little_\($1)_\($0)" },
        many(4, "outcome o# of unit") { _, _ in "    needs every subject : grade > 10 else too_low" },
        many(4, "outcome o# of subject") { "    awaits grade > \($0 % 20) else later_\($1)_\($0)" },
    ]

    private static func many(_ count: Int, _ head: String, _ clause: (Int, Int) -> String) -> String {
        (0..<count).map { number in
            let clauses = (0..<50).map { clause($0, number) }
            return ([head.replacing("#", with: "\(number)")] + clauses).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    @Test(arguments: hostile)
    func `takes no more than three times what it may`(rules: String) throws {
        let heading = Document.heading.replacing("entry unit ", with: "entry unit at most 8 ")
            .replacing("entry subject in unit ", with: "entry subject in unit at most 30 ")
        let regulation = Regulation(Array(Document.text(rules, heading: heading).utf8))
        let rulebook = try #require(regulation.rulebook, "\(regulation.faults.prefix(3))")
        let suite = LawSuite(rulebook, records: 40, work: Self.work)
        _ = suite.review()
        #expect(suite.meter.spent <= 3 * Self.work)
    }
}
