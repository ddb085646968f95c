import GradingKit
import Records
import Shared
import Testing

@Suite struct BulkChangeProgressTests {
    @Test func `refusals are counted by their reasons, and lists of reasons and records are bounded`() {
        var progress = BulkChangeProgress()
        for reason in 0..<30 {
            for record in 0..<40 { progress.refuse(RecordID("r\(reason)-\(record)"), because: FaultCode("c\(reason)")) }
        }
        #expect(progress.refused == 1_200)
        #expect(progress.refusals.map(\.code.text) == (0..<8).map { "c\($0)" })
        #expect(progress.refusals.map(\.count) == Array(repeating: 40, count: 7) + [40 * 23])
        #expect(progress.refusals.map(\.records.count) == Array(repeating: 10, count: 8))
        #expect(progress.refusals[3].records.first == RecordID("r3-0"))
    }
}
