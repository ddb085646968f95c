import GradingKit
import GradingLaws
import Regulations
import Testing

/// Groups: entries of one place that share a key, with figures and outcomes of their own.
@Suite struct GroupTests {
    private static let heading = """
        regulation test "Test" language 1
        scale mark "/20" worst 0 best 20 step 0.01
        rounding averages half up, 2 decimals, judged as shown
        setting bar in mark = 10 from 0 to 20 "Bar"
        entry year "Year" at most 5
            title text
        entry unit in year "Unit" at most 40 statuses excused, pending
            title text
            code "Code" fr "Code" zh "代码" text optional
            part one of autumn "Autumn", spring "Spring" optional
            number whole number optional
            weight number in weight from 0 starts at 1
            grade grade in mark
        """
    private static let rules = """
        group pair of unit by code "Pair" fr "Paire" zh "对"
        figure average of pair in mark "Average" shown by averages = mean of grade over unit weighted by weight
        outcome passed of pair "Passed"
            awaits average is known else open
            met ADM "Acquired" when average reaches bar
            else AJ below
        group term of unit by part, number "Term"
        figure size of term in plain shown by averages = count over unit
        figure own of unit in mark shown by averages = pair.average
        figure total of year in mark shown by averages = mean of average over pair
        figure passes of year in plain shown by averages = count over pair where passed is ADM
        figure whole in mark shown by averages
            = mean of average over pair of year weighted by (greatest of weight over unit)
        outcome ready
            awaits any pair of year else none
            needs every pair of year : passed is met else too_low
        """

    private func regulation(_ more: String = "") -> Regulation {
        Regulation(Array(Document.text("\(Self.rules)\n\(more)", heading: Self.heading).utf8))
    }

    private func faults(_ rules: String) -> [String] {
        Regulation(Array(Document.text(rules, heading: Self.heading).utf8)).faults.map {
            "\($0.code): \($0.message(in: .english))"
        }
    }

    private static let year: JSON = [
        [
            "id": "y", "kind": "year", "fields": ["title": "1"],
            "children": [
                ["id": "b", "kind": "unit", "fields": ["title": "A", "code": " x  y", "grade": 12, "weight": 2]],
                ["id": "a", "kind": "unit", "fields": ["title": "B", "code": "X y", "grade": 6, "weight": 1]],
                ["id": "c", "kind": "unit", "fields": ["title": "C", "weight": 1, "part": "spring", "number": 2]],
            ],
        ]
    ]

    private func standing(_ rules: Rulebook, _ entries: JSON = year) throws -> JSON {
        let tree = try rules.calculation(fields: .null, entries: entries, newID: { EntryID("?") })
        return try JSON.parse(try rules.standing(of: tree).json(of: nil, in: .english))
    }

    @Test func `members share a key, and what they make together counts once`() {
        let regulation = regulation(
            """
            example first "First"
                year "1"
                    unit "A" code "X" grade 12 weight 2 part autumn number 1
                    unit "B" code " x" grade 6 weight 1 part autumn number 1
                    unit "C" grade 9 part spring number 2
                expect average of pair "x" = 10, passed of pair "X" ADM final, size of term "autumn.1" = 2
                expect own of "B" = 10, total of "1" = 9.5, passes of "1" = 1, whole = 29/3, ready unmet final
            example two "Attempts are averaged, and their credits count once"
                year "1"
                    unit "A" code "X" grade 4 weight 3
                    unit "A again" code "X" grade 12 weight 3
                    unit "B" code "Y" grade 14 weight 1
                expect whole = 9.5
            """)
        #expect(regulation.faults.map { $0.message(in: .english) } == [])
        for result in regulation.workedExamples() { #expect(result.differences.map { $0.text(.english) } == []) }
    }

    @Test func `the entry in which the members stand shows the figures and outcomes of their groups`() throws {
        let rules = try #require(regulation().rulebook)
        let shown = try standing(rules)["entries"]?["y"]
        // The key is written as the member has it that was entered first; one without a key is a group of its own.
        #expect(
            shown?["figures"]?.object?.map(\.name) == [
                "total", "passes", "average:X y", "average:#c", "size:#b", "size:#a", "size:spring.2",
            ])
        #expect(shown?["figures"]?["average:X y"]?["display"] == "10.00")
        #expect(shown?["figures"]?["average:#c"]?["ceiling"] == "20.00")
        #expect(shown?["outcomes"]?["passed:X y"]?["value"] == "ADM")
        #expect(shown?["outcomes"]?["passed:#c"]?["state"] == "pending")
        #expect(shown?["outcomes"]?["passed:#c"]?["reasons"]?.array?.map { $0["entry"] } == ["c"])
    }

