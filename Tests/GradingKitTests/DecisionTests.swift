import GradingKit
import Testing

@Suite struct DecisionTests {
    private func pending(_ code: String, at entry: String? = nil) -> Decision {
        .pending(because: DecisionReason(FaultCode(code), at: entry.map { EntryID($0) }))
    }

    private func told(_ decision: Decision) -> [String] {
        decision.reasons.map { "\($0.code) \($0.entry?.text ?? "–")" }
    }

    @Test func `a reason that several parts have is told once`() {
        let (open, first) = (pending("open"), pending("open", at: "1"))
        let parts = [open, first, open, pending("late"), first]
        #expect(told(.all(parts)) == ["open –", "open 1", "late –"])
        #expect(told(.moreThanHalf(parts)) == ["open –", "open 1", "late –"])
        #expect(told(.pending(because: parts.flatMap(\.reasons))) == ["open –", "open 1", "late –"])
        // Placed, two of them are the same.
        #expect(told(Decision.all(parts).at(EntryID("1"))) == ["open 1", "late 1"])
    }

    @Test func `reasons with other numbers are others`() {
        let parts = [1, 2, 1].map { number in
            Decision.unmet(because: DecisionReason("short", ["credits": .number(String(number))]))
        }
        #expect(Decision.all(parts).reasons.count == 2)
    }

    @Test func `a decision tells so many reasons and no more`() {
        let parts = (0..<1_000).map { pending("open", at: String($0)) }
        #expect(told(.all(parts)) == (0..<DecisionReason.most).map { "open \($0)" })
        #expect(Decision.pending(because: parts.flatMap(\.reasons)) == .all(parts))
    }
}
