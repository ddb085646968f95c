import GradingKit
import Regulations
import Testing

/// Copies of earlier records: what rules read of them, and of a record that holds none.
@Suite struct `Earlier records in a document` {
    private static let rules = """
        earlier year1 "First year" fr "Première année"
            title text
            figure total in mark "Total" shown by averages
            figure points in plain
            outcome diploma "Diploma"
            entry ue "Unit" code text, figure average in mark shown by averages, outcome result
        figure before in mark "Before" shown by averages = year1.total
        figure top in mark "Top" shown by averages = greatest of average over ue of year1
        figure parts in plain "Parts" shown by averages = count over ue of year1
        figure risen of subject in mark "Risen" shown by averages = grade + (year1.total otherwise 0)
        outcome progress "Progress"
            needs every ue of year1 : result is met else first_year_open
        outcome passed "Passed"
            met when year1.diploma is met and year1.total reaches 10 because direct
            else not_yet
        """

    /// Rules that copy units by the names that programs of the tests have, or had.
    private static let copying = """
        earlier year1 "First year"
            title text
            figure total in mark shown by averages
            outcome diploma
            entry unit code text, title text, figure average in mark shown by averages, outcome result
        """

    private static func rulebook() throws -> Rulebook {
        let regulation = Document.regulation(rules)
        #expect(regulation.faults.map { "\($0.code): \($0.message(in: .english))" } == [])
        return try #require(regulation.rulebook)
    }

    private static func standing(_ entries: JSON) throws -> Standing {
        let rules = try rulebook()
        var made = 0
        let tree = try rules.calculation(
            fields: .null, entries: entries,
            newID: {
                made += 1
                return EntryID("e\(made)")
            })
        return try rules.standing(of: tree)
    }

    private static func ue(_ code: String, _ average: String?, _ result: String?) -> JSON {
        var (figures, outcomes) = (JSONObject(), JSONObject())
        figures["average"] = average.map { .string($0) }
        outcomes["result"] = result.map { .string($0) }
        return [
            "kind": "year1_ue", "fields": ["code": .string(code)],
            "given": ["figures": .object(figures), "outcomes": .object(outcomes)],
        ]
    }

    private static func year(_ total: String, _ diploma: String, _ units: [JSON]) -> JSON {
        [
            "kind": "year1",
            "given": ["figures": ["total": .string(total)], "outcomes": ["diploma": .string(diploma)]],
            "children": .array(units),
        ]
    }

    @Test func `are read wherever a formula stands`() throws {
        let unit: JSON = [
            "kind": "unit", "fields": ["title": "U", "weight": 1],
            "children": [["kind": "subject", "fields": ["title": "S", "weight": 1, "grade": 3]]],
        ]
        let year = Self.year("61/5", "met", [Self.ue("A", "29/3", "met"), Self.ue("B", "8", "met")])
        let standing = try Self.standing([year, unit])
        #expect(standing.figure("before")?.current == .value(try #require(Exact(ratio: "61/5"))))
        #expect(standing.figure("top")?.display == "9.67")
        #expect(standing.figure("parts")?.current == .value(2))
        #expect(standing.outcomes.map { "\($0.name) \($0.decision.state)" } == ["progress met", "passed met"])
        let risen = standing.entries.flatMap(\.figures).first { $0.name == "risen" }
        #expect(risen?.display == "15.20")
    }

    @Test func `leave everything unknown where none was taken`() throws {
        let standing = try Self.standing([])
        for name in ["before", "top", "parts"] {
            #expect(standing.figure(name)?.current == .undefined(.noEarlier), "\(name)")
        }
        #expect(standing.outcomes.allSatisfy { $0.decision.state == .pending })
        #expect(standing.outcomes.allSatisfy { Set($0.decision.reasons.map(\.code)) == [.noEarlier] })
    }

    @Test func `leave unknown what they do not have themselves`() throws {
        let open = try Self.standing([Self.year("12", "met", [Self.ue("A", nil, "met"), Self.ue("B", "8", nil)])])
        #expect(open.outcomes.map { "\($0.name) \($0.decision.state)" } == ["progress pending", "passed met"])
        #expect(open.figure("top")?.display == "8.00")
        let failed = try Self.standing([Self.year("9", "met", [Self.ue("A", "5", "unmet")])])
        #expect(failed.outcomes.map { "\($0.name) \($0.decision.state)" } == ["progress unmet", "passed unmet"])
        let none = try Self.standing([Self.year("9", "met", [])])
        #expect(none.outcomes.first?.decision.state == .met)
    }

