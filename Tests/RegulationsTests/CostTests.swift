import GradingKit
import GradingLaws
import Regulations
import Testing

/// What a document costs is bounded before it is spent: stack, steps, numbers, time to read, and what is answered.
@Suite struct CostTests {
    private func codes(_ regulation: Regulation) -> Set<String> { Set(regulation.faults.map(\.code.text)) }

    private func lines(_ range: Range<Int>, _ line: (Int) -> String) -> String {
        range.map(line).joined(separator: "\n")
    }

    /// A record of units with some subjects each.
    private func record(_ rules: Rulebook, units: Int, subjects: Int, grade: JSON = 12) throws -> RecordTree {
        var made = 0
        let entries: [JSON] = (0..<units).map { unit in
            let inside: [JSON] = (0..<subjects).map { subject in
                [
                    "kind": "subject",
                    "fields": ["title": .string("s\(unit)-\(subject)"), "weight": 1, "grade": grade],
                ]
            }
            return [
                "kind": "unit", "fields": ["title": .string("u\(unit)"), "weight": 1], "children": .array(inside),
            ]
        }
        return try rules.calculation(fields: .null, entries: .array(entries)) {
            made += 1
            return EntryID("e\(made)")
        }
    }

    private func refusal(_ rules: Rulebook, _ tree: RecordTree) -> [FaultCode] {
        do {
            _ = try rules.standing(of: tree)
            return []
        } catch {
            return error.faults.map(\.code)
        }
    }

    // MARK: Outcomes

    @Test func `outcomes that rest on outcomes are decided once each`() throws {
        let first = """
            figure total in mark shown by averages = mean of grade over subject of unit
            outcome o0
                needs total reaches bar else below

            """
        let rules =
            first
            + lines(1..<60) { "outcome o\($0)\n    needs o\($0 - 1) is met and not (o\($0 - 1) is unmet) else below" }
        let book = try #require(Document.regulation(rules).rulebook)
        let standing = try book.standing(of: record(book, units: 3, subjects: 2))
        #expect(standing.outcome(named: "o59")?.decision.state == .met)
        #expect(standing.steps < 5_000)
        let unmet = try book.standing(of: record(book, units: 3, subjects: 2, grade: 2))
        #expect(unmet.outcome(named: "o59")?.decision.state == .unmet)
        #expect(unmet.outcome(named: "o59")?.decision.reasons.map(\.code.text) == ["below"])
        let open = try book.standing(of: record(book, units: 3, subjects: 2, grade: nil))
        #expect(open.outcome(named: "o59")?.decision.state == .pending)
        // Each has reasons, up to fifty, each of which is counted.
        #expect(open.steps < 200_000)
    }

    @Test func `outcomes that need themselves are refused`() {
        let regulation = Document.regulation(
            "outcome a\n    needs b is met else x\noutcome b\n    needs a is met else x")
        #expect(codes(regulation) == ["circular"])
    }

    // MARK: Stack

    /// The longest texts that a document may have, each with the most that the checker lets through.
    @Test func `the longest chains need little stack`() {
        let sum = "1 + " + Array(repeating: "bar in plain", count: 180).joined(separator: " + ")
        let product = Array(repeating: "1", count: 450).joined(separator: " * ")
        let choice = Array(repeating: "0", count: 200).joined(separator: " otherwise ")
        let documents: [String] = [
            // Figure on figure, each a chain as long as a formula may be.
            lines(0..<200) { number in
                let next = number < 199 ? "f\(number + 1)" : "1"
                return "hidden figure f\(number) = \(next) + "
                    + Array(repeating: "1", count: 240).joined(separator: " + ")
            } + "\nfigure total shown by averages without range = f0",
            lines(0..<60) { "hidden figure s\($0) = \(sum)" }, lines(0..<60) { "hidden figure p\($0) = \(product)" },
            lines(0..<60) { "hidden figure c\($0) = \(choice)" },
            lines(0..<250) { "hidden figure f\($0) = " + ($0 < 249 ? "f\($0 + 1)" : "1") }
                + "\nfigure total shown by averages without range = f0",
            lines(0..<250) { number in
                "figure f\(number) shown by averages without range = if f\(number + 1 < 250 ? number + 1 : 0) > 1 then 1 else 2"
            },
            lines(1..<250) { "outcome o\($0)\n    needs o\($0 - 1) is met else x" }
                + "\noutcome o0\n    needs bar > 1 else x",
            lines(0..<250) { "let l\($0) = " + ($0 < 249 ? "l\($0 + 1)" : "1") },
            "let f = " + String(repeating: "(", count: 39) + "1" + String(repeating: ")", count: 39),
            "let f = " + Array(repeating: "not", count: 130_000).joined(separator: " "),
            "let f = 1" + String(repeating: " + 1", count: 60_000),
            "let f = 1" + String(repeating: " otherwise 1", count: 20_000),
            "outcome o\n    needs bar > 1" + String(repeating: " and bar > 1", count: 20_000) + " else x",
            "outcome o\n    needs bar > 1" + String(repeating: " or bar > 1", count: 150) + " else x",
            "let f = " + String(repeating: "(", count: 250_000), String(repeating: "x", count: 200_000),
        ]
        for rules in documents {
            SmallStack.run {
                let regulation = Document.regulation(rules)
                #expect(regulation.rulebook != nil || !regulation.faults.isEmpty)
                guard let book = regulation.rulebook, let tree = try? record(book, units: 2, subjects: 2) else {
                    return
                }
                _ = try? book.standing(of: tree, explaining: .all)
            }
        }
    }

