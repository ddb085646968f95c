import GradingKit
import GradingLaws
import Regulations
import Testing

@testable import Application

/// What is charged for a check of regulations covers what it counts, whatever the document.
@Suite struct HostileDocumentTests {
    /// The steps of the kit in a unit: a third of a millisecond at twenty nanoseconds.
    private static let stepsOfUnit = 16_667
    /// As many records, and as much work, as a check tries.
    private static let (records, work) = (40, 6_000_000)

    @Test func `there are some fifty`() {
        #expect(HostileDocument.all.count >= 50)
        #expect(Set(HostileDocument.all.map(\.name)).count == HostileDocument.all.count)
        #expect(HostileDocument.all.filter { $0.text.utf8.count > RegulationReview.longest }.map(\.name) == [])
    }

    @Test(arguments: HostileDocument.all)
    func `counts at most three times what it is charged`(document: HostileDocument) {
        let text = Array(document.text.utf8)
        let question = RegulationQuestion(document: text, examples: true, laws: true)
        let charge = CalculationCost(of: question, text: text).units * Self.stepsOfUnit
        let meter = WorkMeter()
        let regulation = Regulation(text, meter: meter)
        if let rules = regulation.rulebook {
            _ = LawSuite(rules, records: Self.records, work: Self.work, meter: meter).review()
            _ = Regulation(text, meter: meter).examplesJSON
        }
        #expect(meter.spent <= 3 * charge)
        // It asks for what its name says, and is not refused for something else.
        #expect(regulation.faults.first { !$0.isWarning }?.code == document.fault)
        #expect((regulation.rulebook == nil) == (document.fault != nil))
    }

    @Test func `a document whose time is over is left where it is`() throws {
        let document = try #require(HostileDocument.all.first { $0.name == "long choices" })
        let (whole, over) = (WorkMeter(), WorkMeter { true })
        _ = Regulation(Array(document.text.utf8), meter: whole)
        let cut = Regulation(Array(document.text.utf8), meter: over)
        #expect(over.isOver && over.spent < whole.spent)
        #expect(cut.rulebook == nil || cut.outline != Regulation(Array(document.text.utf8)).outline)
        let rules = try #require(Regulation(Array(document.text.utf8)).rulebook)
        let review = LawSuite(rules, records: 40, work: Self.work, meter: over).review()
        #expect(review.tried == 0)
    }
}
