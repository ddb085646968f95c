import Chalkboard
import GradingKit
import SchemeTestKit
import Testing

@Suite struct GPATests {
    @Test(arguments: [
        ("C14", "A×3, B×4", "24/7 → 3.43", "green"),
        ("C15", "A×3, B×4, C×3, F×2", "5/2 → 2.50", "orange"),
        ("C16", "C×3, D×4", "10/7 → 1.43", "red"),
        ("C17", "B×199, C×1", "599/200 → 3.00", "green"),
        ("C18", "C×99, D×1", "199/100 → 1.99", "red"),
    ])
    func `a GPA is exact, and coloured as it is shown`(row: String, board: String, gpa: String, colour: String) throws {
        let standing = try Trial(Chalkboard.self).standing(Board.board(board))
        #expect(standing.reading("gpa") == gpa, "\(row)")
        #expect(standing.band("gpa") == colour, "\(row)")
    }

    @Test func `without a course there is no GPA (C13)`() throws {
        let standing = try Trial(Chalkboard.self).standing([])
        #expect(standing.reading("gpa") == "(no_courses)")
        #expect(standing.band("gpa") == "white")
        #expect(standing.range("gpa") == "—…—")
        let figures = try JSON.parse(standing.json(of: nil, in: .english))["figures"]
        #expect(
            figures?["gpa"]?.text
                == #"{"exact":null,"display":"","scale":2,"rounding":"halfUp","reason":"no_courses","#
                + #""band":"white","text":"GPA: "}"#)
    }

    @Test func `the letter may be judged on what is shown, and warns of nothing then`() throws {
        let halfUp: JSON = ["total": ["rounding": "halfUp", "compareOn": "displayed"]]
        let chalkboard = try Trial(Chalkboard.self, configuration: halfUp)
        #expect(chalkboard.rules.warnings.isEmpty)
        let standing = try chalkboard.standing([Board.course(of: "89/100×30, 90/100×20, 181/200×50")])
        #expect(standing.reading("total", of: "1") == "1799/20 → 90.0")
        #expect(standing.letter(of: "1") == "A 4")
    }
}
