import GradingKit
import GradingLaws
import Regulations
import Testing

/// What fields say of records, shown by examples that the documents themselves hold.
@Suite struct RecordTests {
    private static let heading = """
        regulation test "Test" language 1
        rounding whole half up, 0 decimals, judged exactly
        entry record
            ready yes/no optional
        entry item statuses excused, absent, pending
            number whole number unique
            share number optional unique
            grade grade in percent
        figure total in percent shown by whole = if (any item) then sum of grade over item
        outcome started
            awaits ready is recorded else undecided
            needs ready else not_ready
        """

    private func regulation(_ rules: String) -> Regulation {
        Regulation(Array(Document.text(rules, heading: Self.heading).utf8))
    }

    private func differences(_ examples: String) -> [String] {
        let regulation = regulation(examples)
        var found = regulation.faults.map { $0.message(in: .english) }
        for result in regulation.workedExamples() { found += result.differences.map { "\($0.text)" } }
        return found
    }

    @Test func `numbers are unique where their field says so`() {
        #expect(
            differences(
                """
                example twice "Twice"
                    item number 1 grade 40
                    item number 2 grade 40
                    item number 1 grade 40
                    expect refused duplicate_number
                example halves "One half twice"
                    item number 1 share 0.5
                    item number 2 share 0.50
                    expect refused duplicate_share
                example none "None twice"
                    item number 1 grade 40
                    item number 2 grade 40
                    expect total = 80
                """) == [])
    }

    @Test func `a yes or no that is not recorded counts as no, and may be awaited`() {
        #expect(
            differences(
                """
                example open "Open"
                    expect started pending
                example decided "No"
                    record ready no
                    expect started unmet
                example yes_it_is "Yes"
                    record ready yes
                    expect started met
                """) == [])
    }

    @Test func `numbers of their own, and sums of what is open for several reasons, keep the laws`() throws {
        let rules = try #require(regulation("").rulebook)
        #expect(LawSuite(rules, records: 200).violations().map(\.description) == [])
    }
}
