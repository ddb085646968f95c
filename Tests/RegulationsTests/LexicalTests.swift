import GradingKit
import Regulations
import Testing

/// What is written as in a word processor, or as in another language, is told with what mends it, and read as it is meant.
@Suite struct LexicalTests {
    private static let heading = """
        regulation test "Test" language 1
        rounding shown half up, 2 decimals, judged exactly
        entry module "Module" statuses excused
            title text
            credits number in credits from 0
            mark grade in percent
        """

    private func faults(_ rules: String, heading: String = heading) -> [String] {
        Document.faults(rules, heading: heading)
    }

    /// The document with all fixes carried out.
    private func mended(_ rules: String) -> String {
        let text = Document.text(rules, heading: Self.heading)
        let fixes = Regulation(Array(text.utf8)).faults.compactMap(\.fix).sorted {
            $0.range.lowerBound > $1.range.lowerBound
        }
        var bytes = Array(text.utf8)
        for fix in fixes { bytes.replaceSubrange(fix.range, with: Array(fix.replacement.utf8)) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("let good of module = mark ≥ 50", "≥", ">="), ("let good of module = mark ≤ 50", "≤", "<="),
        ("let good of module = mark ≠ 50", "≠", "<>"), ("let good of module = mark != 50", "!=", "<>"),
        ("let good of module = mark == 50", "==", "="), ("let good of module = mark => 50", "=>", ">="),
        ("let less of module = mark − 1", "−", "-"), ("let more of module = mark × 2", "×", "*"),
        ("let half of module = mark ÷ 2", "÷", "/"), ("let good of module = mark > 50 && credits > 1", "&&", "and"),
        ("let more of module = max（mark, 2)", "（", "("), ("let more of module = max(mark， 2)", "，", ","),
    ])
    func `a sign is told as it is written here`(rules: String, sign: String, meant: String) {
        #expect(faults(rules) == ["typographic: “\(sign)” is written `\(meant)` here"])
        #expect(Regulation(Array(mended(rules).utf8)).faults.map(\.code) == [])
    }

    @Test(arguments: ["“Good”", "„Gut“", "«\u{a0}Bon\u{a0}»", "「好」", "”God”"])
    func `so are quotation marks, and the text is kept`(text: String) {
        let rules = "figure good of module in percent \(text) shown by shown = mark"
        #expect(faults(rules) == ["typographic: texts stand in straight quotation marks, `\"…\"`"])
        let plain = text.filter { $0.isLetter }
        #expect(mended(rules).contains("in percent \"\(plain)\" shown by"))
        #expect(Regulation(Array(mended(rules).utf8)).faults.map(\.code) == [])
    }

    @Test func `a quotation that is not closed has no fix`() {
        #expect(mended("figure good of module in percent “Good = mark").contains("“Good"))
    }

    @Test(arguments: [
        ("setting bar in percent = 49,5 from 0 to 100", "49,5", "49.5"),
        ("let less of module = mark - 0,5", "0,5", "0.5"),
        ("bands letters in percent worth gp\n    A 90 4,0\n    F 0 0", "4,0", "4.0"),
    ])
    func `decimals stand behind a point`(rules: String, found: String, meant: String) {
        #expect(faults(rules) == ["decimal_comma: “\(found)” is no number — decimals stand behind a point"])
        #expect(mended(rules).contains(meant))
        #expect(Regulation(Array(mended(rules).utf8)).faults.map(\.code) == [])
    }