    @Test func `are taken as a whole by those who may give, and removed again`() throws {
        let rules = try Self.rulebook()
        let copy = Self.year("12", "met", [Self.ue("A", "11", "met")])
        let staff = RecordWriter.staff(author: "A", giving: GivingAuthor(account: "A", time: "2026-07-03T10:00:00Z"))
        var made = 0
        let newID = {
            made += 1
            return EntryID("e\(made)")
        }
        func change(_ changes: [RecordChange], _ tree: RecordTree, by writer: RecordWriter) throws -> ValidatedChange {
            try rules.validate(changes, of: tree, at: nil, by: writer, newID: newID)
        }
        let take = RecordChange.takeEarlier("year1", copy: copy, reason: "Transcript")
        let taken = try change([take], rules.emptyRecord, by: staff).tree
        #expect(try rules.standing(of: taken).figure("before")?.display == "12.00")
        let stored = taken.stored(as: "r", of: "p").text
        #expect(try rules.storedRecord(stored).stored(as: "r", of: "p").text == stored)
        let first = try #require(taken.entries.first)
        for (steps, writer, code) in [
            ([take], RecordWriter.student, FaultCode.givingNotAllowed),
            ([take], .staff(author: "A"), .givingNotAllowed),
            ([.takeEarlier("unit", copy: copy, reason: nil)], staff, .wrongKind),
            ([.patch(first.id, ["fields": ["title": "X"]])], staff, .earlierEntry),
            ([.add(entry: copy, parent: nil, ref: nil)], staff, .earlierEntry),
            ([.delete(first.id)], .student, .earlierEntry),
        ] {
            let faults = #expect(throws: FaultList.self) { _ = try change(steps, taken, by: writer) }
            #expect(faults?.faults.map(\.code) == [code])
        }
        // Taken once more, it replaces the one before.
        let again = try change(
            [.takeEarlier("year1", copy: Self.year("8", "unmet", []), reason: nil)], taken, by: staff)
        #expect(again.effects.map(\.operation) == [.delete, .add])
        #expect(try rules.standing(of: again.tree).figure("before")?.display == "8.00")
        let removed = try change([.takeEarlier("year1", copy: nil, reason: nil)], again.tree, by: staff).tree
        #expect(removed.count == 0)
    }

