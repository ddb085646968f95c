import GradingKit
import GradingLaws
import Regulations
import Testing

/// Statuses that a document names itself, and what they count for.
@Suite struct StatusTests {
    private static let heading = """
        regulation test "Test" language 1
        scale mark "/20" worst 0 best 20 step 0.01
        scale note worst 5 best 1 step 0.1
        rounding exact half up, 2 decimals, judged exactly
        status missing "Missing" fr "Non rendu" zh "未交" average 40% attempted in_gpa
        status P "Pass" average leaves attempted earned
        status I average pending attempted
        status kept average counts earned
        status absent "Away" average leaves
        entry unit statuses missing, I
            title text
        entry item in unit statuses missing, absent, excused, P, I, kept
            title text
            grade grade in mark
            low grade in note
            score grade out of max
            max number optional
        figure average of unit in mark shown by exact = mean of grade over item otherwise ungraded
        figure lowest of item in note shown by exact = low
        figure part of item in points shown by exact = score
        figure gained in plain shown by exact = if (any item of unit) then count over item of unit where earned
        figure tried in plain shown by exact = if (any item of unit) then count over item of unit where attempted
        figure lacking in plain shown by exact
            = if (any item of unit) then count over item of unit where status is missing
        outcome whole of unit
            awaits not awaiting else open
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

    @Test func `a share lies between the worst grade and the best, also where the lower one is the better`() {
        #expect(
            differences(
                """
                example shares "Shares"
                    unit "All"
                        item "a" max 30 status missing
                        item "b" grade 18
                        item "c" status missing
                    expect average of "All" = 34/3, lowest of "a" = 3.4, part of "a" = 12, part of "c" is unknown
                example beside "What is recorded does not count beside it"
                    unit "All"
                        item "a" grade 20 status missing
                    expect average of "All" = 8, floor average of "All" shown 8.00, ceiling average of "All" shown 8.00
                """) == [])
    }

    @Test func `a status holds for what stands in the entry, and for the entry where nothing does`() {
        #expect(
            differences(
                """
                example around "Around"
                    unit "First" status missing
                        item "a" grade 18
                        item "b" grade 18 status kept
                        item "c" status excused
                    unit "Second" status missing
                    unit "Third" status I
                        item "d" grade 18
                    expect average of "First" = 8, average of "Second" = 8, average of "Third" is unknown
                    expect whole of "First" met, whole of "Third" pending, ceiling average of "Third" shown 20.00
                """) == [])
    }

    @Test func `a status counts for what its line says, be it one that every scheme knows`() {
        #expect(
            differences(
                """
                example table "Table"
                    unit "All"
                        item "a" status P
                        item "b" status I
                        item "c" status kept grade 12
                        item "d" status absent
                        item "e" status missing
                    expect gained = 2, tried = 3, lacking = 1, average of "All" = 10, whole of "All" pending
                example never "A status that the kind does not list"
                    unit "All" status P
                    expect refused out_of_range
                """) == [])
    }

    @Test func `records with statuses of their own keep the laws`() throws {
        // Grades of one scale alone: each counts once.
        let lines = Self.heading.split(separator: "\n").filter { line in
            !["low", "score", "max", "part"].contains { line.contains($0) }
        }
        let text = Document.text("", heading: lines.joined(separator: "\n"))
        let rules = try #require(Regulation(Array(text.utf8)).rulebook)
        #expect(LawSuite(rules, records: 200).violations().map(\.description) == [])
    }

    @Test func `descriptions name statuses as the document does`() throws {
        let scheme = InstalledScheme.regulations()
        let configuration: JSON = ["document": .string(Document.text("", heading: Self.heading))]
        let described = try JSON.parse(scheme.description(of: scheme.rulebook(configuration: configuration)))
        let kinds = described["shape"]?["kinds"]?.array
        #expect(kinds?.first?["statuses"] == ["missing", "I"])
        #expect(
            kinds?.first?["statusLabels"] == [
                "missing": ["en": "Missing", "fr": "Non rendu", "zh-Hans": "未交"],
                "I": ["en": "I", "fr": "I", "zh-Hans": "I"],
            ])
        #expect(kinds?.last?["statusLabels"]?["absent"]?["en"] == "Away")
        #expect(kinds?.last?["statusLabels"]?["excused"] == nil)
    }

    @Test func `the outline and the words of a status lead to its declaration`() throws {
        let text = Document.text("let late of item = status is missing", heading: Self.heading)
        let regulation = Regulation(Array(text.utf8))
        let declared = try #require(regulation.outline.array?.first { $0["sort"] == "status" })
        #expect(declared["name"] == "missing")
        #expect(declared["label"]?["fr"] == "Non rendu")
        let start = try #require(declared["range"]?.array?.first?.integer)
        let means = (regulation.annotations(in: .english)["mentions"]?.array ?? []).compactMap(\.integer)
        let places = stride(from: 0, to: means.count - 2, by: 3).filter { means[$0 + 2] == start }
        let bytes = Array(text.utf8)
        #expect(
            places.map { String(decoding: bytes[means[$0]..<means[$0 + 1]], as: UTF8.self) }
                == ["missing", "missing", "missing", "missing"])
    }

    @Test(arguments: [
        (
            "status ill average sometimes",
            """
            unexpected: “sometimes” does not belong here — after `average` comes `counts`, `worst`, `pending`, `leaves` \
            or a share such as `40%`
            """
        ),
        (
            "status ill average 40",
            """
            unexpected: “40” does not belong here — after `average` comes `counts`, `worst`, `pending`, `leaves` \
            or a share such as `40%`
            """
        ),
        ("status ill average 140%", "out_of_range: a share lies between 0% and 100%, from the worst grade to the best"),
        (
            "status ill average leaves gpa",
            "unexpected: “gpa” does not belong here — a status is `attempted`, `earned` or `in_gpa`"
        ),
        ("status ill", "unexpected: the line ends too soon — `average` is expected"),
        ("status none average leaves", "reserved_name: “none” is a word of the language — choose another name"),
        (
            "status superseded average leaves",
            "reserved_name: “superseded” is a word of the language — choose another name"
        ),
        (
            "status withdrawn_failing average worst",
            "name_too_long: the name of a status has at most 16 letters — its label may be longer"
        ),
        ("status missing average worst", "duplicate_name: “missing” is declared twice"),
        (
            "let f of item = status is mising",
            "unknown_status: there is no status “mising” — did you mean `missing`?"
        ),
        (
            "entry k statuses strike\n    f text",
            "unknown_status: there is no status “strike” — declare it with `status strike average …`"
        ),
        (
            "entry k statuses superseded\n    f text",
            "reserved_name: “superseded” is a word of the language — choose another name"
        ),
        (
            "template t\n    unit \"A\" status mising",
            "unknown_status: there is no status “mising” — did you mean `missing`?"
        ),
    ])
    func `a mistake about statuses comes with what to write`(rules: String, message: String) {
        let faults = regulation(rules).faults.map { "\($0.code): \($0.message(in: .english))" }
        #expect(faults == [message])
    }

    @Test func `there are at most 32 of them`() {
        let rules = (1...28).map { "status s\($0) average leaves" }.joined(separator: "\n")
        #expect(regulation(rules).faults.map(\.code) == ["too_many"])
    }
}
