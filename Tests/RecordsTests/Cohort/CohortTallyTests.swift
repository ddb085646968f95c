import GradingKit
@testable import Records
import Shared
import Testing

@Suite struct CohortTallyTests {
    private func cohort(_ standings: [String]) throws -> JSON {
        var tally = CohortTally()
        for (number, standing) in standings.enumerated() {
            let record = RecordID("r\(number)")
            tally.update([record], to: [StoredStanding(record: record, version: 1, standing: Array(standing.utf8))])
        }
        return try JSON.parse(tally.json(of: ProgramID("p")))
    }

    private func total(_ exact: String, _ display: String, band: String = "green") -> String {
        #"{"figures":{"total":{"exact":"\#(exact)","display":"\#(display)","band":"\#(band)"}}}"#
    }

    private let undefined = #"{"figures":{"total":{"exact":null,"display":"","reason":"no_grades","band":"white"}}}"#

    private func outcome(_ state: String, final isFinal: Bool) -> String {
        #"{"outcomes":{"diploma":{"state":"\#(state)","final":\#(isFinal)}}}"#
    }

    @Test func `single grades cannot be read off the distribution`() throws {
        let figure = try cohort(["5", "8", "9", "11", "12"].map { total($0, $0) })["figures"]?["total"]
        #expect(figure?["defined"] == 5)
        #expect(figure?["distribution"] == [["from": .null, "to": .null, "count": 5]])
    }

    @Test func `bins hold five or more, and the ends are open`() throws {
        let grades = ["2"] + Array(repeating: "10", count: 12) + Array(repeating: "11", count: 12) + ["12", "19"]
        let figure = try cohort(grades.map { total($0, $0) })["figures"]?["total"]
        #expect(
            figure?["distribution"] == [
                ["from": .null, "to": "11", "count": 13], ["from": "11", "to": .null, "count": 14],
            ])
    }

    @Test func `a few without a figure hide the smallest bin, too`() throws {
        let grades = Array(repeating: "10", count: 12) + Array(repeating: "11", count: 7)
        let figure = try cohort(grades.map { total($0, $0) } + [undefined])["figures"]?["total"]
        #expect(figure?["distribution"]?.array?.map { $0["count"] } == [12, .null])
        #expect(figure?["defined"] == .null)
    }

    @Test func `who has no figure cannot be counted`() throws {
        let figure = try cohort(Array(repeating: total("10", "10"), count: 7) + [undefined])["figures"]?["total"]
        #expect(figure?["defined"] == .null && figure?["undefined"] == .null)
        #expect(figure?["distribution"] == [["from": .null, "to": .null, "count": .null]])
        #expect(figure?["bands"] == [:])
    }

    @Test func `what a few records are grouped by is not told, and of the rest the most frequent`() throws {
        func grouped(_ key: String) -> String {
            #"{"figures":{"average:\#(key)":{"exact":"12","display":"12"}},"outcomes":{"passed:\#(key)":{"state":"met"}}}"#
        }
        let few = Array(repeating: grouped("mine"), count: 4) + Array(repeating: grouped("ours"), count: 5)
        let cohort = try cohort(few)
        #expect(cohort["figures"]?.object?.map(\.name) == ["average:ours"])
        #expect(cohort["outcomes"]?.object?.map(\.name) == ["passed:ours"])
        let many = try self.cohort((0..<300).flatMap { Array(repeating: grouped("\($0)"), count: 5) })
        #expect(many["figures"]?.object?.count == 200)
    }

    @Test func `an outcome of one does not follow from the others`() throws {
        let states = [outcome("met", final: true)] + Array(repeating: outcome("unmet", final: true), count: 5)
        #expect(try cohort(states)["outcomes"]?["diploma"] == ["met": .null, "unmet": .null, "pending": .null])
        let enough = Array(repeating: outcome("met", final: true), count: 6)
        #expect(try cohort(enough)["outcomes"]?["diploma"] == ["met": 6, "unmet": 0, "pending": 0])
    }

    @Test func `letters of fewer than five students are no group, however many they are`() throws {
        func course(_ number: Int, _ letter: String) -> String { #""e\#(number)":{"letter":"\#(letter)"}"# }
        let good = "{\"entries\":{\((0..<6).map { course($0, "A") }.joined(separator: ","))}}"
        let bad = "{\"entries\":{\((0..<6).map { course($0, "F") }.joined(separator: ","))}}"
        #expect(try cohort(Array(repeating: good, count: 5) + [bad])["letters"] == ["A": 30])
    }

    @Test func `the mean is of exact values, rounded once`() throws {
        let shownHigher = Array(repeating: total("19/2", "10"), count: 5)
        #expect(try cohort(shownHigher)["figures"]?["total"]?["mean"] == "9.50")
        let thirds = ["31/3", "32/3", "10", "71/7", "73/7"].map { total($0, "10") }
        // (31/3 + 32/3 + 10 + 71/7 + 73/7) / 5 = 361/35.
        #expect(try cohort(thirds)["figures"]?["total"]?["mean"] == "10.31")
    }

    @Test func `at risk is what is not met now and can still be`() throws {
        let risks = try cohort([
            outcome("met", final: false), outcome("unmet", final: false), outcome("unmet", final: true),
            outcome("pending", final: false), outcome("unmet", final: false), outcome("met", final: true),
        ])["atRisk"]
        #expect(risks?["count"] == 2)
        #expect(risks?["items"]?.array?.map { $0["record"] } == ["r1", "r4"])
    }
}