    @Test func `two numbers that may be meant as one are warned of`() {
        #expect(
            faults("let less of module = max(mark, 0,5)") == [
                "decimal_comma: “0,5” is two numbers — write `0.5` for one, or a space behind the comma"
            ])
        #expect(faults("let less of module = max(mark, 0, 5)") == [])
    }

    @Test(arguments: [
        "max(1, 2, 3)", "max(1,2,3)", "min(9,5)", "min(mark,9,5)", "max(mark , 0, 5)", "round(mark, shown)",
        "round(mark,shown)", "max(min(1,2), 3)", "max(1,2) + 3",
    ])
    func `a comma between the arguments of a function separates`(formula: String) {
        #expect(faults("let less of module = \(formula)") == [])
    }

    @Test(arguments: ["max((9,5), mark)", "max(mark, 9,5 * 2)", "max(mark, 9,5)", "(9,5) + max(1,2)"])
    func `a number with a comma that stands alone is told`(formula: String) {
        #expect(faults("let less of module = \(formula)").map { $0.prefix(21) } == ["decimal_comma: “9,5” "])
    }

    @Test func `however much is warned of, the document is read to its end`() {
        let warned = (0..<300).map { "let a\($0) of module = max(mark, 0,\($0 % 9 + 1))" }.joined(separator: "\n")
        #expect(faults(warned).count == 100)
        #expect(faults(warned + "\nlet z = nothing").last?.hasPrefix("unknown_name") ?? false)
    }

    @Test func `lines that lost their indentation are read where they belong`() {
        let heading = """
            regulation test "Test" language 1
            rounding shown half up, 2 decimals, judged exactly
            entry module "Module" statuses excused
            title text
            credits number in credits from 0
            mark grade in percent
            """
        let rules = """
            figure mean_mark in percent shown by shown = mean of mark over module weighted by credits
            outcome passed "Passed"
            needs mean_mark >= 50 else too_low
            texts
            too_low "Too low"
            """
        let told = Array(repeating: "unexpected_margin: this line belongs to `entry` — indent it", count: 3)
        let others = ["outcome", "texts"].map { "unexpected_margin: this line belongs to `\($0)` — indent it" }
        #expect(faults(rules, heading: heading) == told + others)
        let text = Document.text(rules, heading: heading)
        let fixes = Regulation(Array(text.utf8)).faults.compactMap(\.fix)
        #expect(fixes.count == 5)
        #expect(fixes.allSatisfy { $0.replacement == "    " })
    }

    @Test func `a line is indented as those beside it`() {
        let rules = "outcome passed\n  awaits any module else none\nneeds every module : mark >= 50 else too_low"
        #expect(faults(rules) == ["unexpected_margin: this line belongs to `outcome` — indent it"])
        #expect(mended(rules).contains("\n  needs every module"))
        #expect(Regulation(Array(mended(rules).utf8)).faults.map(\.code) == [])
    }

    @Test(arguments: [
        ("let good of module = mark >= 50&&credits > 1", "50 and credits"),
        ("let good of module = mark >= 50 ||counts", "50 or counts"),
        ("– a remark\nlet good of module = mark", "-- a remark"),
        ("— a remark\nlet good of module = mark", "-- a remark"),
        ("texts\n    none “Nothing”\n“A” ‘B’", "    \"A\" \"B\""),
    ])
    func `a fix leaves no other fault behind it`(rules: String, part: String) {
        let text = mended(rules)
        #expect(text.contains(part), "\(text)")
        let left = Regulation(Array(text.utf8)).faults.map(\.code).filter {
            $0 == "typographic" || $0 == "unexpected_margin"
        }
        #expect(left == [])
    }

    @Test func `no fix cuts a word at its apostrophe`() {
        #expect(mended("figure good of module in percent ‘l’oral’ shown by shown = mark").contains("‘l’oral’"))
    }

    @Test func `a misspelt declaration is none of the lines above it`() {
        #expect(
            faults("outcom passed = 1") == [
                "unknown_declaration: no declaration begins with “outcom” — did you mean `outcome`?"
            ])
    }

    @Test func `what a line lacks at its end is told, and not that nothing is misplaced`() {
        #expect(faults("let good of module =") == ["unexpected: the line ends too soon — a value is expected"])
        #expect(
            Document.faults("let good of module =", heading: Self.heading, in: .french) == [
                "unexpected: la ligne s’arrête trop tôt — une valeur est attendue"
            ])
        #expect(
            Document.faults("let good of module =", heading: Self.heading, in: .simplifiedChinese) == [
                "unexpected: 此行过早结束——应为数值"
            ])
    }

    @Test(arguments: [
        ("grade in prcent", "unknown_unit"), ("number in", "unexpected"), ("grade out of maximum", "unknown_name"),
        ("letter of letters", "unknown_bands"),
    ])
    func `a field that is wrong is told once, and not wherever it is named`(type: String, code: String) {
        let heading = Self.heading.replacingMark(by: type)
        let rules = """
            let double of module = mark * 2
            figure mean_mark in percent shown by shown = mean of mark over module
            outcome passed "Passed"
                needs every module : mark >= 50 else too_low
            """
        #expect(faults(rules, heading: heading).count == 1, "\(faults(rules, heading: heading))")
    }

    @Test func `a let that asks for the entry outside is refused, for there is none`() {
        let rules = """
            let better of module = mark > module.mark
            """
        #expect(
            faults(rules) == [
                """
                outer_in_let: a `let` of module knows one module only, so `module.mark` is its own mark — write `mark`, \
                and compare with another module behind `where`
                """
            ])
    }

    @Test func `no fix makes a figure of one entry a sum over all`() {
        let rules = "figure part in percent shown by shown = mean of score over item"
        let heading = Self.heading + "\nentry item in module\n    title text\n    score grade in percent"
        let found = Regulation(Array(Document.text(rules, heading: heading).utf8)).faults
        #expect(found.map(\.code) == ["not_inside"])
        #expect(found.allSatisfy { $0.fix == nil })
    }
}

extension String {
    fileprivate func replacingMark(by type: String) -> String {
        var lines = split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        lines[lines.count - 1] = "    mark " + type
        return lines.joined(separator: "\n")
    }
}
