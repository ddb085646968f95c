@testable import GradingKit
import Testing

/// What explanations share, how far they may grow, and what computing one again takes: a trace may come from another
/// process.
@Suite struct TraceTests {
    private let recording = TraceRecording()

    private func node(
        _ operation: Trace.Operation, _ value: Exact, _ children: [Trace] = [], usage: Trace.Usage = .used
    ) throws -> Trace {
        try #require(recording.trace(operation, .value(value), children, usage: usage))
    }

    @Test func `a node that equals an earlier one is that node`() throws {
        let leaf = Trace.Operation.input(entry: EntryID("e"), field: "grade")
        let first = try node(.add, 4, [try node(leaf, 2), try node(leaf, 2)])
        let second = try node(.add, 4, [try node(leaf, 2), try node(leaf, 2)])
        #expect(first.number == second.number)
        #expect(recording.count == 2)
    }

    @Test(arguments: [(Exact(2), "e", Trace.Usage.used), (Exact(3), "e", .dropped), (Exact(3), "f", .used)])
    func `nodes that differ in anything are two`(value: Exact, entry: String, usage: Trace.Usage) throws {
        let first = try node(.input(entry: EntryID("e"), field: "grade"), 3)
        let second = try node(.input(entry: EntryID(entry), field: "grade"), value, usage: usage)
        #expect(first.number != second.number)
    }

    @Test func `a full recording records no more and says so`() throws {
        var limits = TraceLimits()
        limits.nodes = 2
        let recording = TraceRecording(within: limits)
        for value in 1...2 { #expect(recording.trace(.constant, .value(Exact(value))) != nil) }
        #expect(!recording.isFull)
        #expect(recording.trace(.constant, .value(1)) != nil)
        #expect(recording.trace(.constant, .value(3)) == nil)
        #expect(recording.isFull)
    }

    @Test func `a recording counts links too`() throws {
        var limits = TraceLimits()
        limits.links = 3
        let recording = TraceRecording(within: limits)
        let one = try #require(recording.trace(.constant, .value(1)))
        #expect(recording.trace(.sum, .value(4), [one, one, one, one]) == nil)
        #expect(recording.isFull)
    }

    @Test func `a quantity of another recording is a constant in this one`() throws {
        let foreign = Quantity(.value(5), trace: TraceRecording().trace(.assumed(entry: EntryID("e")), .value(5)))
        let own = Quantity(.value(2), trace: try node(.constant, 2))
        let sum = try #require((own + foreign).trace)
        #expect(sum.recording === recording)
        #expect(sum.children.map(\.operation) == [.constant, .constant])
        #expect(sum.reevaluated() == .value(7))
    }

    @Test func `a walk visits each node once and counts the ways to it`() throws {
        var trace = try node(.constant, 1)
        for _ in 0..<200 { trace = try node(.add, 1, [trace, trace]) }
        var visited: [Int] = []
        trace.walk { _, ways in visited.append(ways) }
        #expect(visited.count == 201)
        #expect(visited.last == 1)
        #expect(visited.first == .max)
    }

    @Test(.timeLimit(.minutes(10))) func `means within means are computed once each`() throws {
        var trace = try node(.constant, 7)
        for _ in 0..<10_000 { trace = try node(.mean, 7, [try node(.term(entry: EntryID("e")), 7, [trace])]) }
        #expect(trace.reevaluated() == .value(7))
    }

    @Test(.timeLimit(.minutes(10)), arguments: [Trace.Operation.sum, .mean])
    func `a sum of long numbers without a common factor is too precise`(operation: Trace.Operation) throws {
        let nines = String(repeating: "9", count: 120)
        let terms = try (100..<500).compactMap { Exact(ratio: "1/\(nines)\($0)") }.map { value in
            let leaf = try node(.constant, value)
            return operation == .mean ? try node(.term(entry: EntryID("e")), value, [leaf]) : leaf
        }
        #expect(terms.count == 400)
        #expect(try node(operation, 1, terms).reevaluated() == .undefined(.tooPrecise))
    }

    @Test func `what is not used counts nothing`() throws {
        let terms = [try node(.constant, 3), try node(.constant, 5, usage: .dropped)]
        #expect(try node(.sum, 0, terms).reevaluated() == .value(3))
    }

    @Test(arguments: [
        (Trace.Usage.used, Trace.Usage.used, 2), (.used, .dropped, 1), (.skipped, .used, 1), (.superseded, .dropped, 0),
    ])
    func `a fold that leaves an entry out does not use its grade`(
        first: Trace.Usage, second: Trace.Usage, uses: Int
    ) throws {
        let grade = try node(.input(entry: EntryID("e"), field: "grade"), 3)
        let folds = try [first, second].map { usage in
            try node(.mean, 3, [try node(.term(entry: EntryID("e")), 3, [grade], usage: usage)])
        }
        #expect(try node(.add, 6, folds).uses(of: [grade]) == uses)
    }
}
