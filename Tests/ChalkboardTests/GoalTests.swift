import Chalkboard
import GradingKit
import SchemeTestKit
import Testing

@Suite struct GoalTests {
    private let trial: Trial

    init() throws { trial = try Trial(Chalkboard.self) }

    private func answer(_ goal: Goal, _ courses: JSON...) throws -> GoalAnswer {
        try trial.rules.answer(to: goal, in: try trial.record(courses))
    }

    private func unknowns(_ entries: String...) -> [Goal.Unknown] { entries.map { Goal.Unknown(entry: EntryID($0)) } }

    @Test(arguments: ["F", "D", "C", "B", "A"])
    func `a letter needs the least points that reach its band`(letter: String) throws {
        let expected = try BruteForce([.init(to: 30, by: 1), .init(to: 50, by: 1)]).reading { grades in
            let course = Board.course(of: "62/100×30, \(grades[0])/30×30, \(grades[1])/50×40")
            let letters = ["A", "B", "C", "D", "F"]
            let given = try trial.standing([course]).entry(EntryID("1"))?.letter?.label ?? "F"
            return letters.firstIndex(of: given) ?? 5 <= letters.firstIndex(of: letter) ?? 0
        }
        let goal = Goal("total", of: EntryID("1"), reaches: .named(letter), unknowns: unknowns("1.2", "1.3"))
        #expect(try answer(goal, Board.course(of: "62/100×30, 3/30×30, 4/50×40")).reading == expected)
    }

    @Test(arguments: ["green", "orange", "red", "3.4", "4"])
    func `a colour or a number of the GPA is a goal over several courses`(target: String) throws {
        let bar = DecimalText(target)?.value
        let expected = try BruteForce([.init(to: 40, by: 1), .init(to: 20, by: 1)]).reading { grades in
            let standing = try trial.standing([
                Board.course("One", credits: 3, of: "50/100×50, \(grades[0])/40×50, 0/10×0"),
                Board.course("Two", credits: 4, of: "\(grades[1])/20×100, 0/10×0, 0/10×0"),
            ])
            guard let gpa = standing.figure("gpa"), case .value(let value) = gpa.current else { return false }
            if let bar { return Rounding.halfUp(value, to: .scale(2)) >= bar }
            return target == "red" || gpa.band == target || gpa.band == "green"
        }
        let goal = Goal("gpa", reaches: .named(target), unknowns: unknowns("1.2", "2.1"))
        let answer = try answer(
            goal, Board.course("One", credits: 3, of: "50/100×50, 0/40×50, 0/10×0"),
            Board.course("Two", credits: 4, of: "0/20×100, 0/10×0, 0/10×0"))
        #expect(answer.reading == expected)
    }

    @Test func `C4 - the buffer is what may be lost before the letter goes`() throws {
        let course = Board.course(of: "89/100×30, 90/100×20, 181/200×50")
        let answer = try answer(Goal("total", of: EntryID("1"), reaches: .value(50)), course)
        #expect(answer.status == .alreadySecured)
        #expect(answer.buffer == Exact(995, over: 100))
    }

    @Test func `the last letter cannot be lost, so there is no buffer`() throws {
        let course = Board.course(of: "50/100×30, 60/100×20, 110/200×50")
        let answer = try answer(Goal("total", of: EntryID("1"), reaches: .value(50)), course)
        #expect(answer.status == .alreadySecured)
        #expect(answer.buffer == nil)
    }
}
