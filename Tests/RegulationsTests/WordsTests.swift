import GradingKit
import RegulationLibrary
import Regulations
import Testing

/// Rules that are read back in words.
@Suite struct WordsTests {
    private static let heading = """
        regulation test "Test" language 1
        scale mark "/20" worst 0 best 20 step 0.01
        rounding averages half up, 2 decimals, judged as shown
        bands letters in mark judged by averages worth gp
            A 16 4
            F 0
        setting bar in mark = 10 from 0 to 20 "Bar" fr "Seuil" zh "及格线"
        entry unit "Unit" fr "Unité" zh "单元" statuses absent, pending
            title text
            code text
        entry subject in unit "Subject" fr "Matière" zh "科目" statuses absent, pending
            title text
            weight "Weight" fr "Poids" zh "权重" number in weight above 0
            kept yes/no optional
            grade "Grade" fr "Note" zh "成绩" grade in mark
        """

    private func words(_ rules: String, in language: Language) -> [String] {
        let regulation = Regulation(Array(Document.text(rules, heading: Self.heading).utf8))
        #expect(regulation.faults.filter { !$0.isWarning }.map { $0.message(in: .english) } == [])
        return regulation.words(in: language).map(\.text)
    }

    @Test(arguments: [
        (
            "mean of grade over subject weighted by weight",
            "the mean of “Grade” over “Subject”, weighted by “Weight”",
            "la moyenne de « Note » sur « Matière », pondération : « Poids »",
            "“科目”的“成绩”的平均值，以“权重”为权重"
        ),
        (
            "(sum of grade over subject where grade is known and counts) / (count over subject)",
            "(the sum of “Grade” over “Subject” where “Grade” is known and it counts in averages) ÷ (the number of “Subject”)",
            "(la somme de « Note » sur « Matière » où « Note » est une valeur connue et elle compte dans les moyennes) ÷ (le nombre d’entrées « Matière »)",
            "（满足“成绩”已知且计入平均的“科目”的“成绩”之和） ÷ （“科目”的个数）"
        ),
        (
            "if any subject : grade < 7.5 then min(bar, 9.5) else mean of grade over subject",
            "if (for at least one “Subject”: “Grade” < 7.5) then the least of “Bar”, 9.5, otherwise the mean of “Grade” over “Subject”",
            "si (pour au moins une entrée « Matière » : « Note » < 7,5) alors le plus petit de « Seuil », 9,5, sinon la moyenne de « Note » sur « Matière »",
            "若（至少一个“科目”：“成绩” < 7.5），则“及格线”、9.5中的最小值，否则“科目”的“成绩”的平均值"
        ),
        (
            "mean of grade over subject without worst 1 by grade sparing kept otherwise bar - 1",
            "(the mean of “Grade” over “Subject”, without the worst 1 by “Grade”, never those with “kept”), or if unknown “Bar” − 1",
            "(la moyenne de « Note » sur « Matière », sans les 1 dernières selon « Note », jamais celles avec « kept »), ou à défaut « Seuil » − 1",
            "（“科目”（按“成绩”去掉最差的1个），“kept”者除外的“成绩”的平均值），缺失时取“及格线” − 1"
        ),
    ])
    func `a formula is read back with the document's labels`(
        formula: String, english: String, french: String, chinese: String
    ) {
        let rules = """
            figure average of unit in mark "Average" fr "Moyenne" zh "平均" shown by averages without range
                = \(formula)
            """
        #expect(words(rules, in: .english) == ["“Average” of “Unit” = " + english])
        #expect(words(rules, in: .french) == ["« Moyenne » de « Unité » = " + french])
        #expect(words(rules, in: .simplifiedChinese) == ["“单元”的“平均” = " + chinese])
    }

    @Test func `what holds less tightly than its place stands in brackets`() {
        let rules = """
            figure average of unit in mark shown by averages without range = mean of grade over subject
            outcome passed
                awaits every unit : average is known else open
                needs not (no unit) and (no unit where average < 5 or bar > 10) else low
                met when every unit : average reaches bar because fine
                else low
            check subject weight <= 2 * (3 + 1 in weight) else heavy
            """
        #expect(
            words(rules, in: .english) == [
                "“average” of “Unit” = the mean of “Grade” over “Subject”",
                """
                “passed”:
                  open until this holds: for every “Unit”: “average” is known
                  requires: not (there is no “Unit”) and (there is no “Unit” where “average” < 5 or “Bar” > 10)
                  met if for every “Unit”: “average” reaches “Bar”
                  otherwise not met
                """,
                "refused unless this holds: “Weight” ≤ 2 × (3 + (1 in weight))",
            ])
    }

    @Test(arguments: RegulationLibrary.documents.map(\.name))
    func `every rule of a document that ships is read back in every language`(name: String) throws {
        let document = try #require(RegulationLibrary.documents.first { $0.name == name })
        let regulation = Regulation(document.text)
        let english = regulation.words(in: .english)
        let sorts = (regulation.outline.array ?? []).compactMap { $0["sort"]?.string }
        #expect(english.count >= sorts.count { ["figure", "let", "outcome"].contains($0) })
        for language in Language.allCases {
            let sentences = regulation.words(in: language)
            #expect(sentences.map(\.line) == english.map(\.line))
            // A part of a phrase that was not filled in would stand in braces.
            #expect(sentences.filter { $0.text.contains("{") } == [])
        }
    }
}