    // MARK: Numbers

    @Test func `numbers without end are refused before they cost much`() throws {
        let rules =
            "hidden figure f0 of unit = (mean of grade over subject) in plain / 7\n"
            + lines(1..<40) { "hidden figure f\($0) of unit = f\($0 - 1) * f\($0 - 1) + 1 / f\($0 - 1)" }
            + "\nfigure all shown by averages without range = sum of f39 over unit"
        let book = try #require(Document.regulation(rules).rulebook)
        let tree = try record(book, units: 40, subjects: 5, grade: .number("13.17"))
        let found = refusal(book, tree)
        #expect(found == ["too_precise"] || found == ["too_much_work"], "\(found)")
    }

    @Test func `long numbers are counted as work`() throws {
        // Each unit squares 1,000 bits over and over, below the length at which a number is refused.
        let square = Array(repeating: "(f0 - f0)", count: 60).joined(separator: " + ")
        let rules = """
            hidden figure f0 of unit = \(Array(repeating: "(weight + 9999.99999)", count: 60).joined(separator: " * ")) in plain
            hidden figure f1 of unit = \(square)
            figure all shown by averages without range = sum of f1 over unit
            """.replacing("in weight", with: "")
        let heading = Document.heading.replacing("weight number in weight from 0", with: "weight number from 0")
        let regulation = Regulation(Array(Document.text(rules, heading: heading).utf8))
        let book = try #require(regulation.rulebook, "\(regulation.faults.map { $0.message(in: .english) })")
        #expect(refusal(book, try record(book, units: 2, subjects: 0)) == [])
        #expect(refusal(book, try record(book, units: 900, subjects: 0)) == ["too_much_work"])
    }

    @Test func `a number that is longer than any of grades is refused where it is written`() {
        let long = Array(repeating: "999999999", count: 100).joined(separator: " * ")
        #expect(codes(Document.regulation("hidden figure f = \(long)")) == ["number_too_long"])
    }

    // MARK: Reading

    @Test func `lines that go on are read once`() {
        let fields = "entry more\n    t text\n" + String(repeating: "     optional\n", count: 18_000)
        #expect(!Document.regulation(fields).faults.isEmpty || Document.regulation(fields).rulebook != nil)
    }

    @Test func `unknown settings are not looked for one by one`() {
        var settings = JSONObject()
        for number in 0..<300 { settings["setting_number_\(number)"] = 1 }
        let regulation = Regulation(Array(Document.text("").utf8), settings: .object(settings))
        #expect(regulation.settingFaults.faults.map(\.code) == ["too_many"])
        let scheme = InstalledScheme.regulations()
        let configuration: JSON = ["document": .string(Document.text("")), "settings": .object(settings)]
        #expect(throws: FaultList.self) { try scheme.draft(configuration: configuration) }
    }

    @Test func `what little text makes much of is counted`() {
        let rules =
            "let a = " + Array(repeating: "bar", count: 240).joined(separator: " + ") + "\n"
            + lines(0..<200) { "hidden figure f\($0) in mark = a" }
        #expect(codes(Document.regulation(rules)) == ["too_much"])
    }

    @Test func `choices, statuses and settings of presets are few`() {
        let choices = (0..<101).map { "c\($0)" }.joined(separator: ", ")
        #expect(codes(Document.regulation("entry k\n    f one of \(choices)")) == ["too_many"])
        #expect(codes(Document.regulation("setting s = c1 one of \(choices)")) == ["too_many"])
        let statuses = Array(repeating: "absent", count: 33).joined(separator: ", ")
        #expect(codes(Document.regulation("entry k statuses \(statuses)\n    f text")) == ["too_many"])
    }

