import GradingKit
import RegulationLibrary
import Regulations
import Testing

/// What a page learns of a document to colour it and to explain its names.
@Suite struct AnnotationTests {
    private let text = Document.text(
        """
        -- A comment.
        figure average of unit in mark "Average" shown by averages
            = mean of grade over subject weighted by weight otherwise ungraded
        figure total in mark "Total" shown by averages = mean of average over unit weighted by weight
        outcome passed
            needs total reaches bar else low_total
        template first "One unit"
            unit "A" weight 1
                subject "a" weight 1 grade 12
        example second "Two units"
            unit "A" weight 1
                subject "a" weight 1 grade 12
            unit "B" weight 1
                subject "b" weight 1
            expect total = 12
        """)

    private var regulation: Regulation { Regulation(Array(text.utf8)) }

    private func words(_ sort: String, _ text: String) -> [String] {
        pairs(Regulation(Array(text.utf8)).annotations(in: .english)["words"]?[sort]).map { slice(text, $0) }
    }

    private func pairs(_ list: JSON?) -> [Range<Int>] {
        let numbers = (list?.array ?? []).compactMap(\.integer)
        return stride(from: 0, to: numbers.count - 1, by: 2).map { numbers[$0]..<numbers[$0 + 1] }
    }

    private func slice(_ text: String, _ range: Range<Int>) -> String {
        String(decoding: Array(text.utf8)[range], as: UTF8.self)
    }

    @Test func `words are told by sort`() {
        #expect(regulation.faults.map(\.code) == [])
        #expect(words("heading", text) == ["# Article one"])
        #expect(words("fence", text) == ["```rules", "```"])
        #expect(words("comment", text) == ["-- A comment."])
        #expect(words("keyword", text).filter { $0 == "figure" }.count == 2)
        #expect(words("text", text).contains("\"Average\""))
        #expect(words("number", text).contains("0.01"))
        let names = words("name", text)
        #expect(names.contains("low_total") && names.contains("averages") && names.contains("subject"))
        #expect(!names.contains("mean"))
        // A field may be called like its type: the name is one, the type is a word of the language.
        #expect(words("name", text).filter { $0 == "grade" }.count == 4)
    }

    @Test(arguments: RegulationLibrary.documents.map(\.name))
    func `every word of a document without faults has a sort`(name: String) throws {
        let text = try Document.shipped(name)
        let known = Set(words("keyword", text) + words("name", text))
        var (isInside, unknown): (Bool, Set<String>) = (false, [])
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isInside = line.hasPrefix("```rules")
            } else if isInside {
                let code = line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                    .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined(separator: " ")
                let plain = code.split(separator: "--", omittingEmptySubsequences: false)[0]
                unknown.formUnion(
                    plain.split { !($0.isLetter || $0.isNumber || $0 == "_") }
                        .filter { $0.first?.isLetter ?? false }.map(String.init))
            }
        }
        #expect(unknown.subtracting(known) == [])
    }

    @Test func `names lead to their declarations`() throws {
        let numbers = (regulation.annotations(in: .english)["mentions"]?.array ?? []).compactMap(\.integer)
        var found: [String: Set<String>] = [:]
        for place in stride(from: 0, to: numbers.count - 2, by: 3) {
            let end = numbers[place + 2]
            let line = text.utf8.prefix(end).reversed().prefix { $0 != UInt8(ascii: "\n") }.reversed()
            found[slice(text, numbers[place]..<numbers[place + 1]), default: []].insert(
                String(decoding: line, as: UTF8.self).split(separator: " ").joined(separator: " "))
        }
        #expect(found["bar"] == ["setting"])
        #expect(found["average"] == ["figure"])
        #expect(found["averages"] == ["rounding"])
        #expect(found["subject"] == ["entry"])
        // The weight of a subject and that of a unit.
        let weights = stride(from: 0, to: numbers.count - 2, by: 3)
            .filter { slice(text, numbers[$0]..<numbers[$0 + 1]) == "weight" }.map { numbers[$0 + 2] }
        #expect(Set(weights).count == 2)
    }

    @Test func `the outline tells units, trends and formulas`() throws {
        let items = regulation.outline.array ?? []
        let total = try #require(items.first { $0["name"]?.string == "total" })
        #expect(total["unit"] == "mark" && total["trend"] == "rises")
        let formula = pairs(total["formula"]).map { slice(text, $0) }
        #expect(formula == ["mean of average over unit weighted by weight"])
        let grade = try #require(items.first { $0["name"]?.string == "grade" })
        #expect(grade["sort"] == "field" && grade["of"] == "subject" && grade["type"] == "grade")
    }

    @Test func `values of settings and bands can be replaced`() throws {
        let forms = regulation.annotations(in: .english)["values"]?.array ?? []
        let rows = forms.map { form in (form["rows"]?.array ?? []).map { pairs($0).map { slice(text, $0) } } }
        #expect(rows.contains([["A", "90", "4"], ["B", "50", "3"], ["F", "0"]]))
        #expect(rows.contains([["2"]]) && rows.contains([["5", "1", "0.1"]]))
        #expect(rows.contains([["10"]]) && rows.contains([["no"]]) && rows.contains([["lp"]]))
    }

    @Test func `templates and examples are records`() throws {
        let template = try #require(regulation.record(ofTemplate: "first"))
        #expect(template.entries.array?.count == 1)
        let example = try #require(regulation.record(ofExample: "second"))
        #expect(example.entries.array?.count == 2)
        #expect(regulation.record(ofExample: "none") == nil)
        let broken = Regulation(Array(text.replacing("reaches bar", with: "reaches brr").utf8))
        #expect(broken.record(ofTemplate: "first") == nil)
        #expect(broken.annotations(in: .english)["words"]?["keyword"]?.array?.isEmpty == false)
    }

    @Test func `the annotations of a hostile document are bounded`() {
        let lines = String(repeating: "a b c d e f g h \"x\" 1 -- y\n", count: 9_000)
        let annotations = Regulation(Array(("```rules\n" + lines + "```\n").utf8)).annotations(in: .english)
        let words = (annotations["words"]?.object ?? [:]).map { $0.value.array?.count ?? 0 }
        #expect(words.reduce(0, +) <= 80_000)
        let settings = String(repeating: "setting a = 1\n", count: 15_000)
        let values = Regulation(Array(("```rules\n" + settings + "```\n").utf8)).annotations(in: .english)["values"]
        #expect(values?.array?.count == 256)
        let line = "bands b in percent\n    A" + String(repeating: " 1", count: 100_000)
        let bands = Regulation(Array(("```rules\n" + line + "\n```\n").utf8))
        #expect(bands.annotations(in: .english)["values"]?.array?.first?["rows"]?.array?.first?.array?.count ?? 0 <= 24)
    }
}
