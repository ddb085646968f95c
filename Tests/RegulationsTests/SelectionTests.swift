import GradingKit
import GradingLaws
import Regulations
import Testing

/// The best of which only so many may be alike.
@Suite struct SelectionTests {
    private static let heading = """
        regulation test "Test" language 1
        rounding shown half up, 2 decimals, judged as shown
        setting limit = 2 from 0 to 5 "Limit"
        entry module "Module" fr "Module" zh "模块" at most 12 statuses excused, absent, pending
            title text
            year "Year" fr "Année" zh "学年" whole number from 1 to 4 optional
            area text optional
            mark "Mark" fr "Note" zh "分数" grade in percent
        """
    private static let rules = """
        figure first_year in percent shown by shown = mean of mark over module best 4 by mark at most limit where year = 1
        figure each_year in percent shown by shown = mean of mark over module best 3 by mark at most 1 per year
        figure areas in percent shown by shown = mean of mark over module where mark is known best 2 by mark at most 1 per area
        figure counted in plain shown by shown without range
            = count over module best 4 by mark at most limit where year = 1 or area = "x"
        template six "Six"
            module "A" year 1 area "X" mark 90
            module "B" year 1 area "x " mark 80
            module "C" year 1 mark 70
            module "D" year 2 area "y" mark 60
            module "E" year 2 area "x" mark 50
            module "F" year 3 mark 40
        """

    private func differences(_ examples: String) throws -> [String] {
        let text = Document.text(Self.rules + "\n" + examples, heading: Self.heading)
        let regulation = Regulation(Array(text.utf8))
        #expect(regulation.faults.map { $0.message(in: .english) } == [])
        let results = regulation.workedExamples()
        #expect(!results.isEmpty)
        return results.flatMap { $0.differences.map { $0.text(.english) } }
    }

    @Test func `the best up to an amount, with so many alike, split the last one`() throws {
        let rules = """
            scale mark "/100" worst 0 best 100 step 1
            entry part in module
                year whole number from 1
                credits number in credits above 0
                score grade in mark
            figure best_ninety of module in mark shown by shown
                = mean of score over part best 100 by score at most 2 where year = 1 best 90 of credits by score
            """
        let document = Document.text(
            rules + """

                example split "A third part of the first year is passed over, and of the last one 10 credits count"
                    module "M"
                        part year 1 credits 30 score 90
                        part year 1 credits 20 score 80
                        part year 1 credits 30 score 75
                        part year 2 credits 30 score 70
                        part year 2 credits 20 score 60
                    expect best_ninety of "M" = 700/9
                """, heading: Self.heading)
        let regulation = Regulation(Array(document.utf8))
        #expect(regulation.faults.map { $0.message(in: .english) } == [])
        #expect(regulation.workedExamples().map(\.differences.isEmpty) == [true])
        let other = document.replacing(
            "best 100 by score at most 2 where year = 1 best 90 of credits by score",
            with: "best 90 of credits by score at most 2 where year = 1")
        #expect(Regulation(Array(other.utf8)).faults.map(\.code) == ["limit_of_amount"])
    }

    @Test func `one that is alike to as many better ones as may be is passed over`() throws {
        let examples = """
            example six "Six of three years"
                template six
                expect first_year = 70, each_year = 190/3, areas = 80, counted = 4
            example few "All of one year, and one of none"
                module "A" year 1 mark 90
                module "B" year 1 mark 80
                module "C" year 1 mark 70
                module "D" mark 10
                module "E" mark 20
                expect first_year = 50, each_year = 40, areas = 85, counted = 4
            example open "A mark to come is the best or the worst of its year"
                module "A" year 1 mark 90
                module "B" year 1
                module "C" year 2 mark 50
                expect each_year = 70, floor each_year = 70, ceiling each_year = 75
            example out "What is excused takes no place"
                template six with module "A" status excused
                expect first_year = 65, each_year = 60
            """
        #expect(try differences(examples) == [])
    }

    @Test func `keeps the laws, and a better mark never hurts`() throws {
        let text = Document.text(Self.rules, heading: Self.heading)
        let rules = try #require(Regulation(Array(text.utf8)).rulebook)
        #expect(LawSuite(rules, records: 120).violations().map(\.description) == [])
    }

    @Test func `what a grade decides of it has no guaranteed value`() {
        let figure = "figure f in percent shown by shown = mean of mark over module best 2 by mark at most 1"
        for limit in ["where mark >= 50", "per round(mark, shown)"] {
            let faults = Document.faults("\(figure) \(limit)", heading: Self.heading)
            #expect(faults.map { String($0.prefix { $0 != ":" }) } == ["not_monotone"])
        }
        #expect(
            Document.faults("\(figure)", heading: Self.heading).map { String($0.prefix { $0 != ":" }) }
                == ["unexpected"])
        let expecting = """
            figure f in percent shown by shown
                = mean of mark over module expecting 3 best 2 by mark at most 1 per year
            """
        #expect(
            Document.faults(expecting, heading: Self.heading).map { String($0.prefix { $0 != ":" }) }
                == ["expecting_mean"])
    }

    @Test func `is read back in words`() {
        let text = Document.text(Self.rules, heading: Self.heading)
        let regulation = Regulation(Array(text.utf8))
        let sentences = { (language: Language) in
            regulation.words(in: language).prefix(2).map { $0.text.replacing("\u{a0}", with: " ") }
        }
        #expect(
            sentences(.english) == [
                "“first_year” = the mean of “Mark” over “Module”, only the best 4 by “Mark”, of which at most “Limit” where “Year” = 1",
                "“each_year” = the mean of “Mark” over “Module”, only the best 3 by “Mark”, of which at most 1 for each “Year”",
            ])
        #expect(
            sentences(.french).last
                == "« each_year » = la moyenne de « Note » sur « Module », seules les 3 premières selon « Note », dont au plus 1 par « Année »"
        )
        #expect(
            sentences(.simplifiedChinese).last == "“each_year” = “模块”（按“分数”仅取最好的3），其中每个“学年”至多1个的“分数”的平均值")
    }
}
