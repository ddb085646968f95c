import GradingKit
import GradingLaws
import Regulations
import Testing

/// Letters as grades: stored as labels, read as points.
@Suite struct LetterTests {
    private static let heading = """
        regulation test "Test" language 1
        scale mark "/20" worst 0 best 20 step 0.01
        rounding gpa half up, 2 decimals, judged as shown
        bands letters in mark judged by gpa worth gp
            A 16 4
            "B+" 14 3.3
            "B-" 12 2.7
            F 0 0
        bands words worth stars
            Excellent 1
            Good 2
            "Not yet" 4
        bands plain in mark judged by gpa
            good 10
            bad 0
        entry course "Course" statuses excused, absent, pending
            title text
            credits number in credits above 0 starts at 3
            grade "Grade" letter of letters
            word letter of words optional starts at Good
        """
    private static let rules = """
        figure gpa in gp "GPA" shown by gpa lettered by points = mean of grade over course weighted by credits
        figure stars in stars shown by gpa without range = mean of word over course
        bands points in gp judged by gpa
            high 3
            low 0
        outcome honours
            awaits every course where counts : grade is known else open
            needs gpa reaches 3 else too_low
        """

    private func regulation(_ more: String = "") -> Regulation {
        Regulation(Array(Document.text("\(Self.rules)\n\(more)", heading: Self.heading).utf8))
    }

    private func faults(_ rules: String) -> [String] {
        Regulation(Array(Document.text(rules, heading: Self.heading).utf8)).faults.map {
            "\($0.code): \($0.message(in: .english))"
        }
    }

    private func course(_ id: String, _ grade: JSON, status: JSON = .null) -> JSON {
        [
            "id": .string(id), "kind": "course", "status": status,
            "fields": ["title": .string(id), "credits": 3, "grade": grade],
        ]
    }

    private func tree(_ rules: Rulebook, _ courses: [JSON]) throws -> RecordTree {
        try rules.calculation(fields: .null, entries: .array(courses), newID: { EntryID("?") })
    }

    @Test func `labels have names in other languages, and stay what is stored and compared`() throws {
        let heading = Self.heading.replacing("Excellent 1", with: "Excellent zh \"优秀\" 1")
            .replacing("\"Not yet\" 4", with: "\"Not yet\" fr \"Pas encore\" zh \"尚未\" 4")
        let rules =
            Self.rules.replacing("high 3", with: "high fr \"haute\" 3") + """

                example good "Some"
                    course "A" credits 4 grade A word "not yet"
                    expect gpa = 4, gpa lettered "high", stars = 4
                """
        let regulation = Regulation(Array(Document.text(rules, heading: heading).utf8))
        #expect(regulation.faults.map { $0.message(in: .english) } == [])
        let rulebook = try #require(regulation.rulebook)
        let described = try JSON.parse(InstalledScheme.regulations().description(of: rulebook))
        let figure = described["figures"]?.array?.first { $0["name"] == "gpa" }
        let bands = try #require(figure?["letters"]?["bands"]?.array)
        #expect(bands.map { $0["label"] } == ["high", "low"])
        #expect(bands.map { $0["text"] } == [["en": "high", "fr": "haute", "zh-Hans": "high"], nil])
        let word = described["shape"]?["kinds"]?.array?.first?["fields"]?.array?.first { $0["name"] == "word" }
        let choices = try #require(word?["choices"]?.array)
        #expect(choices.map { $0["value"] } == ["Excellent", "Good", "Not yet"])
        #expect(choices.map { $0["label"]?["zh-Hans"] } == ["优秀", "Good", "尚未"])
        #expect(choices.map { $0["label"]?["fr"] } == ["Excellent", "Good", "Pas encore"])
    }

    @Test func `a letter counts as its points, and one that is to come as the last or the first`() {
        let regulation = regulation(
            """
            example some "Some"
                course "A" credits 4 grade A
                course "B" credits 2 grade "B-"
                course "C" credits 2
                expect gpa = 107/30, floor gpa = 2.675, ceiling gpa = 3.675, honours pending, stars = 2
            example absent "An absence is the last letter"
                course "A" credits 4 grade A
                course "B" credits 4 status absent
                expect gpa = 2, honours unmet final
            """)
        #expect(regulation.faults.map { $0.message(in: .english) } == [])
        for result in regulation.workedExamples() { #expect(result.differences.map { $0.text(.english) } == []) }
    }

    @Test func `a letter is stored as its label, however it is typed`() throws {
        let rules = try #require(regulation().rulebook)
        func stored(_ typed: String) throws -> FieldValue? {
            try rules.shape.kinds[1].value(.string(typed), of: "grade")?.get()
        }
        for typed in ["B-", "b-", " B\u{2212}", "b–"] { #expect(try stored(typed) == .text("B-")) }
        for typed in ["B", "", "4", "A B"] { #expect(throws: Fault.self) { try stored(typed) } }
        let field = try #require(rules.shape.kinds[1].fields.first { $0.name == "grade" })
        #expect(field.isGrade && field.letters.map(\.label) == ["A", "B+", "B-", "F"])
        var writer = JSONWriter()
        field.write(to: &writer)
        let described = try JSON.parse(writer.bytes)
        #expect(described["type"] == "choice" && described["grade"] == true && described["required"] == false)
        #expect(described["choices"]?.array?.map { $0["points"] } == ["4", "3.3", "2.7", "0"])
    }

    @Test func `a goal on letters is a letter`() throws {
        let rules = try #require(regulation().rulebook)
        let tree = try tree(rules, [course("a", "B-"), course("b", .null)])
        let answer = try rules.answer(to: Goal("gpa", reaches: .value(3)), in: tree)
        #expect(answer.inputs.map(\.letter) == ["B+"] && answer.inputs.map(\.value) == [Exact(33, over: 10)])
        #expect(try JSON.parse(answer.json(in: .english))["inputs"]?.array?.first?["letter"] == "B+")
        let both = try rules.answer(
            to: Goal("honours", reaches: .named("met"), unknowns: ["a", "b"].map { Goal.Unknown(entry: EntryID($0)) }),
            in: tree)
        #expect(both.inputs.map(\.letter) == ["B+", "B+"])
    }

    @Test func `letters keep the laws of grading`() throws {
        let rules = try #require(regulation().rulebook)
        for violation in LawSuite(rules, records: 60).violations() { Issue.record("\(violation.description)") }
    }

    @Test func `what letters cannot be is said where it stands`() {
        #expect(
            faults("entry test\n    grade letter of plain").first
                == "no_points: the bands “plain” are worth no points — declare them with `worth`")
        #expect(
            faults("figure bad in mark shown by gpa = (1 in mark) through words").first
                == "no_bounds: the bands “words” have no bounds — declare them with `in` and a bound on each line")
        #expect(
            faults("bands alike worth gp\n    S 0\n    U 0\nentry test\n    grade letter of alike").first
                == "letters_alike: the best and the last letter of “alike” are worth the same")
        #expect(
            faults(
                "bands turning worth gp\n    A 4\n    B 1\n    C 2\n    D 0\nentry test\n    grade letter of turning"
            ).first
                == "letters_turn: the points of “turning” go up and down — letters stand best first")
        #expect(
            faults("bands bare\n    A 4").first
                == "unexpected: the line ends too soon — `in` is expected")
        #expect(
            faults("entry test\n    grade letter of letter").first
                == "unknown_bands: no bands are called “letter” — did you mean `letters`?")
    }
}
