import GradingKit
import RoseHulman
import SchemeTestKit
import Testing

@Suite struct GoalTests {
    private let trial: Trial
    /// R18: everything but the exam is graded; the exam is the only item of the course's second category.
    private let exam = Transcript.course(
        "assign 20 [27/30]; exams 45 [—/140]; labs 15 [10/10]; quizzes 10 [7/9]; part 10@100")

    init() throws { trial = try Trial(RoseHulman.self) }

    private func answer(_ goal: Goal, _ entries: JSON...) throws -> GoalAnswer {
        try trial.rules.answer(to: goal, in: try trial.record(entries))
    }

    @Test(arguments: [(nil, "123"), ("0.01", "12201/100"), ("1", "123"), ("0.5", "245/2"), ("50", "140")])
    func `R18 - an A needs 122.01 of the exam's 140, 123 in whole points`(grid: String?, needed: String) throws {
        let grid = grid.flatMap { DecimalText($0)?.value }
        for target in [Goal.Target.value(90), .named("90"), .named("A")] {
            let answer = try answer(Goal("grade", of: EntryID("1"), reaches: target, grid: grid), exam)
            #expect(answer.reading == "reachable \(needed)")
            #expect(answer.inputs.map(\.leaf) == [Leaf(entry: EntryID("1.2.1"), field: "score")])
            #expect(answer.ceiling.reading == "95.78")
            #expect(answer.buffer == Exact(232, over: 100))
        }
    }

    @Test func `R18 - judged on the exact value 122.03 is needed`() throws {
        let rules = try Trial(RoseHulman.self, configuration: ["grade": ["compareOn": "exact"]])
        let goal = Goal("grade", of: EntryID("1"), reaches: .value(90), grid: DecimalText("0.01")?.value)
        let answer = try rules.rules.answer(to: goal, in: try rules.record([exam]))
        #expect(answer.reading == "reachable 12203/100")
        #expect(answer.outlook == "90.00 of 95.78")
    }

    @Test(arguments: [
        (50, "already_secured", "50.78 of 95.78"), (95, "reachable 138", "95.13 of 95.78"),
        (96, "out_of_reach", "95.78 of 95.78"),
    ])
    func `R18 - what is secured and what is out of reach say what is reached`(
        target: Int, reading: String, outlook: String
    ) throws {
        let answer = try answer(Goal("grade", of: EntryID("1"), reaches: .value(Exact(target))), exam)
        #expect(answer.reading == reading)
        #expect(answer.outlook == outlook)
    }

    @Test func `R19 - an empty category is one unknown, beside participation`() throws {
        let course = Transcript.course("part 10; exams 90 []")
        let answer = try answer(Goal("grade", of: EntryID("1"), reaches: .named("B")), course)
        #expect(answer.reading == "reachable 80 80")
        #expect(
            answer.inputs.map(\.leaf) == [
                Leaf(entry: EntryID("1.1"), field: "grade"), Leaf(entry: EntryID("1.2"), field: nil),
            ])
        #expect(answer.buffer == nil)
    }

    @Test(arguments: Array(stride(from: 29, through: 101, by: 3)))
    func `several unknowns share the least fraction, checked by trying all`(target: Int) throws {
        let expected = try BruteForce([.init(to: 7, by: 1), .init(to: 20, by: 1), .init(to: 100, by: 1)])
            .reading { grades in
                let course = Transcript.course(
                    "assign 20 [5/10, \(grades[0])/7]; exams 50 [\(grades[1])/20, 60/80]; labs 30 [1@\(grades[2])]")
                let grade = try trial.standing([course]).entry(EntryID("1"))?.figures.first { $0.name == "grade" }
                guard case .value(let value)? = grade?.current else { return false }
                return Rounding.halfUp(value, to: .scale(2)) >= Exact(target)
            }
        let open = Transcript.course("assign 20 [5/10, —/7]; exams 50 [—/20, 60/80]; labs 30 [1@—]")
        let goal = Goal("grade", of: EntryID("1"), reaches: .value(Exact(target)), grid: 1)
        #expect(try answer(goal, open).reading == expected)
    }

    @Test(arguments: ["2.5", "3", "3.5", "3.99", "4", "4.01"])
    func `a GPA over several courses is found on whole points`(target: String) throws {
        let bar = try #require(DecimalText(target)).value
        let expected = try BruteForce([.init(to: 10, by: 1), .init(to: 25, by: 1)]).reading { grades in
            let texts = grades.map { $0.decimalText ?? "" }
            let courses = [
                Transcript.course("exams 100 [\(texts[0])/10]"), Transcript.course("exams 100 [\(texts[1])/25]"),
                Transcript.course(grade: "91", credits: 2),
            ]
            guard case .value(let value)? = try trial.standing(courses).figure("gpa")?.current else { return false }
            return Rounding.halfUp(value, to: .scale(2)) >= bar
        }
        let answer = try answer(
            Goal("gpa", reaches: .named(target)), Transcript.course("exams 100 [—/10]"),
            Transcript.course("exams 100 [—/25]"), Transcript.course(grade: "91", credits: 2))
        #expect(answer.reading == expected)
    }

    @Test func `a grade that is recorded is open when it is named`() throws {
        let course = Transcript.course("exams 50 [40/100]; labs 50 [—/10]")
        let unknowns = [Goal.Unknown(entry: EntryID("1.1.1"), field: "score")]
        let answer = try answer(Goal("grade", of: EntryID("1"), reaches: .value(75), unknowns: unknowns), course)
        #expect(answer.reading == "reachable 75")
        #expect(answer.outlook == "75.00 of 100.00")
    }

    @Test func `a pending grade can be asked for, an excused one cannot`() throws {
        let course = Transcript.course("exams 100 [—/10, 5/10]")
        let record = try trial.record([course])
        func marked(_ status: JSON) throws -> RecordTree {
            try trial.change(record, .patch(EntryID("1.1.1"), ["status": status])).tree
        }
        let goal = Goal("grade", of: EntryID("1"), reaches: .value(70))
        #expect(try trial.rules.answer(to: goal, in: try marked("pending")).reading == "reachable 9")
        #expect(try trial.rules.answer(to: goal, in: try marked("excused")).reading == "out_of_reach")
    }

    @Test func `a term's GPA is a goal like any other figure`() throws {
        let answer = try answer(
            Goal("term:2022.1", reaches: .value(4)), Transcript.course("exams 100 [—/10]"),
            Transcript.course("exams 100 [—/10]", term: "2021.3"))
        #expect(answer.reading == "reachable 9")
    }

    @Test(arguments: [
        (Goal("grades", of: EntryID("1"), reaches: .value(1)), "out_of_range /figure"),
        (Goal("grade", of: EntryID("1"), reaches: .named("E")), "out_of_range /target"),
        (Goal("gpa", reaches: .named("A")), "not_a_number /target"),
        (
            Goal(
                "grade", of: EntryID("1"), reaches: .value(1),
                unknowns: [.init(entry: EntryID("1")), .init(entry: EntryID("1.2.1"), field: "max")]),
            "not_an_unknown /unknowns/0, not_an_unknown /unknowns/1"
        ),
    ])
    func `what cannot be asked is a fault`(goal: Goal, faults: String) throws {
        let error = #expect(throws: FaultList.self) { try answer(goal, exam) }
        #expect(error?.lines.joined(separator: ", ") == faults)
    }

    @Test func `an entry that is not there is not found`() throws {
        #expect(throws: EntryNotFound(entry: "9")) {
            try answer(Goal("grade", of: EntryID("9"), reaches: .value(1)), exam)
        }
    }
}
