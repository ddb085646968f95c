import Chalkboard
import GradingKit
import SchemeTestKit
import Testing

@Suite struct CourseTests {
    let chalkboard: Trial

    init() throws { chalkboard = try Trial(Chalkboard.self) }

    @Test(arguments: [
        ("C1", "90/100×30, 80/100×30, 85/100×40", "85 → 85.0", "B 3"),
        ("C2", "90/100×30, 45/50×30, 180/200×40", "90 → 90.0", "A 4"),
        ("C3", "94/100×80, 34/50×10, 8/10×10", "90 → 90.0", "A 4"),
        ("C4", "89/100×30, 90/100×20, 181/200×50", "1799/20 → 89.9", "B 3"),
        ("C5", "59.99/100×30, 59.99/100×30, 59.99/100×40", "5999/100 → 59.9", "F 0"),
        ("C5", "60/100×30, 60/100×30, 60/100×40", "60 → 60.0", "D 1"),
        ("C5", "0/100×30, 0/100×30, 0/100×40", "0 → 0.0", "F 0"),
        ("C5", "100/100×30, 100/100×30, 100/100×40", "100 → 100.0", "A 4"),
        ("C6", "18/20×25, 35/50×25, 72/100×50", "76 → 76.0", "C 2"),
        ("C7", "1/3×33, 2/3×33, 3/3×34", "67 → 67.0", "D 1"),
        ("C10", "1/1×0.1, 1/1×64.1, 1/1×35.8", "100 → 100.0", "A 4"),
    ])
    func `a total is exact, shown on its floor, and lettered as it is`(
        row: String, assessments: String, total: String, letter: String
    ) throws {
        let standing = try chalkboard.standing([Board.course(of: assessments)])
        #expect(standing.reading("total", of: "1") == total, "\(row)")
        #expect(standing.letter(of: "1") == letter, "\(row)")
        #expect(
            standing.range("total", of: "1")
                == "\(standing.display("total", of: "1"))…\(standing.display("total", of: "1"))")
    }

    @Test(arguments: ["1/1×30, 1/1×30, 1/1×39", "1/1×30, 1/1×30, 1/1×41"])
    func `weights make exactly 100 (C8)`(assessments: String) {
        #expect(chalkboard.faults([Board.course(of: assessments)]) == ["weights_sum /entries/0"])
    }

    @Test func `every fault of a course is found at once (C9)`() {
        #expect(
            chalkboard.faults([Board.course(of: "101/100×30, -1/100×30, 5/0×40")]) == [
                "points_out_of_range /entries/0/children/0/fields/points",
                "points_out_of_range /entries/0/children/1/fields/points",
                "max_not_positive /entries/0/children/2/fields/max",
            ])
    }

    @Test func `weights out of range and credits that are none are named`() {
        #expect(
            chalkboard.faults([Board.course(credits: 0, of: "1/1×-1, 1/1×101, 1/1×0")]) == [
                "weight_out_of_range /entries/0/children/0/fields/weight",
                "weight_out_of_range /entries/0/children/1/fields/weight",
                "credits_not_positive /entries/0/fields/credits",
            ])
        #expect(chalkboard.faults([Board.course(of: "1/1×-1, 1/1×100, 1/1×0")]).first == "weights_sum /entries/0")
    }

    @Test func `each of the three assessments is there once`() throws {
        let course: JSON = [
            "kind": "course", "fields": ["title": "Course", "credits": 3],
            "children": .array(
                ["Final", "Midterm", "Final"].map {
                    ["kind": "assessment", "fields": ["name": .string($0), "points": 1, "max": 1, "weight": 30]]
                }),
        ]
        #expect(
            chalkboard.faults([course]) == [
                "weights_sum /entries/0", "duplicate_child /entries/0/children/2/fields/name",
            ])
        #expect(
            chalkboard.faults([Board.course(of: "1/1×50, 1/1×50")]) == ["missing_child /entries/0/children"])
    }

    @Test func `a title is used once, however it is written (C11)`() {
        func faults(_ second: String) -> [String] {
            chalkboard.faults([Board.course("Algorithms", total: "80"), Board.course(second, total: "80")])
        }
        #expect(faults("  algorithms ") == ["duplicate_title /entries/1/fields/title"])
        #expect(faults("ALGORITHMS").count == 1)
        #expect(faults("Algorithms 2").isEmpty)
        let accents = [Board.course("Alge\u{0301}bre  I", total: "80"), Board.course("alg\u{00E9}bre I", total: "80")]
        #expect(chalkboard.faults(accents) == ["duplicate_title /entries/1/fields/title"])
    }

    @Test func `a title of white space is none`() {
        #expect(chalkboard.faults([Board.course(" \t ", total: "80")]) == ["text_invalid /entries/0/fields/title"])
        #expect(chalkboard.faults([Board.course("   ", total: "80")]) == ["missing_field /entries/0/fields/title"])
    }
}