    @Test func `a description tells of groups, what they are made of and what they show`() throws {
        let rules = try #require(regulation().rulebook)
        let described = try JSON.parse(InstalledScheme.regulations().description(of: rules))
        let figures = described["figures"]?.array?.filter { $0["family"] == true } ?? []
        #expect(figures.map { $0["name"] } == ["average", "size"])
        #expect(figures.map { $0["kind"] } == ["year", "year"])
        #expect(described["outcomes"]?.array?.filter { $0["family"] == true }.map { $0["name"] } == ["passed"])
        let groups = described["groups"]?.array ?? []
        #expect(groups.map { $0["of"] } == ["unit", "unit"])
        #expect(groups.map { $0["fields"] } == [["code"], ["part", "number"]])
        #expect(groups.map { $0["members"] } == [["average", "passed"], ["size"]])
        #expect(described["shape"]?["kinds"]?.array?.map { $0["kind"] } == ["year", "unit"])
    }

    @Test func `a goal on a group is a goal on the grades in it`() throws {
        let rules = try #require(regulation().rulebook)
        let tree = try rules.calculation(fields: .null, entries: Self.year, newID: { EntryID("?") })
        let goal = Goal("average:#c", of: EntryID("y"), reaches: .value(14))
        let answer = try rules.answer(to: goal, in: tree)
        #expect(answer.inputs.map(\.value) == [14])
        let outcome = try rules.answer(to: Goal("passed:#c", of: EntryID("y"), reaches: .named("met")), in: tree)
        #expect(outcome.inputs.map(\.leaf.entry) == [EntryID("c")])
        #expect(throws: FaultList.self) {
            try rules.answer(to: Goal("average:none", of: EntryID("y"), reaches: .value(14)), in: tree)
        }
    }

    @Test func `what explains a group names the entry that shows it`() throws {
        let rules = try #require(regulation().rulebook)
        let tree = try rules.calculation(fields: .null, entries: Self.year, newID: { EntryID("?") })
        let standing = try rules.standing(of: tree, explaining: .named(["average:X y@y"]))
        let traces = try JSON.parse(standing.json(of: nil, in: .english))["traces"]
        let root = try #require(traces?["entries"]?["y"]?["average:X y"]?.integer)
        let node = try #require(traces?["nodes"]?.array?[root])
        #expect(node["op"] == "figure" && node["figure"] == "average:X y" && node["entry"] == "y")
        #expect(node["article"] == "Article one" && node["value"] == "10")
    }

    @Test func `another version compares groups by what their members share`() throws {
        let rules = try #require(regulation().rulebook)
        let text = Document.text(Self.rules, heading: Self.heading).replacingGroupBar()
        let other = try #require(Regulation(Array(text.utf8)).rulebook)
        let trees = try [rules, other].map {
            try $0.calculation(fields: .null, entries: Self.year, newID: { EntryID("?") })
        }
        let changes = try RulebookComparison(from: rules, to: other).changes(from: trees[0], to: trees[1])
        #expect(changes.map(\.name) == ["ready", "passes", "passed:X y"])
        #expect(changes.last?.entry == EntryID("y") && changes.last?.before == "ADM" && changes.last?.after == "AJ")
    }

    @Test func `groups keep the laws of grading`() throws {
        let rules = try #require(regulation().rulebook)
        for violation in LawSuite(rules, records: 60).violations() { Issue.record("\(violation.description)") }
        #expect(LawSuite(rules, seed: 11, records: 30).counterexampleToGiving()?.description == nil)
    }

    @Test func `a reason tells the values of what it is about`() throws {
        let regulation = regulation(
            """
            setting floor_bar in mark = 8 from 0 to 20
            outcome fit
                needs every pair of year : average reaches floor_bar else pair_too_low
                needs whole reaches 19 else whole_too_low
            warn unit grade < 7 because weak
            texts
                pair_too_low "{code}: {average} is below {floor_bar}" fr "{code} : {average} < {floor_bar}"
                whole_too_low "{whole} is too low"
                weak "{title} has {grade}, {number}"
            """)
        #expect(regulation.faults.map { $0.message(in: .english) } == [])
        let shown = try standing(try #require(regulation.rulebook), Self.low)
        let reasons = shown["outcomes"]?["fit"]?["reasons"]?.array ?? []
        #expect(reasons.map { $0["message"] } == ["X: 6.00 is below 8", "9.00 is too low"])
        #expect(reasons.map { $0["entry"] } == ["a", .null])
        #expect(reasons.first?["args"] == ["average": "6.00", "code": "X", "floor_bar": "8"])
        #expect(shown["warnings"]?.array?.map { $0["message"] } == ["A has 6, –"])
        #expect(
            faults("warn unit grade < 7 because weak\ntexts\n    weak \"{grde} is weak\"") == [
                "unknown_name: there is no “grde” in unit — did you mean `grade`?"
            ])
        #expect(
            faults("check unit weight < 70 else heavy\ntexts\n    heavy \"{weight} is heavy\"") == [
                "placeholder_in_check: the text of a check tells no values — write it without braces"
            ])
        for text in ["{grade", "{}", "{a b}", "{1a}"] {
            #expect(
                faults("warn unit grade < 7 because weak\ntexts\n    weak \"\(text)\"").first
                    == "unknown_symbol: “{” has no meaning here")
        }
    }

    private static let low: JSON = [
        [
            "id": "y", "kind": "year", "fields": ["title": "1"],
            "children": [
                ["id": "a", "kind": "unit", "fields": ["title": "A", "code": "X", "grade": 6, "weight": 1]],
                ["id": "b", "kind": "unit", "fields": ["title": "B", "code": "Y", "grade": 12, "weight": 1]],
            ],
        ]
    ]

    @Test func `what groups cannot be is said where it stands`() {
        #expect(faults("group pair of pupil by code") == ["unknown_kind: there is no entry “pupil”"])
        #expect(
            faults("group all of record by code") == [
                "group_of_entries: groups are of entries, and “record” is none — name a kind that `entry` declares"
            ])
        #expect(
            faults("group pair of unit by grade") == [
                "group_of_grade: a grade decides which group this is in — group by a text or a number that is no grade"
            ])
        #expect(
            faults("group pair of unit by (weight > 1)") == [
                "type_mismatch: a text or a number is needed here, which all entries of a group share"
            ])
        #expect(
            faults(
                """
                group pair of unit by around
                hidden figure around of unit in plain = if pair.size > 1 then 1 else 2
                figure size of pair in plain shown by averages = count over unit
                """) == ["circular: “pair” needs itself, through “around”, “pair”"])
        #expect(
            faults(
                """
                group pair of unit by code
                group twin of unit by number
                figure size of pair in plain shown by averages = count over unit
                figure size of twin in plain shown by averages = count over unit
                """) == ["duplicate_name: “size” is declared twice"])
        #expect(faults("group unit of unit by code") == ["duplicate_name: “unit” is declared twice"])
        #expect(
            faults(
                """
                group pair of unit by code
                figure low of pair in mark shown by averages = mean of grade over unit otherwise ungraded
                """
            ).first?.hasPrefix("ungraded_nowhere: ") == true)
        #expect(
            faults(
                """
                group pair of unit by code
                template start
                    year "A"
                        pair "B"
                """) == ["not_inside: pair entries do not stand in year"])
    }

    @Test func `many groups of many entries cost what is counted beforehand`() throws {
        let heading = Self.heading.split(separator: "\n").map { $0.replacingBounds() }.joined(separator: "\n")
        let text = Document.text(
            """
            group pair of unit by code
            figure size of pair in plain shown by averages without range
                = count over unit of pair where (count over unit of pair) > 0 and (count over unit of pair) > 1
            """, heading: heading)
        #expect(Regulation(Array(text.utf8)).faults.map(\.code.text) == ["too_costly"])
    }
}

extension String {
    /// The rules with a higher bar for groups.
    fileprivate func replacingGroupBar() -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.contains("when average reaches bar") ? "    met ADM when average reaches bar + 5" : String($0) }
            .joined(separator: "\n")
    }
}

extension Substring {
    /// The line without the bound of a kind.
    fileprivate func replacingBounds() -> String {
        guard let bound = split(separator: " at most ").first, contains(" at most ") else { return String(self) }
        return String(bound)
    }
}
