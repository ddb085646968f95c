import GradingKit
import GradingLaws
import RegulationLibrary
import Regulations
import Testing

/// The documents that institutions start from: each without a fault, its examples exact, the laws kept.
@Suite struct LibraryTests {
    static let names = RegulationLibrary.documents.map(\.name)

    @Test(arguments: names)
    func `a document has no fault and shows what it does`(name: String) throws {
        let regulation = Regulation(Array(try Document.shipped(name).utf8))
        for fault in regulation.faults {
            Issue.record("\(fault.line):\(fault.column): \(fault.message(in: .english))")
        }
        let results = regulation.workedExamples()
        #expect(!results.isEmpty)
        for result in results { #expect(result.differences.map(\.text) == [], "\(result.name)") }
    }

    @Test(arguments: names)
    func `a document keeps the laws of grading, under each of its presets`(name: String) throws {
        let text = Array(try Document.shipped(name).utf8)
        let regulation = Regulation(text)
        for preset in [nil] + regulation.presets.map({ Optional($0) }) {
            let rules = try #require(Regulation(text, preset: preset).rulebook)
            for violation in LawSuite(rules, records: 40).violations() {
                Issue.record("\(preset ?? ""): \(violation.description)\n\(violation.record.text)")
            }
        }
    }

    @Test(arguments: names)
    func `what people give counts in a document, and taken back it was never there`(name: String) throws {
        let rules = try #require(Regulation(Array(try Document.shipped(name).utf8)).rulebook)
        #expect(LawSuite(rules, seed: 11, records: 30).counterexampleToGiving()?.description == nil)
    }

    @Test(arguments: Language.allCases)
    func `no two documents have one title`(language: Language) throws {
        var titles: Set<String> = []
        for name in Self.names {
            let title = try #require(Regulation(Array(Document.shipped(name).utf8)).title)
            #expect(titles.insert(title(language)).inserted, "\(name)")
        }
    }

    @Test func `a figure may be made of two that look at the same grades, and not look at one twice itself`() throws {
        let heading = """
            regulation both "Both" language 1
            scale mark "/20" worst 0 best 20 step 0.01
            rounding averages half up, 2 decimals, judged as shown
            entry subject "Subject"
                title text
                weight number in weight from 0
                grade grade in mark
            """
        func broken(_ formula: String) throws -> [Law] {
            let text = Document.text(
                """
                figure plain in mark shown by averages = mean of grade over subject
                figure balanced in mark shown by averages = mean of grade over subject weighted by weight
                figure both in mark shown by averages = (\(formula)) / 2
                """, heading: heading)
            let regulation = Regulation(Array(text.utf8))
            return LawSuite(try #require(regulation.rulebook), records: 40).violations().map(\.law)
        }
        #expect(try broken("plain + balanced") == [])
        let twice = "(mean of grade over subject) + (mean of grade over subject)"
        #expect(try broken(twice) == [.gradesCountOnce])
    }

    @Test func `presets choose another way of averaging`() throws {
        let courses = [("CA 1", 4, 91), ("EN 1", 3, 88), ("CH 1", 3, 68), ("CH 1", 3, 75), ("PE 1", 1, 50)]
        let entries = courses.enumerated().map { place, course -> JSON in
            [
                "kind": "course",
                "fields": [
                    "title": "C", "number": .string(course.0), "credits": .number(String(course.1)),
                    "mark": .number(String(course.2)), "year": .number(String(2020 + place)), "term": 1,
                ],
            ]
        }
        #expect(try figure("gpa", of: entries, in: "us-gpa", preset: "all") == "173/70")
        #expect(try figure("gpa", of: entries, in: "us-gpa", preset: nil) == "307/110")
        let marks = [(87, 3), (79, 4), (73, 2)].map { mark, credits -> JSON in
            [
                "kind": "course",
                "fields": [
                    "title": "C", "credits": .number(String(credits)), "mark": .number(String(mark)),
                ],
            ]
        }
        #expect(try figure("gpa", of: marks, in: "china-gpa", preset: "wes") == "28/9")
    }

    private func figure(_ name: String, of entries: [JSON], in document: String, preset: String?) throws -> String? {
        let regulation = Regulation(Array(try Document.shipped(document).utf8), preset: preset)
        let rules = try #require(regulation.rulebook)
        var made = 0
        let tree = try rules.calculation(fields: .null, entries: .array(entries)) {
            made += 1
            return EntryID("e\(made)")
        }
        guard case .value(let value)? = try rules.standing(of: tree).figure(name)?.current else { return nil }
        return value.description
    }
}
