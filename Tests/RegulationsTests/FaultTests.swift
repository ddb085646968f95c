import GradingKit
import Regulations
import Testing

/// What the checker says of mistakes, in words of the document.
@Suite struct FaultTests {
    private static let average = "figure average of unit in mark shown by averages = mean of grade over subject"

    @Test(arguments: [
        (
            "figure f of unit in mark shown by averages = mean of grde over subject",
            "unknown_name: there is no “grde” in subject — did you mean `grade`?"
        ),
        (
            "\(average)\nfigure f of unit in mark shown by averages = mean of average over subject",
            "unknown_name: there is no “average” in subject — `average` belongs to `unit`: write `unit.average`"
        ),
        (
            "figure f of item in percent shown by averages = score + percent",
            """
            unit_mismatch: this adds points and percent — divide the points by their maximum and write \
            `as percent`, or give both one unit
            """
        ),
        (
            "figure f of item in percent shown by averages = score / max",
            """
            unit_mismatch: the figure is in percent, its formula gives a plain number — a ratio becomes percent by \
            `as percent`
            """
        ),
        (
            "figure f in mark shown by averages = mean of grade over subject",
            """
            not_inside: subject entries do not stand in record — they stand in unit: write `of unit` behind the figure’s \
            name for a figure of each, or `over subject of unit` for those of all
            """
        ),
        (
            "\(average)\noutcome o of unit\n    needs average >= 10 else below",
            "exact_comparison: this compares the exact value, not the one that is shown — write `reaches`"
        ),
        (
            "\(average)\noutcome o of unit\n    unmet when average reaches 10 because too_good",
            """
            never_met: no line makes “o” met — say when by `met when`, or turn `unmet when` into `needs … else`
            """
        ),
        (
            "let f of subject = kind_of is exam",
            "unknown_choice: “kind_of” is never “exam” — did you mean `exams`?"
        ),
        (
            "figure f in mark shown by averages = mean of grade over subject of unit weighted by balance",
            "negative_weight: this weight may be below 0 — give its field `from 0`"
        ),
        (
            "figure f in mark shown by averages = mean of grade over subject of unit where grade >= 10",
            """
            not_monotone: a better grade can worsen this figure, because of “grade >= 10” — add `without range`
            """
        ),
        ("figur f = 1", "unknown_declaration: no declaration begins with “figur” — did you mean `figure`?"),
        (
            "outcome o\n    needs every unit where counts core else code",
            "unexpected: “core” does not belong here — `:` is expected"
        ),
        (
            "figure f of item in percnt shown by averages = percent",
            "unit_mismatch: the figure is in percnt, its formula gives percent — did you mean `percent`?"
        ),
        // What cannot be read is told once, and not wherever its name stands.
        (
            "let a = (1\nlet b = a + 1\nlet c of unit = if a > 1 then b else a",
            "unexpected: the line ends too soon — `)` is expected"
        ),
        ("let over = 1", "reserved_name: “over” is a word of the language — choose another name"),
        ("let f = 1 +", "unexpected: the line ends too soon — a value is expected"),
        ("let f = (1 + 2", "unexpected: the line ends too soon — `)` is expected"),
        ("let f = 1 2", "unexpected: “2” does not belong here"),
        ("let f of unt = 1", "unknown_kind: there is no entry “unt” — did you mean `unit`?"),
        ("let f of subject = status is abcent", "unknown_status: there is no status “abcent” — did you mean `absent`?"),
        ("let f of unit = 3 in wheight", "unknown_unit: nothing is given in “wheight” — did you mean `weight`?"),
        (
            "let f of unit = weight as weight",
            "not_a_scale: “weight” is no scale — declare `scale weight \"…\" worst … best …`"
        ),
        (
            "let f of subject = sqrt(grade)",
            "unknown_function: there is no function “sqrt” — there are `min`, `max`, `round`, and each `let` that is declared with numbers in brackets"
        ),
        ("let f of subject = code missing as worst", "type_mismatch: a number is needed here"),
        (
            "let f of subject = weight missing as worst",
            "not_a_grade: `missing as worst` is for grades, and “weight” is none"
        ),
        (
            "figure f of subject in weight shown by averages = weight otherwise ungraded",
            """
            ungraded_nowhere: `otherwise ungraded` stands in the formula of an entry’s figure that is in a scale
            """
        ),
        (
            "let f of subject = grade reaches 10",
            "reaches_needs_figure: `reaches` judges a figure as it is shown — write `>=` for other values"
        ),
        ("let f of unit = title > 3", "type_mismatch: these two cannot be compared"),
        ("let f of unit = not weight", "type_mismatch: a condition is needed here"),
        ("preset p : bat = 12", "unknown_setting: no setting is called “bat” — did you mean `bar`?"),
        ("preset p : bar = 30", "unknown_choice: “bar” is never “30”"),
        ("let core of unit = yes", "duplicate_name: “core” is declared twice"),
        ("scale odd worst 1 best 1", "empty_range: the least value lies above the greatest"),
        ("bands up in mark\n    low 5\n    high 10", "bounds_order: each bound must be worse than the one before it"),
        ("let f = 1 — 2", "unknown_symbol: “—” has no meaning here"),
        (
            "let f = 1234567890.5",
            "not_a_number: “1234567890.5” is not a number — write at most 9 digits, with a point before the decimals"
        ),
        ("let f = title = \"x", "unclosed_text: this text has no closing quotation mark"),
        ("template t\n    unit \"A\" wieght 3", "unknown_name: there is no “wieght” in unit — did you mean `weight`?"),
        (
            "template t\n    unit \"A\"",
            "template_refused: the template “t” is no record that these rules accept: This field is required at /entries/0/fields/weight"
        ),
    ])
    func `a mistake is told with what was probably meant`(rules: String, message: String) {
        #expect(Document.faults(rules).contains(message), "\(Document.faults(rules))")
    }

