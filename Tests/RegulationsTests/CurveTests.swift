import GradingKit
import GradingLaws
import Regulations
import Testing

/// Curves, means of the best credits, and the most frequent value.
@Suite struct CurveTests {
    private static let heading = """
        regulation test "Test" language 1
        scale mark "/20" worst 0 best 20 step 0.01
        scale note worst 5 best 1 step 0.1
        rounding averages half up, 2 decimals, judged as shown
        curve bavarian from percent to note "Bavarian" fr "Bavaroise" zh "巴伐利亚"
            100 1
            0 4
            -100/3 5
        curve lift from mark to mark
            0 5
            20 20
        entry unit "Unit" statuses excused, pending
            title text
            credits number in credits from 0
            bonus number in mark optional
            grade grade in mark
            note grade in note
        """
    private static let rules = """
        figure top in mark shown by averages = mean of grade over unit best 10 of credits by grade
        figure usual in mark shown by averages without range = mode of grade over unit
        figure common in note shown by averages without range = mode of note over unit
        figure read in note shown by averages = (mean of grade over unit) as percent through bavarian
        figure lifted in mark shown by averages = mean of (grade through lift) over unit
        """

    private func faults(_ rules: String) -> [String] {
        Regulation(Array(Document.text(rules, heading: Self.heading).utf8)).faults.map {
            "\($0.code): \($0.message(in: .english))"
        }
    }

    @Test func `what is read off a curve, counts of the best, and is the most frequent`() {
        let regulation = Regulation(
            Array(
                Document.text(
                    """
                    \(Self.rules)
                    example all "All"
                        unit "A" credits 6 grade 14 note 1.3
                        unit "B" credits 6 grade 10 note 2
                        unit "C" credits 6 grade 8 note 2.3
                        unit "D" credits 6 grade 8 note 1.3
                        unit "E" credits 6 note 2
                        expect top = 12.4, usual = 8, common = 1.3, read = 2.5, lifted = 12.5, ceiling top = 17.6, floor top = 12.4
                    """, heading: Self.heading
                ).utf8))
        #expect(regulation.faults.map { $0.message(in: .english) } == [])
        for result in regulation.workedExamples() { #expect(result.differences.map { $0.text(.english) } == []) }
    }

    @Test func `the laws hold of them, and a better mark never lowers the best credits`() throws {
        let rules = try #require(Regulation(Array(Document.text(Self.rules, heading: Self.heading).utf8)).rulebook)
        for violation in LawSuite(rules, records: 60).violations() { Issue.record("\(violation.description)") }
    }

    @Test func `what is wrong with them is said where it stands`() {
        #expect(
            faults("curve one_point from mark to note\n    1 2").first
                == "empty_table: a curve has two lines or more, each with a value and what becomes of it")
        #expect(
            faults("curve turning from mark to note\n    1 2\n    2 3\n    3 2") == [
                "curve_turns: the curve turns here — its values and what becomes of them rise or fall throughout"
            ])
        #expect(
            faults("figure bad in note shown by averages = mean of grade over unit through bavarian") == [
                "unit_mismatch: the curve is from percent, this is in mark"
            ])
        #expect(
            faults("figure bad in note shown by averages = mean of grade over unit through bavaria") == [
                "unknown_bands: no bands are called “bavaria” — did you mean `bavarian`?"
            ])
        let last = "best_of_mean: `best … of … by` is the last clause of a `mean of … over …`, whose weights it gives"
        #expect(
            faults("figure bad in mark shown by averages = sum of grade over unit best 9 of credits by grade") == [last]
        )
        #expect(
            faults("figure bad in plain shown by averages = count over unit best 9 of credits by grade") == [last])
        #expect(
            faults(
                "figure bad in mark shown by averages = mean of grade over unit best 9 of credits by grade where credits > 1"
            ) == [last])
        #expect(
            faults("figure bad in mark shown by averages = mean of grade over unit best 9 of grade by grade").first
                == "amount_of_grades: a grade decides how much of it counts — give a number or a field that is no grade"
        )
        #expect(
            faults("figure bad in mark shown by averages = mean of grade over unit best 9 of bonus by grade").first
                == "negative_weight: this weight may be below 0 — give its field `from 0`")
        #expect(
            faults("figure bad in mark shown by averages = mean of grade over unit best 9 of credits by note").first?
                .hasPrefix("not_monotone: ") == true)
        #expect(
            faults("figure bad in mark shown by averages = mode of grade over unit").first?.hasPrefix("not_monotone: ")
                == true)
    }

    @Test func `they are read back in words`() throws {
        let regulation = Regulation(Array(Document.text(Self.rules, heading: Self.heading).utf8))
        let words = regulation.words(in: .english).map(\.text)
        #expect(
            words.prefix(2) == [
                "“top” = the mean of “grade” over “Unit”, only the best by “grade” up to 10 of “credits”, each with its part of them",
                "“usual” = the most frequent “grade” over “Unit”",
            ])
        #expect(regulation.words(in: .french)[3].text.hasSuffix("lu dans « Bavaroise »"))
    }
}
