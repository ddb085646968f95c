import GradingKit
import Regulations
import SchemeTestKit
import Testing

/// Whatever the text, there is a rulebook or a list of faults: never a trap, and never more work than a document may
/// cost.
@Suite struct HostileTests {
    private func codes(_ rules: String) -> Set<String> {
        Set(Document.regulation(rules).faults.map(\.code.text))
    }

    private static func chain(_ part: String, _ count: Int) -> String {
        "let f = " + Array(repeating: part, count: count).joined(separator: " ")
    }

    @Test(arguments: [
        ("(", 50_000), ("-", 50_000), ("not", 50_000), ("if", 50_000), ("max(", 40_000), ("sum of", 30_000),
        ("1 * -", 30_000), ("every unit :", 15_000),
    ])
    func `what nests without end is one fault`(part: String, count: Int) {
        // Two minus signs without a space between them would begin a comment.
        let found = codes(Self.chain(part, count))
        #expect(found == ["too_deep"] || found == ["formula_too_long"], "\(found)")
    }

    @Test(arguments: ["1 +", "1 *", "1 or", "1 and", "1 otherwise", "1 as percent", "weight /"])
    func `a chain without end is one fault`(part: String) {
        let found = codes(Self.chain(part, 20_000) + " 1")
        #expect(found.count == 1 && found.isSubset(of: ["formula_too_long", "unexpected"]), "\(found)")
    }

    @Test func `names that double each other are counted before they are written in place`() {
        var rules = ["let a0 = 1"]
        for number in 1...60 { rules.append("let a\(number) = a\(number - 1) + a\(number - 1)") }
        #expect(codes(rules.joined(separator: "\n")).isSubset(of: ["formula_too_long", "too_deep", "too_much"]))
        #expect(!codes(rules.joined(separator: "\n")).isEmpty)
    }

    @Test func `figures that need each other in a long chain are computed or refused`() throws {
        func chain(_ count: Int, _ wrap: (String) -> String) -> String {
            (0..<count).map { number in
                let next = number + 1 < count ? "f\(number + 1)" : "10"
                return "figure f\(number) in mark shown by averages without range = \(wrap(next))"
            }.joined(separator: "\n")
        }
        let rules = try #require(Document.regulation(chain(250) { $0 }).rulebook)
        #expect(try rules.standing(of: rules.emptyRecord).figure("f0")?.display == "10.00")
        #expect(codes(chain(250) { Array(repeating: "- ", count: 38).joined() + $0 }) == ["too_deep"])
    }

    @Test func `many formulas together are counted too`() {
        var rules = ["let a0 = 1"]
        for number in 1...6 { rules.append("let a\(number) = a\(number - 1) + a\(number - 1)") }
        for number in 0..<40 {
            rules.append("outcome o\(number)")
            rules += (0..<50).map { _ in "    needs a6 > 0 else no_reason" }
        }
        #expect(codes(rules.joined(separator: "\n")) == ["too_much"])
        #expect(codes("outcome o\n" + String(repeating: "    needs bar > 0 else x\n", count: 65)) == ["too_many"])
    }

    @Test func `great templates are not computed with every formula, nor worked without end`() {
        let template = "template t\n" + (0..<900).map { "    unit \"\($0)\" weight 1" }.joined(separator: "\n")
        #expect(codes(template) == [])
        let lines = (0..<300).map { "    unit \"\($0)\" weight 1" }.joined(separator: "\n")
        let many = (0..<12).map { "template t\($0)\n" + lines }
        let deep = "check record any unit : (any unit of record : weight < 0) else x"
        let bounded = Document.heading.replacing("entry unit ", with: "entry unit at most 300 ")
        let text = Document.text((many + [deep]).joined(separator: "\n"), heading: bounded)
        #expect(Set(Regulation(Array(text.utf8)).faults.map(\.code)).contains("too_much"))
        let examples = (0..<100).map { "example e\($0)\n    template t\n    expect refused x" }
        #expect(codes(([template] + examples).joined(separator: "\n")) == ["too_much"])
    }

