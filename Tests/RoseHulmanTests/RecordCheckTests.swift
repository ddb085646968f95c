import GradingKit
import RoseHulman
import SchemeTestKit
import Testing

@Suite struct RecordCheckTests {
    private static func course(_ fields: JSONObject = JSONObject(), _ categories: JSON...) -> JSON {
        var all: JSONObject = ["title": "Course", "quarter": 1, "year": 2022, "credits": 4]
        for field in fields { all[field.name] = field.value }
        return ["kind": "course", "fields": .object(all), "children": .array(categories)]
    }

    private static func exams(_ items: JSON...) -> JSON {
        [
            "kind": "category", "fields": ["category": "exams", "weight": 100],
            "children": .array(items.map { ["kind": "item", "fields": $0] }),
        ]
    }

    @Test func `each rule of an item has its own fault`() throws {
        let trial = try Trial(RoseHulman.self)
        let course = Self.course(
            JSONObject(),
            Self.exams(
                ["score": 5], ["score": 5, "max": 10, "grade": 50], ["score": -1, "max": 10], ["grade": -1],
                ["score": 5, "max": 0], ["grade": 50, "weight": -1]))
        #expect(
            trial.faults([course]) == [
                "missing_field /entries/0/children/0/children/0/fields/max",
                "score_and_grade /entries/0/children/0/children/1/fields/grade",
                "grade_out_of_range /entries/0/children/0/children/2/fields/score",
                "grade_out_of_range /entries/0/children/0/children/3/fields/grade",
                "max_not_positive /entries/0/children/0/children/4/fields/max",
                "out_of_range /entries/0/children/0/children/5/fields/weight",
            ])
    }

    @Test func `ranges of a course`() throws {
        let trial = try Trial(RoseHulman.self)
        let fields: JSONObject = ["title": "", "section": -1, "quarter": 5, "year": 1899, "credits": -1]
        #expect(
            trial.faults([Self.course(fields)]) == [
                "out_of_range /entries/0/fields/credits", "out_of_range /entries/0/fields/quarter",
                "out_of_range /entries/0/fields/section", "missing_field /entries/0/fields/title",
                "out_of_range /entries/0/fields/year",
            ])
        #expect(trial.faults([Self.course(["number": "", "credits": 0, "year": 2999, "quarter": 4])]).isEmpty)
    }

    @Test func `a category is there once, and participation has no items`() throws {
        let trial = try Trial(RoseHulman.self)
        #expect(
            trial.faults([Self.course(JSONObject(), Self.exams(), Self.exams())]) == [
                "duplicate_category /entries/0/children/1/fields/category"
            ])
        let participation: JSON = [
            "kind": "category", "fields": ["category": "participation", "weight": 10],
            "children": [["kind": "item", "fields": ["grade": 90]]],
        ]
        #expect(
            trial.faults([Self.course(JSONObject(), participation)]) == ["wrong_kind /entries/0/children/0/children"])
        let graded: JSON = [
            "kind": "category", "fields": ["category": "labs", "weight": 10, "grade": 90], "status": "absent",
        ]
        #expect(
            trial.faults([Self.course(JSONObject(), graded)]) == [
                "unknown_field /entries/0/children/0/fields/grade", "unknown_field /entries/0/children/0/status",
            ])
    }

    @Test(arguments: [("excused", "80 → 80.00"), ("absent", "40 → 40.00"), ("pending", "80 → 80.00")])
    func `a status of an item is settled where it stands`(status: String, grade: String) throws {
        let course = Self.course(
            JSONObject(),
            [
                "kind": "category", "fields": ["category": "exams", "weight": 100],
                "children": [
                    ["kind": "item", "fields": ["grade": 80]],
                    ["kind": "item", "fields": ["grade": 90], "status": .string(status)],
                ],
            ])
        let standing = try Trial(RoseHulman.self).standing([course])
        #expect(standing.reading("grade", of: "1") == grade)
        let ranges = ["excused": "80.00…80.00", "absent": "40.00…40.00", "pending": "40.00…90.00"]
        #expect(standing.range("grade", of: "1") == ranges[status])
    }
}
