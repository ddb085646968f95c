import Shared
import Testing

@testable import Live

@Suite struct MessageRateTests {
    private let limits = LiveLimits()

    private func moment(_ milliseconds: Int) -> Timestamp { Timestamp(microseconds: Int64(milliseconds) * 1_000) }

    @Test func `a burst passes, one message more is answered once and then dropped`() {
        var rate = MessageRate()
        for _ in 0..<300 { #expect(rate.count(at: moment(0), limits: limits) == .pass) }
        #expect(rate.count(at: moment(0), limits: limits) == .warn(after: 50))
        #expect(rate.count(at: moment(0), limits: limits) == .drop)
        #expect(rate.count(at: moment(49), limits: limits) == .drop)
        #expect(rate.count(at: moment(50), limits: limits) == .pass)
    }

    @Test func `the steady rate always passes`() {
        var rate = MessageRate()
        for message in 0..<2_000 { #expect(rate.count(at: moment(message * 50), limits: limits) == .pass) }
    }

    @Test func `a client that stays over its rate is closed after five seconds`() {
        var rate = MessageRate()
        var verdicts: [MessageRate.Verdict] = []
        for message in 0..<1_000 { verdicts.append(rate.count(at: moment(message * 10), limits: limits)) }
        let warned = verdicts.firstIndex { if case .warn = $0 { true } else { false } }
        let closed = verdicts.firstIndex(of: .close)
        #expect(warned != nil && closed != nil)
        #expect(verdicts.count { if case .warn = $0 { true } else { false } } == 1)
        if let warned, let closed { #expect((500...505).contains(closed - warned)) }
    }

    @Test func `a pause is forgiven`() {
        var rate = MessageRate()
        for _ in 0..<310 { _ = rate.count(at: moment(0), limits: limits) }
        #expect(rate.count(at: moment(2_000), limits: limits) == .pass)
        for _ in 0..<39 { #expect(rate.count(at: moment(2_000), limits: limits) == .pass) }
        #expect(rate.count(at: moment(2_000), limits: limits) == .warn(after: 50))
        #expect(rate.count(at: moment(6_999), limits: limits) == .pass)
    }
}