    @Test func `copy what another record has of the names that they give`() throws {
        let source = try #require(
            Document.regulation(
                """
                entry record
                    title text optional
                figure average of unit in mark "Average" shown by averages = mean of grade over subject
                figure total in mark "Total" shown by averages = mean of average over unit
                outcome result of unit "Result"
                    met ADM "Acquired" when average reaches bar
                    else AJ "Not acquired" too_low
                outcome diploma "Diploma"
                    needs total reaches bar else too_low
                """
            ).rulebook)
        let target = try #require(Document.regulation(Self.copying).rulebook)
        let unit: JSON = [
            "kind": "unit", "id": "u", "fields": ["title": "U", "weight": 1],
            "children": [["kind": "subject", "id": "s", "fields": ["title": "S", "weight": 1, "grade": "12.5"]]],
        ]
        let tree = try source.calculation(fields: ["title": "Year"], entries: [unit], newID: { EntryID("n") })
        let copy = try #require(try target.copy(named: "year1", of: tree, under: source))
        #expect(
            copy == [
                "kind": "year1", "fields": ["title": "Year"],
                "given": ["figures": ["total": "25/2"], "outcomes": ["diploma": "met"]],
                "children": [
                    [
                        "kind": "year1_unit", "fields": ["title": "U"],
                        "given": [
                            "figures": ["average": "25/2"], "outcomes": ["result": ["value": "ADM", "state": "met"]],
                        ],
                        "children": [],
                    ]
                ],
            ])
        #expect(try target.copy(named: "year2", of: tree, under: source) == nil)
    }

    /// The other program renames its fields, kinds, figures and outcomes; the rules that copy from it still use the
    /// former names.
    @Test func `are found under the names that the other program used before`() throws {
        let heading = """
            regulation other "Other" language 1
            scale mark worst 0 best 20
            rounding averages half up, 2 decimals, judged as shown
            entry record
                label text was title
            entry module "Module" was unit
                key text was code
                grade grade in mark
            """
        let other = Regulation(
            Array(
                Document.text(
                    """
                    figure level of module in mark "Level" was average shown by averages = grade
                    figure final in mark "Final" was total shown by averages = mean of grade over module
                    outcome decision of module "Decision" was result
                        needs level reaches 10 else too_low
                    outcome degree "Degree" was diploma
                        needs final reaches 10 else too_low
                    """, heading: heading
                ).utf8))
        #expect(other.faults.map { "\($0.code): \($0.message(in: .english))" } == [])
        let source = try #require(other.rulebook)
        let target = try #require(Document.regulation(Self.copying).rulebook)
        let tree = try source.calculation(
            fields: ["label": "Year"],
            entries: [["kind": "module", "id": "m", "fields": ["key": "M1", "grade": "12.5"]]], newID: { EntryID("n") })
        let copy = try #require(try target.copy(named: "year1", of: tree, under: source))
        #expect(copy["fields"] == ["title": "Year"])
        #expect(
            copy["given"] == ["figures": ["total": "25/2"], "outcomes": ["diploma": "met"]])
        #expect(
            copy["children"] == [
                [
                    "kind": "year1_unit", "fields": ["code": "M1"],
                    "given": ["figures": ["average": "25/2"], "outcomes": ["result": "met"]],
                    "children": [],
                ]
            ])
    }

    @Test(arguments: [
        ("figure f in mark shown by averages = year1.totl", "unknown_name"),
        ("figure f in mark shown by averages = year2.total", "unknown_kind"),
        ("figure f in percent shown by averages = year1.total", "unit_mismatch"),
        ("figure f in mark shown by averages = mean of average over subject of year1", "not_inside"),
        ("outcome o\n    needs year1.diploma is ADM else code", "type_mismatch"),
        ("earlier year1\n    figure total in mark", "duplicate_name"),
        ("earlier other\n    figure total in mark shown by none_such", "unknown_rounding"),
        ("earlier other\n    total in mark", "unexpected"),
        ("template t\n    year1 total 12", "unexpected"),
    ])
    func `are checked like everything else`(_ rules: String, _ code: String) {
        let faults = Document.faults(Self.rules + "\n" + rules)
        #expect(faults.map { String($0.prefix { $0 != ":" }) } == [code], "\(faults)")
    }

    @Test func `are at most eight`() {
        let many = (1...9).map { "earlier y\($0)\n    figure total in mark" }.joined(separator: "\n")
        #expect(Document.faults(many).map { String($0.prefix { $0 != ":" }) } == ["too_many"])
    }

    @Test func `have outcomes with the values that they name`() throws {
        let regulation = Document.regulation(
            """
            earlier year1 "First year"
                outcome rank "Rank" met first "First" unmet third "Third" met second
                entry ue code text, outcome result met ADM "Acquired" met CMP unmet AJ
            figure failed in plain shown by whole without range = count over ue of year1 where result is AJ
            outcome honours
                awaits not (year1.rank is pending) else open
                needs year1.rank is first else no
            outcome all_own
                needs every ue of year1 : result is ADM else no
            example given "As names"
                year1 rank second
                    ue "A" result ADM
                    ue "B" result AJ
                    ue "C" result AJ
                expect failed = 2, honours unmet, all_own unmet
            example open "Without one"
                year1 rank first
                    ue "A" result ADM
                    ue "B"
                expect honours met, all_own pending
            """)
        #expect(regulation.faults.map { $0.message(in: .english) } == [])
        for result in regulation.workedExamples() { #expect(result.differences.map { $0.text(.english) } == []) }
        let rules = try #require(regulation.rulebook)
        func standing(_ outcome: JSON) throws -> Standing {
            let year: JSON = ["kind": "year1", "id": "y", "given": ["outcomes": ["rank": outcome]]]
            return try rules.standing(of: rules.calculation(fields: .null, entries: [year], newID: { EntryID("n") }))
        }
        for (outcome, word) in [
            ("third", "third"), (["value": "first", "state": "met"], "first"), ("met", "met"),
            (["value": "elsewhere", "state": "unmet"], "elsewhere"),
        ] as [(JSON, String)] {
            #expect(try standing(outcome).entries.first?.outcomes.map(\.decision.word) == [word])
        }
        let faults = #expect(throws: FaultList.self) { _ = try standing("fourth") }
        #expect(faults?.faults.map(\.path) == ["/entries/0/given/outcomes/rank"])
    }

    @Test(arguments: [
        ("    outcome o met A unmet A", "duplicate_name"), ("    outcome o met pending", "reserved_name"),
        ("    outcome o met", "unexpected"), ("    figure f met A", "unexpected"),
        ("    outcome o met A\noutcome p\n    needs other.o is B else code", "unknown_choice"),
    ])
    func `have values that are checked`(_ lines: String, _ code: String) {
        let faults = Document.faults("earlier other\n" + lines)
        #expect(faults.map { String($0.prefix { $0 != ":" }) } == [code], "\(faults)")
    }
}