    // MARK: Answers

    @Test func `a long heading is cited in short`() throws {
        let heading = "# " + String(repeating: "Article ", count: 20_000)
        let rules = lines(0..<200) { "figure f\($0) shown by averages without range = 1" }
        let regulation = Regulation(Array((heading + "\n" + Document.text(rules).dropFirst(14)).utf8))
        #expect(regulation.outline.bytes.count < 200_000)
        let scheme = InstalledScheme.regulations()
        let book = try #require(regulation.rulebook, "\(regulation.faults.map { $0.message(in: .english) })")
        #expect(scheme.description(of: book).count < 1 << 20)
    }

    @Test func `templates that begin with much are bounded`() {
        let fields = lines(0..<60) { "    f\($0) number optional starts at 1" }
        let template = lines(0..<40) { "template t\($0)\n" + String(repeating: "    k\n", count: 900) }
        #expect(codes(Document.regulation("entry k\n\(fields)\n\(template)")).contains("too_much"))
    }

    @Test func `a record has no more to show than an answer should hold`() {
        let figures = lines(0..<21) { "figure f\($0) of unit shown by averages without range = 1" }
        #expect(codes(Document.regulation(figures)) == ["too_much_shown"])
        let bounded = Document.heading.replacing("entry unit ", with: "entry unit at most 60 ")
        #expect(Regulation(Array(Document.text(figures, heading: bounded).utf8)).faults.isEmpty)
    }

    @Test func `a message mentions a few words, whatever the text`() {
        let text = String(repeating: "ab", count: 50_000)
        for fault in Document.regulation(
            "template t\n    unit \"A\"\nexample e\n    template t with unit \"\(text)\" weight 1"
        )
        .faults {
            #expect(fault.message(in: .english).utf8.count < 1_000)
        }
    }

    @Test func `an example tells the first differences`() throws {
        let rules = """
            figure total in mark shown by averages = mean of grade over subject of unit
            example e
                unit "A" weight 1
                    subject "B" weight 1 grade 10
                expect \(Array(repeating: "total of \"C\" = 1", count: 400).joined(separator: ", "))
            """
        let results = Document.regulation(rules).workedExamples()
        #expect(results.first?.differences.count == 20)
        #expect(results.first?.differences.first?.text.french.contains(": il n’y a pas de tel élément") ?? false)
        let more = rules.replacing("= 1", with: "= 1, total = 10")
        #expect(codes(Document.regulation(more)) == ["too_many"])
    }

    @Test func `of many reasons the first are told`() throws {
        let rules = "outcome o\n    needs every unit : weight > 5 else light"
        let book = try #require(Document.regulation(rules).rulebook)
        let standing = try book.standing(of: record(book, units: 300, subjects: 0))
        #expect(standing.outcome(named: "o")?.decision.reasons.count == 50)
    }

    // MARK: Work

    @Test func `the work of records is known by their size`() throws {
        let rules = "figure total in mark shown by averages = mean of grade over subject of unit"
        let bound = try #require(Document.regulation(rules).rulebook?.workBound)
        #expect(bound.parts == bound.parts.sorted() && bound.parts[0] > 0)
        #expect(bound.parts(ofEntries: 0) == bound.parts[0] && bound.parts(ofEntries: 1_000) == bound.parts[3])
        let more = try #require(
            Document.regulation(rules + "\nfigure half in mark shown by averages = total / 2").rulebook)
        #expect(try #require(more.workBound).parts[3] > bound.parts[3])
    }

    @Test func `laws are tried for a bounded time, and what was not tried is said`() throws {
        let book = try #require(RegulationsOfTests.iut)
        let whole = LawSuite(book, records: 20, work: 300_000_000).review()
        #expect(whole.isWhole && whole.faults.isEmpty)
        let short = LawSuite(book, records: 20, work: 300_000).review()
        #expect(!short.isWhole && short.tried < 20)
        #expect(short.faults.map(\.code) == ["laws_untried"])
        #expect(LawSuite(book, records: 20, work: 0).counterexample(toMounting: "unit") != nil)
    }
}

extension Standing {
    fileprivate func outcome(named name: String) -> StandingOutcome? { outcomes.first { $0.name == name } }
}

private enum RegulationsOfTests {
    static let iut = (try? Document.shipped("iut")).flatMap { Regulation(Array($0.utf8)).rulebook }
}
