import GradingKit
import IUT
import SchemeTestKit
import Testing

@Suite struct AverageTests {
    @Test func `averages of the sample year (I1, I2, I3)`() throws {
        let standing = try Trial(IUT.self).standing(Year.sample())
        #expect(standing.reading("average", of: "1") == "577/40 → 14.43")
        #expect(["2", "3", "4", "7"].map { standing.display("average", of: $0) } == ["14.16", "14.27", "10.60", "—"])
        let lighter = try Trial(IUT.self).standing(Year.sample(economy: 1))
        #expect(lighter.reading("average", of: "3") == "19977/1300 → 15.37")
    }

    @Test(arguments: [
        ("I4", "—", "13.00", "7.54…16.02", "13.66", "5.12…17.62", "pending"),
        ("I5", "8", "11.75", "9.54…13.02", "10.12", "10.12…10.12", "met"),
        ("I6", "7.5", "11.62", "9.41…12.89", "9.81", "9.81…9.81", "unmet, final"),
        ("I7", "7.804", "11.70", "9.49…12.97", "10.00", "10.00…10.00", "met"),
        ("I8", "7.80", "11.70", "9.49…12.97", "10.00", "10.00…10.00", "met"),
    ])
    func `the whole year, by the grade of the placement`(
        row: String, stage: String, total: String, totalRange: String, professional: String, range: String,
        diploma: String
    ) throws {
        let standing = try Trial(IUT.self).standing(Year.sample(stage: stage))
        #expect(standing.display("total") == total, "\(row)")
        #expect(standing.range("total") == totalRange, "\(row)")
        #expect(standing.display("professional") == professional, "\(row)")
        #expect(standing.range("professional") == range, "\(row)")
        #expect(standing.outcome("diploma") == diploma, "\(row)")
    }

    @Test func `a bar is judged as configured (I8)`() throws {
        let exact = try Trial(IUT.self, configuration: ["average": ["compareOn": "exact"]])
        let standing = try exact.standing(Year.sample(stage: "7.80"))
        #expect(standing.reading("professional") == "3999/400 → 10.00")
        #expect(standing.outcome("diploma") == "unmet, final")
        #expect(standing.band("professional") == "red")
        let tolerant = try Trial(IUT.self, configuration: ["average": ["compareOn": "tolerance(0.0025)"]])
        #expect(try tolerant.standing(Year.sample(stage: "7.80")).outcome("diploma") == "met")
    }

    @Test func `a unit of weight 0 adds nothing (I9)`() throws {
        let trial = try Trial(IUT.self)
        let both = try trial.standing([Year.unit(weight: 0, "1×18"), Year.unit("1×9")])
        #expect(both.reading("total") == "9 → 9.00")
        #expect(both.band("total") == "red")
        let alone = try trial.standing([Year.unit(weight: 0, "1×18")])
        #expect(alone.reading("total") == "(no_grades)")
        #expect(alone.outcome("diploma") == "pending")
    }

    @Test func `without a grade the year says so (I10)`() throws {
        let standing = try Trial(IUT.self).standing([Year.unit("1×—"), Year.unit(professional: true, "2×—")])
        #expect(standing.reading("total") == "(no_grades)")
        #expect(standing.band("total") == "none")
        #expect(standing.outcome("diploma") == "pending")
        let figures = try JSON.parse(standing.json(of: nil, in: .french))["figures"]
        #expect(figures?["total"]?["text"] == "Aucune note enregistrée")
        #expect(standing.range("total") == "0.00…20.00")
    }

    @Test func `grades lie between 0 and 20 (I11)`() throws {
        let trial = try Trial(IUT.self)
        let standing = try trial.standing([Year.unit("1×20"), Year.unit("1×0")])
        #expect(["1", "2"].map { standing.display("average", of: $0) } == ["20.00", "0.00"])
        #expect(
            trial.faults([Year.unit("1×20.01, 1×-0.5")]) == [
                "grade_out_of_range /entries/0/children/0/fields/grade",
                "grade_out_of_range /entries/0/children/1/fields/grade",
            ])
    }

    @Test func `a decimal comma is a comma, and nonsense is refused (I12)`() throws {
        let trial = try Trial(IUT.self)
        func subject(title: JSON = "Matière", weight: JSON = 1, grade: JSON) -> JSON {
            ["kind": "subject", "fields": ["title": title, "weight": weight, "grade": grade]]
        }
        func unit(_ subjects: JSON...) -> [JSON] {
            [["kind": "unit", "fields": ["title": "Unité", "weight": 6], "children": .array(subjects)]]
        }
        #expect(try trial.standing(unit(subject(grade: "12,5"))).reading("average", of: "1") == "25/2 → 12.50")
        #expect(
            trial.faults(unit(subject(grade: "abc"), subject(title: "", grade: 12), subject(weight: 0, grade: 12))) == [
                "not_a_number /entries/0/children/0/fields/grade",
                "missing_field /entries/0/children/1/fields/title",
                "weight_not_positive /entries/0/children/2/fields/weight",
            ])
    }

    @Test func `the template is the sample year`() throws {
        let trial = try Trial(IUT.self)
        var made = 0
        let record = try #require(
            try trial.rules.template("sample") {
                made += 1
                return EntryID("\(made)")
            })
        let (template, written) = (try trial.rules.standing(of: record), try trial.standing(Year.sample()))
        #expect(record.count == 31)
        #expect(template.reading("total") == written.reading("total"))
        #expect(template.reading("professional") == written.reading("professional"))
    }
}
