import Chalkboard
import GradingKit
import SchemeTestKit
import Testing

/// Boards as they are kept: courses come, go and change.
@Suite struct BoardTests {
    let chalkboard: Trial

    init() throws { chalkboard = try Trial(Chalkboard.self) }

    private func adding(_ courses: JSON..., to board: RecordTree) throws -> RecordTree {
        try courses.reduce(board) { try chalkboard.change($0, .add(entry: $1, parent: nil, ref: nil)).tree }
    }

    private func titles(_ board: RecordTree) -> [String] {
        (1...).lazy.map { board.entry(atPosition: $0) }.prefix { $0 != nil }.compactMap { entry in
            entry.flatMap { board.json(of: $0.id) }.flatMap { try? JSON.parse($0)["fields"]?["title"]?.string }
        }
    }

    private func course(_ title: String, total: String = "85") -> JSON { Board.course(title, total: total) }

    @Test func `a fifth course is refused and the list stays (C12)`() throws {
        let board = try adding(course("a"), course("b"), course("c"), course("d"), to: chalkboard.rules.emptyRecord)
        let refused = #expect(throws: FaultList.self) { try adding(course("e"), to: board) }
        let fault = try #require(refused?.faults.first)
        #expect(refused?.lines == ["course_limit "])
        #expect(chalkboard.rules.catalog.message(fault, in: .english) == "Max course allowed is 4")
        #expect(chalkboard.rules.catalog.message(fault, in: .simplifiedChinese) == "最多允许 4 门课程")
        #expect(titles(board) == ["a", "b", "c", "d"])
    }

    @Test func `positions close up after a delete (C19)`() throws {
        let board = try adding(course("a"), course("b"), course("c"), course("d"), to: chalkboard.rules.emptyRecord)
        let second = try #require(board.entry(atPosition: 2))
        let shorter = try chalkboard.change(board, .delete(second.id)).tree
        #expect(titles(shorter) == ["a", "c", "d"])
        #expect(shorter.entry(atPosition: 4) == nil)
        #expect(shorter.entry(atPosition: 0) == nil)
        #expect(throws: EntryNotFound(entry: second.id.text)) { try chalkboard.change(shorter, .delete(second.id)) }
        #expect(
            chalkboard.rules.catalog.message("entry_not_found", in: .english) == "That course does not exist")
    }

    @Test func `the assignment's own run (C20)`() throws {
        var board = chalkboard.rules.emptyRecord
        func gpa() throws -> String { try chalkboard.rules.standing(of: board).reading("gpa") }
        #expect(try gpa() == "(no_courses)")
        board = try adding(
            Board.course("Mobile programming", credits: 3, of: "90/100×30, 80/100×30, 85/100×40"),
            Board.course("Algorithms", credits: 4, of: "90/100×30, 45/50×30, 180/200×40"), to: board)
        #expect(try gpa() == "25/7 → 3.57")
        board = try adding(
            Board.course("Data Structures", credits: 3, of: "18/20×25, 35/50×25, 72/100×50"),
            Board.course("Databases", credits: 2, total: "60"), to: board)
        #expect(try gpa() == "11/4 → 2.75")
        #expect(throws: FaultList.self) { try adding(course("Compilers"), to: board) }
        for title in ["Data Structures", "Algorithms"] {
            let position = try #require(titles(board).firstIndex(of: title))
            let entry = try #require(board.entry(atPosition: position + 1))
            board = try chalkboard.change(board, .delete(entry.id)).tree
        }
        #expect(titles(board) == ["Mobile programming", "Databases"])
        #expect(try gpa() == "11/5 → 2.20")
    }

    @Test func `a course never duplicates itself on edit`() throws {
        let board = try adding(course("Algorithms"), course("Analysis"), to: chalkboard.rules.emptyRecord)
        let first = try #require(board.entry(atPosition: 1))
        let renamed = try chalkboard.change(board, .patch(first.id, ["fields": ["title": " algorithms"]])).tree
        #expect(titles(renamed) == [" algorithms", "Analysis"])
        let refused = #expect(throws: FaultList.self) {
            try chalkboard.change(board, .patch(first.id, ["fields": ["title": "ANALYSIS"]]))
        }
        #expect(refused?.lines == ["duplicate_title /changes/0/fields/title"])
    }

    @Test func `the form's first values make a course that fits`() throws {
        let defaults = try #require(chalkboard.rules.configuration["formDefaults"])
        #expect(try chalkboard.standing([defaults]).reading("total", of: "1") == "85 → 85.0")
    }
}