    @Test(arguments: [
        ("figure f of unit in mark shown by averages = mean ^grade over subject", "of", "grade"),
        ("figure f of unit in weight shown by averages = sum ^weight over subject", "of", "weight"),
        ("let f of unit = count ^subject > 1", "over", "subject"),
        ("figure f ^unit in mark shown by averages = mean of grade over subject", "of", "unit"),
        ("let f ^unit = weight", "of", "unit"),
        ("figure f ^mark shown by averages = mean of grade over subject of unit", "in", "mark"),
        ("outcome o ^unit\n    needs core else below", "of", "unit"),
        ("entry quiz\n    grade letter ^letters", "of", "letters"),
        ("entry quiz\n    sort one ^paper, exam", "of", "paper"),
        ("entry quiz\n    score grade out ^top\n    top number", "of", "top"),
    ])
    func `a forgotten word is named before the one that it precedes, with the edit that writes it`(
        rules: String, word: String, found: String
    ) throws {
        let text = Document.text(rules)
        let place = try #require(text.firstIndex(of: "^"))
        let plain = Array(text.replacing("^", with: "").utf8)
        let fault = try #require(Regulation(plain).faults.first)
        #expect(fault.message(in: .english) == "`\(word)` is missing before “\(found)”")
        let start = text[..<place].utf8.count
        #expect(fault.fix?.range == start..<start)
        #expect(fault.fix?.replacement == "\(word) ")
        var mended = plain
        mended.insert(contentsOf: Array("\(word) ".utf8), at: start)
        #expect(Regulation(mended).faults.filter { !$0.isWarning } == [])
    }

    @Test func `what needs itself is shown with its way`() {
        let faults = Document.faults(
            "figure a in mark shown by averages = b\nfigure b in mark shown by averages = a\nlet c = c + 1")
        #expect(
            faults == [
                "circular: “b” needs itself, through “a”, “b”", "circular: “c” needs itself, through “c”",
            ])
        #expect(
            Document.faults("entry left in right\n    t text\nentry right in left\n    t text") == [
                "circular: “left” needs itself, through “right”"
            ])
    }

    @Test func `all faults are found at once, each at its place`() throws {
        let regulation = Document.regulation(
            """
            let first of subject = grde
            let second of subject = kind_of is exam
            figure f in mark shown by averges = 10
            """)
        #expect(regulation.rulebook == nil)
        #expect(regulation.faults.map(\.code) == ["unknown_name", "unknown_choice", "unknown_rounding"])
        let text = Document.text("")
        let first = text.split(separator: "\n", omittingEmptySubsequences: false).count - 2
        #expect(regulation.faults.map(\.line) == [first, first + 1, first + 2])
        #expect(regulation.faults.map(\.column) == [24, 36, 27])
    }

    @Test func `a fix is an edit of the text that mends the fault`() throws {
        let text = Document.text(
            """
            figure average of unit in mark shown by averages = mean of grade over subject
            let a of subject = grde
            let c of subject = average
            outcome o of unit
                needs average >= 10 else below
            """)
        var bytes = Array(text.utf8)
        let faults = Regulation(bytes).faults
        #expect(faults.compactMap(\.fix).count == 3)
        for fix in faults.compactMap(\.fix).sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
            bytes.replaceSubrange(fix.range, with: Array(fix.replacement.utf8))
        }
        #expect(Regulation(bytes).faults == [])
    }

    @Test func `faults are worded in three languages`() {
        let rules = "let a of subject = grde"
        #expect(
            Document.faults(rules, in: .french) == [
                "unknown_name: il n’y a pas de « grde » dans subject — vouliez-vous dire `grade` ?"
            ])
        #expect(
            Document.faults(rules, in: .simplifiedChinese) == [
                "unknown_name: subject 中没有“grde”——是否想写 `grade`？"
            ])
    }

    @Test func `control characters and what turns the text around are faults anywhere`() {
        let text = Document.text("").replacing("Prose.", with: "Pro\u{202E}se.\u{7}")
        let faults = Regulation(Array(text.utf8)).faults
        #expect(faults.map(\.code) == ["unreadable_character", "unreadable_character"])
        #expect(faults.first.map { "\($0.line):\($0.column)" } == "3:4")
        #expect(Regulation([0x23, 0xFF, 0xFE]).faults.contains { $0.code == "unreadable_character" })
    }

    @Test func `a document without rules says so`() {
        #expect(Regulation(Array("# Prose".utf8)).faults.map(\.code) == ["no_rules"])
        #expect(Regulation([]).rulebook == nil)
        #expect(Regulation(Array("```rules\nlet a = 1\n```".utf8)).faults.map(\.code) == ["no_regulation"])
        #expect(
            Regulation(Array("```rules\nregulation a \"A\" language 2".utf8)).faults.map(\.code).sorted() == [
                "unclosed_block", "unknown_language",
            ])
    }
}
