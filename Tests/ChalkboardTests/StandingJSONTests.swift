import Chalkboard
import GradingKit
import SchemeTestKit
import Testing

@Suite struct StandingJSONTests {
    @Test func `a standing is written as clients read it`() throws {
        let trial = try Trial(Chalkboard.self)
        let standing = try trial.standing([Board.course("Algorithms", of: "90/100×30, 45/50×30, 180/200×40")])
        let subject = StandingSubject(record: "r1", program: "p1", programVersion: 2)
        let text = String(decoding: standing.json(of: subject, in: .english), as: UTF8.self)
        #expect(
            text
                == #"{"record":"r1","scheme":"chalkboard","program":"p1","programVersion":2,"#
                + #""figures":{"gpa":{"exact":"4","display":"4.00","scale":2,"rounding":"halfUp","band":"green","#
                + #""text":"GPA: 4.00","floor":"4.00","floorExact":"4","ceiling":"4.00","ceilingExact":"4"}},"#
                + #""entries":{"1":{"figures":{"total":{"exact":"90","display":"90.0","scale":1,"rounding":"floor","#
                + #""floor":"90.0","floorExact":"90","ceiling":"90.0","ceilingExact":"90"}},"letter":"A","#
                + #""points":"4"}},"outcomes":{},"warnings":[]}"#)
        #expect(String(decoding: standing.figureTexts, as: UTF8.self) == #"{"gpa":"4.00"}"#)
    }

    @Test func `an explanation names every input and what became of it`() throws {
        let trial = try Trial(Chalkboard.self)
        let standing = try trial.standing(
            [Board.course("Algorithms", of: "90/100×30, 45/50×30, 180/200×40")], explaining: .named(["total"]))
        let json = try JSON.parse(standing.json(of: nil, in: .english))
        #expect(json["record"] == .null)
        let traces = try #require(json["traces"])
        #expect(traces["figures"] == [:])
        let nodes = try #require(traces["nodes"]?.array)
        let total = nodes[try #require(traces["entries"]?["1"]?["total"]?.integer)]
        #expect(total["op"] == "figure")
        let sum = nodes[try #require(total["of"]?.array?.first?.integer)]
        #expect(sum["op"] == "sum")
        #expect(sum["of"]?.array?.count == 3)
        #expect(
            nodes.prefix(6).map(\.text) == [
                #"{"op":"input","value":"90","entry":"1.1","field":"points"}"#,
                #"{"op":"input","value":"100","entry":"1.1","field":"max"}"#,
                #"{"op":"divide","value":"9/10","of":[0,1]}"#,
                #"{"op":"input","value":"30","entry":"1.1","field":"weight"}"#,
                #"{"op":"multiply","value":"27","of":[2,3]}"#,
                #"{"op":"term","value":"27","entry":"1.1","of":[4]}"#,
            ])
    }

    @Test func `a figure that has not been asked for is not explained`() throws {
        let standing = try Trial(Chalkboard.self).standing([Board.course(total: "80")])
        #expect(standing.traces.isEmpty)
        #expect(standing.entries.allSatisfy { $0.traces.isEmpty })
    }
}
