import Testing

@testable import GradingKit

@Suite struct GoalSearchTests {
    /// A range from `0…10.5 by 1`; the best grade may be the lower one.
    private func range(_ text: String) throws -> GradeRange {
        let numbers = text.split { "… by".contains($0) }.compactMap { DecimalText($0)?.value }
        try #require(numbers.count == 3)
        return GradeRange(worst: numbers[0], best: numbers[1], step: numbers[2])
    }

    private func number(_ text: String) throws -> Exact { try #require(DecimalText(text)).value }

    private func grades(_ ranges: [GradeRange], at fraction: Exact) -> [Exact] {
        ranges.map { $0.value(at: fraction) }
    }

    @Test func `the least grades are found wherever the bound lies`() throws {
        let ranges = try ["0…7 by 1", "0…20 by 1", "0…10.5 by 1", "0…30 by 0.7"].map(range)
        var fractions: Set<Exact> = [1]
        for range in ranges {
            for count in 0...43 {
                let fraction: Exact? = Exact(count) * range.step / range.best
                fractions.insert(try #require(fraction))
            }
        }
        let vectors = fractions.filter { $0 <= 1 }.sorted().map { grades(ranges, at: $0) }
        for (vector, worse) in zip(vectors.dropFirst(), vectors) where vector != worse {
            let bound = vector.reduce(Exact.zero, +)
            var tried = 0
            let search = GoalSearch(ranges: ranges) { grades in
                tried += 1
                return grades.reduce(Exact.zero, +) >= bound
            }
            #expect(search() == .least(vector))
            #expect(tried <= search.greatestTrialCount)
        }
    }

    @Test func `a scale whose best grade is the lowest is searched downwards`() throws {
        let ranges = try ["5…1 by 0.1", "5…1 by 0.3"].map(range)
        let finding = GoalSearch(ranges: ranges) { $0[0] + $0[1] <= 5 }()
        #expect(finding == .least([try number("2.6"), try number("2.4")]))
    }

    @Test func `the best grade is offered even off the grid`() throws {
        let finding = GoalSearch(ranges: [try range("0…9.5 by 1")]) { $0[0] > 9 }()
        #expect(finding == .least([try number("9.5")]))
    }

    @Test func `without anything open a goal is secured or out of reach`() {
        #expect(GoalSearch(ranges: []) { _ in true }() == .alreadySecured)
        #expect(GoalSearch(ranges: []) { _ in false }() == .outOfReach)
    }

    @Test func `a fine grid over a wide range takes few evaluations`() throws {
        let bound = Exact(123_456_789)
        let search = GoalSearch(ranges: [try range("0…999999999 by 0.0001")]) { $0[0] >= bound }
        #expect(search() == .least([bound]))
        #expect(search.greatestTrialCount < 60)
    }

    /// Two units of an open part each.
    private func tree(_ rules: Rulebook) throws -> RecordTree {
        let units = ["a", "b"].map { id -> JSON in
            let part: JSON = ["id": .string(id + "1"), "kind": "part", "fields": ["max": 10]]
            return ["id": .string(id), "kind": "unit", "fields": ["title": .string(id)], "children": [part]]
        }
        return try rules.storedRecord(fields: .null, entries: .array(units))
    }

    @Test func `a goal that would take too long is refused before it is searched`() throws {
        var rules = try Ledger.rules()
        let goal = Goal("mean", reaches: .value(11))
        #expect(try rules.answer(to: goal, in: tree(rules)).inputs.map(\.value) == [6, 6])
        /// The least steps with which a goal is answered; with fewer it is refused.
        func least(_ goal: Goal) throws -> Int {
            for steps in 0...1_000 {
                rules.greatestGoalSteps = steps
                do {
                    _ = try rules.answer(to: goal, in: tree(rules))
                    return steps
                } catch {
                    #expect(error as? FaultList == FaultList([Fault(.goalTooLarge)]))
                }
            }
            return .max
        }
        let part = Goal("mark", of: EntryID("a"), reaches: .value(11))
        #expect(try least(part) < least(goal))
        #expect(try least(goal) < least(Goal("mean", reaches: .value(11), grid: DecimalText("0.01")?.value)))
    }

    @Test func `a goal whose leaves cannot all be told is refused`() throws {
        var rules = try Ledger.rules()
        rules.traceLimits.nodes = 5
        #expect(throws: FaultList([Fault(.goalTooLarge)])) {
            try rules.answer(to: Goal("mean", reaches: .value(11)), in: tree(rules))
        }
    }

    @Test func `a goal names at most two unknowns for each entry that a record may have`() throws {
        func goal(_ count: Int) throws -> Goal {
            try Goal(["figure": "mean", "target": 1, "unknowns": .array(Array(repeating: "a1", count: count))])
        }
        #expect(try goal(2_000).unknowns?.count == 2_000)
        #expect(throws: FaultList([Fault(.outOfRange, at: "/unknowns", ["max": 2_000])])) { try goal(2_001) }
    }

    @Test func `unknowns that do not exist, or change nothing, are named`() throws {
        let rules = try Ledger.rules()
        func fault(_ unknowns: Goal.Unknown...) -> (any Error)? {
            #expect(throws: (any Error).self) {
                try rules.answer(to: Goal("mean", reaches: .value(11), unknowns: unknowns), in: tree(rules))
            }
        }
        #expect(fault(.init(entry: EntryID("a1")), .init(entry: EntryID("x"))) as? EntryNotFound == .init(entry: "x"))
        let faults = fault(
            .init(entry: EntryID("a1"), field: "score"), .init(entry: EntryID("a1"), field: "max"),
            .init(entry: EntryID("a")))
        #expect(
            faults as? FaultList
                == FaultList([Fault(.notAnUnknown, at: "/unknowns/1"), Fault(.notAnUnknown, at: "/unknowns/2")]))
    }

    @Test(arguments: [
        (#"null"#, "wrong_type "),
        (#"{"target":1}"#, "missing_field /figure"),
        (
            #"{"figure":"x","target":true,"grid":0,"more":1}"#,
            "out_of_range /grid, unknown_field /more, wrong_type /target"
        ),
        (
            #"{"figure":"x","target":"A","grid":0.00001,"unknowns":[1,{"field":"x"}]}"#,
            "too_precise /grid, wrong_type /unknowns/0, missing_field /unknowns/1/entry"
        ),
    ])
    func `a malformed goal is answered with all its faults`(text: String, faults: String) throws {
        let json = try JSON.parse(text)
        let error = #expect(throws: FaultList.self) { try Goal(json) }
        #expect(error?.faults.map { "\($0.code) \($0.path)" }.joined(separator: ", ") == faults)
    }

    @Test func `a goal is read with its unknowns as answers name them`() throws {
        let goal = try Goal(["figure": "grade", "target": 90, "unknowns": ["a", ["entry": "b", "field": nil]]])
        #expect(goal.target == .value(90))
        #expect(goal.unknowns == [.init(entry: EntryID("a")), .init(entry: EntryID("b"))])
    }
}
