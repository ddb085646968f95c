import Chalkboard
import GradingKit
import Testing

@testable import Application

@Suite struct CalculationCostTests {
    /// Courses of three assessments each, as a page sends them.
    private func courses(_ count: Int) -> [UInt8] {
        let assessments = ["Assignments", "Midterm", "Final"].map { name -> JSON in
            let fields: JSON = [
                "name": .string(name), "points": 85, "max": 100, "weight": .number(name == "Final" ? "40" : "30"),
            ]
            return ["kind": "assessment", "fields": fields]
        }
        let course: JSON = [
            "kind": "course", "fields": ["title": "Algorithms", "credits": 3], "children": .array(assessments),
        ]
        let calculation: JSON = ["scheme": "chalkboard", "entries": .array(Array(repeating: course, count: count))]
        return calculation.bytes
    }

    @Test func `an ordinary evaluation is small and counts two`() {
        let cost = CalculationCost(of: .standing, about: courses(4), configuring: true)
        #expect(cost.isSmall)
        #expect(cost.units == 2)
    }

    @Test func `what was counted of a document is charged, and nothing great is small`() {
        func rules(parts: [Int]) -> Rulebook {
            Rulebook(
                scheme: "regulations", configuration: .null, workBound: WorkBound(parts: parts, memory: 0),
                shape: RecordShape(fields: [], kinds: [])
            ) { _ in }
        }
        let (few, many) = (courses(1), courses(200))
        let light = rules(parts: [10, 40, 160, 640])
        #expect(CalculationCost(of: .standing, about: few, by: light).isSmall)
        let heavy = rules(parts: [30_000, 100_000, 400_000, 2_000_000])
        #expect(!CalculationCost(of: .standing, about: few, by: heavy).isSmall)
        let costs = [few, many].map { CalculationCost(of: .standing, about: $0, by: heavy).units }
        #expect(costs[0] < 10 && costs[1] > 200)
        #expect(CalculationCost(of: .goal, about: few, by: heavy).units > 5 * costs[0])
    }

    @Test func `the attack with eight hundred items is not`() {
        let item = #"{"kind":"item","fields":{"score":1,"max":2,"title":"An item with a long title"}}"#
        let text = Array("[\(Array(repeating: item, count: 800).joined(separator: ","))]".utf8)
        let cost = CalculationCost(of: .explanation, about: text, configuring: true)
        #expect(!cost.isSmall)
        #expect(cost.units > 100)
    }

    @Test func `the cost rises with the text, the entries and the question`() {
        let questions: [CalculationCost.Question] = [.reading, .standing, .explanation, .goal]
        for question in questions {
            let costs = [1, 50, 100, 200].map { CalculationCost(of: question, about: courses($0)).units }
            #expect(costs == costs.sorted() && costs[0] < costs[3])
        }
        let costs = questions.map { CalculationCost(of: $0, about: courses(100)).units }
        #expect(costs == costs.sorted() && Set(costs).count == costs.count)
        #expect(abs(CalculationCost(of: .standing, about: courses(50), courses(50)).units - costs[1]) <= 1)
    }

    @Test func `entries beyond what a record may have are read and never judged`() {
        let (full, more) = (courses(250), courses(500))
        let judging = { (text: [UInt8]) in
            CalculationCost(of: .goal, about: text).units - CalculationCost(of: .reading, about: text).units
        }
        #expect(abs(judging(full) - judging(more)) <= 1)
        #expect(CalculationCost(of: .reading, about: more).units > CalculationCost(of: .reading, about: full).units)
    }

    @Test func `braces bound the entries of stored records too`() throws {
        let rules = try InstalledScheme(Chalkboard.self).rulebook()
        var made = 0
        let tree = try rules.calculation(fields: .null, entries: JSON.parse(courses(1))["entries"] ?? .null) {
            made += 1
            return EntryID("e\(made)")
        }
        let text = tree.stored(as: "record", of: "program").text
        #expect(tree.count == 4)
        #expect(text.count { $0 == UInt8(ascii: "{") } >= tree.count)
    }
}
