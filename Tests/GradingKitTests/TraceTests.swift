@testable import GradingKit
import Testing

/// What a trace says may have come from another process: computing it again must not take for ever.
@Suite struct TraceTests {
    @Test(.timeLimit(.minutes(1))) func `means within means are computed once each`() {
        var trace = Trace(.constant, .value(7))
        for _ in 0..<100 {
            trace = Trace(.mean, .value(7), [Trace(.term(entry: EntryID("e")), .value(7), [trace])])
        }
        #expect(trace.reevaluated() == .value(7))
    }

    @Test(.timeLimit(.minutes(1)), arguments: [Trace.Operation.sum, .mean])
    func `a sum of long numbers without a common factor is too precise`(operation: Trace.Operation) {
        let nines = String(repeating: "9", count: 120)
        let terms = (100..<500).compactMap { Exact(ratio: "1/\(nines)\($0)") }.map { value in
            let leaf = Trace(.constant, .value(value))
            return operation == .mean ? Trace(.term(entry: EntryID("e")), .value(value), [leaf]) : leaf
        }
        #expect(terms.count == 400)
        #expect(Trace(operation, .value(1), terms).reevaluated() == .undefined(.tooPrecise))
    }

    @Test func `what is not used counts nothing`() {
        let terms = [Trace(.constant, .value(3)), Trace(.constant, .value(5), usage: .dropped)]
        #expect(Trace(.sum, .value(0), terms).reevaluated() == .value(3))
    }
}