    @Test func `folds nest three deep`() {
        let nested = """
            let deep = any unit : (any subject : (any subject of unit : (any subject of unit : code is known)))
            """
        #expect(codes(nested) == ["too_deep"])
    }

    @Test func `lists have limits`() {
        let kinds = (0..<70).map { "entry k\($0)\n    t text" }.joined(separator: "\n")
        #expect(codes(kinds) == ["too_many"])
        let fields = "entry k\n" + (0..<70).map { "    f\($0) text" }.joined(separator: "\n")
        #expect(codes(fields) == ["too_many"])
        let figures = (0..<300).map { "hidden figure f\($0) = 1" }.joined(separator: "\n")
        #expect(codes(figures) == ["too_many"])
        let bands = "bands many in mark\n" + (0..<60).map { "    b\($0) \(100 - $0)" }.joined(separator: "\n")
        #expect(codes(bands) == ["too_many"])
        let nested =
            "template t\n"
            + (0..<60).map { String(repeating: " ", count: $0 + 1) + "unit \"A\"" }
            .joined(separator: "\n")
        #expect(codes(nested) == ["too_deep"])
        #expect(codes("let \(String(repeating: "a", count: 5_000)) = 1") == ["name_too_long"])
    }

    @Test func `a document that is too long is not read`() {
        let text = Document.text("", heading: String(repeating: "(", count: 300 << 10))
        #expect(Regulation(Array(text.utf8)).faults.map(\.code) == ["document_too_long"])
        let many = String(repeating: "x\n", count: 120 << 10)
        #expect(Regulation(Array(Document.text(many).utf8)).faults.count == 200)
    }

    @Test func `kinds that stand in each other deeply are refused`() {
        let kinds = (1...12).map { "entry k\($0) in k\($0 - 1)\n    t text" }.joined(separator: "\n")
        #expect(codes("entry k0\n    t text\n" + kinds) == ["too_deep"])
    }

    @Test(arguments: ["iut", "rose-hulman"])
    func `any word deleted, doubled or swapped leaves rules or faults`(name: String) throws {
        // One in a few: a check takes many times as long in a build for tests. Each seed begins at another word.
        let words = try Document.shipped(name).split(separator: " ", omittingEmptySubsequences: false)
        var judged = 0
        let places = Seeds.few(1).flatMap { stride(from: Int($0) % 23, to: words.count - 1, by: 23) }
        for place in places {
            for change in 0..<3 {
                var changed = words
                switch change {
                case 0: changed.remove(at: place)
                case 1: changed.insert(changed[place], at: place)
                default: changed.swapAt(place, place + 1)
                }
                let regulation = Regulation(Array(changed.joined(separator: " ").utf8))
                #expect(regulation.rulebook != nil || regulation.faults.contains { !$0.isWarning })
                judged += 1
            }
        }
        #expect(judged > 70)
    }

    @Test(arguments: ["999999999", "1 / 999999999", "0 - 999999999", "weight"])
    func `figures that square each other cost no more than their number`(first: String) {
        var rules = ["figure f0 shown by averages without range = \(first)"]
        for number in 1...200 {
            rules.append("figure f\(number) shown by averages without range = f\(number - 1) * f\(number - 1)")
        }
        let read = Document.regulation(rules.joined(separator: "\n"))
        #expect(read.rulebook != nil || !read.faults.isEmpty)
    }

    @Test func `a block without declarations has no regulation`() {
        #expect(Regulation(Array("```rules\n```\n".utf8)).faults.map(\.code.text) == ["no_regulation"])
    }

    @Test func `any bytes are rules or faults`() throws {
        var dice = SystemDice(state: 7)
        let text = Array(try Document.shipped("rose-hulman").utf8)
        for _ in 0..<200 {
            var bytes = text
            for _ in 0..<20 {
                let place = Int(dice.next() % UInt64(bytes.count))
                bytes[place] = UInt8(truncatingIfNeeded: dice.next())
            }
            let cut = Array(bytes.prefix(Int(dice.next() % UInt64(bytes.count))))
            #expect(Regulation(cut).rulebook != nil || !Regulation(cut).faults.isEmpty)
        }
    }
}

/// The same numbers in every run.
private struct SystemDice {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 17
    }
}
