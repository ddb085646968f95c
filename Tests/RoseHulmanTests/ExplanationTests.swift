@testable import GradingKit
import RoseHulman
import SchemeTestKit
import Testing

/// How explanations grow with a record, and what becomes of those that grow too large.
@Suite struct ExplanationTests {
    /// One course whose one category has that many items.
    private static func widest(_ items: Int) -> [JSON] {
        let items = (1...items).map { "\($0 % 90 + 1)/100" }.joined(separator: ", ")
        return [Transcript.course("exams 100 [\(items)]")]
    }

    private static func traces(of standing: Standing) throws -> JSON {
        try #require(try JSON.parse(standing.json(of: nil, in: .english))["traces"])
    }

    @Test func `twice as many items take twice as many nodes`() throws {
        let trial = try Trial(RoseHulman.self)
        let counts = try [100, 200, 400].map { items in
            let traces = try Self.traces(of: try trial.standing(Self.widest(items), explaining: .all))
            return try #require(traces["nodes"]?.array?.count)
        }
        #expect(counts[1] - counts[0] == 100 * ((counts[2] - counts[1]) / 200))
        #expect(counts[2] < 400 * 16)
    }

    @Test func `all figures of a record of the greatest size are explained within the limit`() throws {
        let standing = try Trial(RoseHulman.self).standing(Self.widest(998), explaining: .all)
        #expect(standing.json(of: nil, in: .english).count < TraceLimits().bytes)
        #expect(standing.entries.count { !$0.traces.isEmpty } == 1_000)
    }

    @Test func `every explanation gives its figure`() throws {
        let standing = try Trial(RoseHulman.self).standing(Self.widest(50), explaining: .all)
        for entry in standing.entries {
            for (name, trace) in entry.traces {
                #expect(trace.reevaluated() == entry.figures.first { $0.name == name }?.current)
            }
        }
        for (name, trace) in standing.traces { #expect(trace.reevaluated() == standing.figure(name)?.current) }
    }

    @Test func `one figure of one entry is explained by what it is made of alone`() throws {
        let standing = try Trial(RoseHulman.self).standing(
            [Transcript.course("exams 50 [80/100]; labs 50 [90/100]")], explaining: .named(["percent@1.2"]))
        let traces = try Self.traces(of: standing)
        #expect(traces["figures"] == [:])
        #expect(traces["entries"]?.object?.map(\.name) == ["1.2"])
        #expect(traces["nodes"]?.array?.contains { $0["entry"] == "1.1.1" } == false)
    }

    @Test func `a family is explained under the names of its members`() throws {
        let entries = [Transcript.course(grade: "95"), Transcript.course(grade: "85", term: "2021.1")]
        let trial = try Trial(RoseHulman.self)
        func explained(_ names: String...) throws -> [String] {
            try trial.standing(entries, explaining: .named(Set(names))).traces.map(\.figure)
        }
        #expect(try explained("term") == ["term:2022.1", "term:2021.1"])
        #expect(try explained("term:2021.1") == ["term:2021.1"])
        #expect(try explained("nothing") == [])
    }

    @Test func `children come before what is made of them, and a scale stands once`() throws {
        let entries = (1...3).map { Transcript.course(grade: "\(60 + $0)", number: "MA \($0)") }
        let traces = try Self.traces(of: try Trial(RoseHulman.self).standing(entries, explaining: .named(["gpa"])))
        let nodes = try #require(traces["nodes"]?.array)
        for (number, node) in nodes.enumerated() {
            for child in node["of"]?.array ?? [] { #expect((child.integer ?? number) < number) }
        }
        #expect(nodes.filter { $0["op"] == "bands" }.map { $0["scale"] } == [0, 0, 0])
        #expect(traces["scales"]?.array?.count == 1)
        #expect(traces["figures"]?["gpa"]?.integer == nodes.count - 1)
    }

    private static func fault(_ limits: TraceLimits, explaining traced: TraceSelection) throws -> Fault {
        let trial = try Trial(RoseHulman.self)
        var rules = trial.rules
        rules.traceLimits = limits
        let tree = try trial.record(Self.widest(20))
        let error = #expect(throws: FaultList.self) { try rules.standing(of: tree, explaining: traced) }
        return try #require(error?.faults.first)
    }

    @Test(arguments: [
        (TraceSelection.all, "trace_too_large", "gpa"),
        (.named(["effectiveWeight", "percent"]), "trace_too_large", "percent"),
        (.named(["effectiveWeight"]), "trace_too_large", "effectiveWeight@1.1"),
        (.named(["effectiveWeight@1.1.7"]), "figure_too_large", "effectiveWeight"),
    ])
    func `an explanation that is too large names what to ask for`(
        traced: TraceSelection, code: String, figure: String
    ) throws {
        var nodes = TraceLimits()
        nodes.nodes = 10
        var bytes = TraceLimits()
        bytes.bytes = 100
        for limits in [nodes, bytes] {
            let fault = try Self.fault(limits, explaining: traced)
            #expect(fault.code.text == code)
            #expect(fault.arguments["figure"] == .string(figure))
        }
    }
}
