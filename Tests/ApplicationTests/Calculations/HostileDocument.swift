import GradingKit
import Testing

/// Documents of up to 200 kB that ask for as much as they can.
struct HostileDocument: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String
    /// The code of the first fault; `nil` for a document that is rules, whose records are judged.
    let fault: FaultCode?

    var testDescription: String { name }

    private init(_ name: String, _ rules: String, heading: String = heading, refusedFor fault: FaultCode? = nil) {
        self.name = name
        self.fault = fault
        text = "# Article\n\nProse.\n\n```rules\n\(heading)\n\(rules)\n```\n"
    }

    private static let heading = """
        regulation test "Test" language 1
        scale mark "/20" worst 0 best 20 step 0.01
        rounding averages half up, 2 decimals, judged as shown
        setting bar in mark = 10 from 0 to 20 "Bar"
        entry unit statuses excused, pending
            title text
            weight number in weight from 0
            core yes/no optional
        entry subject in unit statuses excused, absent, pending
            title text
            weight number in weight from 0
            grade grade in mark
            code text optional
        """

    private static let bounded = heading.replacing("entry unit ", with: "entry unit at most 8 ")
        .replacing("entry subject in unit ", with: "entry subject in unit at most 30 ")

    private static func lines(_ count: Int, _ line: (Int) -> String) -> String {
        (0..<count).map(line).joined(separator: "\n")
    }

    /// A declaration with as many lines in it.
    private static func nest(_ count: Int, _ inner: Int, _ head: (Int) -> String, _ line: (Int, Int) -> String)
        -> String
    {
        lines(count) { number in ([head(number)] + (0..<inner).map { line(number, $0) }).joined(separator: "\n") }
    }

    private static func chain(_ part: String, _ count: Int, by separator: String) -> String {
        Array(repeating: part, count: count).joined(separator: separator)
    }

    private static func figure(
        _ name: String, of kind: String? = nil, in unit: String? = nil, _ formula: String
    ) -> String {
        let (kind, unit) = (kind.map { " of " + $0 } ?? "", unit.map { " in " + $0 } ?? "")
        return "figure \(name)\(kind)\(unit) shown by averages without range = \(formula)"
    }

    static let all: [HostileDocument] = outcomes + figures + refusals + lists + texts + nested

    private static let outcomes = [
        HostileDocument(
            "outcomes of many needs",
            nest(60, 50) {
                "outcome o\($0)"
            } _: {
                "    needs bar > \($1 % 20) else no_reason_\($0)"
            }),
        HostileDocument(
            "outcomes of a code each",
            nest(250, 20) {
                "outcome o\($0)"
            } _: {
                "    needs bar > \($1) else no_\($0)_\($1)"
            }),
        HostileDocument(
            "outcomes of units",
            nest(30, 50) {
                "outcome o\($0) of unit"
            } _: {
                "    needs weight > 1/\($1 + 1) else few_\($0)_\($1)"
            },
            heading: bounded),
        HostileDocument(
            "outcomes over subjects",
            nest(4, 50) {
                "outcome o\($0) of unit"
            } _: { _, _ in
                "    needs every subject : grade > 10 else low"
            },
            heading: bounded),
        HostileDocument(
            "outcomes that wait",
            nest(4, 50) {
                "outcome o\($0) of subject"
            } _: {
                "    awaits grade > \($1 % 20) else later_\($1)_\($0)"
            },
            heading: bounded),
        HostileDocument(
            "outcomes on outcomes",
            "outcome o0\n    needs bar > 1 else x\n"
                + nest(250, 1) {
                    "outcome o\($0 + 1)"
                } _: { number, _ in
                    "    needs o\(number) is met else x"
                }),
        HostileDocument(
            "outcomes with values",
            nest(60, 30) {
                "outcome o\($0)"
            } _: {
                "    met V\($1) \"Value \($1)\" when bar > \($1)"
            }),
        HostileDocument(
            "folds in folds",
            nest(20, 20) {
                "outcome o\($0)"
            } _: {
                "    needs every unit : (any subject of unit : grade > \($1)) else e_\($0)_\($1)"
            },
            heading: bounded),
    ]

    private static let figures = [
        HostileDocument(
            "figures", lines(250) { figure("f\($0)", in: "weight", "mean of weight over unit weighted by weight") }),
        HostileDocument(
            "figures of units",
            lines(20) { figure("f\($0)", of: "unit", in: "mark", "mean of grade over subject weighted by weight") },
            heading: bounded),
        HostileDocument(
            "figures on figures", lines(250) { "hidden figure f\($0) = " + ($0 < 249 ? "f\($0 + 1)" : "1") }),
        HostileDocument(
            "figures that double", lines(60) { "hidden figure f\($0) = " + ($0 < 59 ? "f\($0 + 1) + f\($0 + 1)" : "1") }
        ),
        HostileDocument(
            "figures that square",
            figure("f0", "999999999") + "\n" + lines(200) { figure("f\($0 + 1)", "f\($0) * f\($0)") }),
        HostileDocument("long sums", lines(50) { "hidden figure f\($0) = " + chain("bar in plain", 120, by: " + ") }),
        HostileDocument("long products", lines(100) { "hidden figure f\($0) = " + chain("1", 160, by: " * ") }),
        HostileDocument("long choices", lines(100) { "hidden figure f\($0) = " + chain("0", 200, by: " otherwise ") }),
        HostileDocument(
            "sums over entries",
            lines(38) { "hidden figure f\($0) in weight = " + chain("(sum of weight over unit)", 20, by: " + ") }),
        HostileDocument(
            "conditions", lines(60) { "hidden figure f\($0) = " + chain("if bar > 1 then 1 else", 35, by: " ") + " 2" }),
        HostileDocument(
            "without the worst",
            lines(60) {
                figure("f\($0)", of: "unit", in: "mark", "mean of grade over subject without worst 5 by grade")
            },
            heading: bounded),
        HostileDocument("names", lines(250) { "let l\($0) = 1 + " + chain("1", 200, by: " + ") }),
        HostileDocument(
            "names in names", "let l0 = 1\n" + lines(60) { "let l\($0 + 1) = l\($0) + l\($0)" },
            refusedFor: "formula_too_long"),
    ]

    private static let refusals = [
        HostileDocument("checks that refuse all", lines(250) { "check unit weight > \($0 + 1000000) else w_\($0)" }),
        HostileDocument("checks of subjects", lines(250) { "check subject weight > \($0 + 1000000) else w_\($0)" }),
        HostileDocument("checks that refuse some", lines(250) { "check unit weight > 1/\($0 + 2) else w_\($0)" }),
        HostileDocument(
            "one check of many", "check record any unit : (any unit of record : weight < 0) else none",
            heading: bounded),
        HostileDocument("warnings", lines(250) { "warn unit weight >= 0 because w_\($0)" }),
        HostileDocument("warnings of subjects", lines(250) { "warn subject weight >= 0 because w_\($0)" }),
        HostileDocument(
            "warnings with words",
            lines(100) { "warn unit weight >= 0 because long_\($0)" } + "\ntexts\n"
                + lines(100) { "    long_\($0) \"" + String(repeating: "{title} ", count: 30) + "\"" }),
        HostileDocument(
            "words that are not there",
            nest(250, 1) {
                "hidden figure f\($0)"
            } _: { number, _ in
                "    = " + chain("no_such_name_\(number)", 40, by: " + ")
            },
            refusedFor: "unknown_name"),
        HostileDocument("the same name", lines(8_000) { _ in "hidden figure f = 1" }, refusedFor: "duplicate_name"),
        HostileDocument("wrong lines", chain("x", 90_000, by: "\n"), refusedFor: "unexpected_margin"),
        HostileDocument("misspelt lines", chain("figur", 40_000, by: "\n"), refusedFor: "unknown_declaration"),
        HostileDocument(
            "signs of a word processor", chain("let a = 1 ≤ 2", 12_000, by: "\n"), refusedFor: "typographic"),
        HostileDocument("quotations without end", "let a = " + chain("“", 50_000, by: " "), refusedFor: "typographic"),
        HostileDocument(
            "decimal commas", "let a = max(" + chain("9,5", 60_000, by: ",") + ")", refusedFor: "formula_too_long"),
        HostileDocument("unique texts", "entry club\n    name text unique\nentry member in club\n    name text unique"),
    ]

    private static let lists = [
        HostileDocument(
            "kinds",
            nest(60, 50) {
                "entry k\($0)"
            } _: {
                "    f\($1) text optional"
            }),
        HostileDocument(
            "kinds in themselves", lines(8) { "entry k\($0) nested 8 deep\n    title text\n    w number from 0" }),
        HostileDocument(
            "choices",
            nest(50, 1) {
                "entry z\($0)"
            } _: { _, _ in
                "    f one of " + lines(90) { "x\($0)" }.replacing("\n", with: ", ")
            }),
        HostileDocument(
            "bands",
            nest(60, 45) {
                "bands b\($0) in mark"
            } _: {
                "    x\($1) \(46 - $1)"
            }),
        HostileDocument(
            "curves",
            nest(60, 100) {
                "curve c\($0) from mark to percent"
            } _: {
                "    \($1)/10 \($1)"
            } + "\n" + lines(20) { figure("f\($0)", of: "subject", in: "percent", "grade through c\($0)") }),
        HostileDocument(
            "tables",
            nest(4, 40) {
                "table t\($0)\n          " + lines(50) { "c\($0)" }.replacing("\n", with: " ")
            } _: { number, row in
                "    r\(row) " + chain("1.25", 50, by: " ")
            }),
        HostileDocument(
            "a wide table",
            "table t\n      " + lines(25_000) { "c\($0)" }.replacing("\n", with: " ") + "\n    r "
                + chain("1", 25_000, by: " "),
            refusedFor: "too_many"),
        HostileDocument("settings", lines(120) { "setting s\($0) in mark = 10 from 0 to 20 \"S\"" }),
        HostileDocument(
            "presets",
            lines(60) { "setting s\($0) in mark = 10 from 0 to 20 \"S\"" } + "\n"
                + lines(60) { preset in
                    "preset p\(preset) \"P\" : " + lines(60) { "s\($0) = \(preset % 20)" }.replacing("\n", with: ", ")
                }),
        HostileDocument("statuses", lines(30) { "status s\($0) \"Status\" average 40% attempted" }),
        HostileDocument("earlier records", lines(8) { "earlier y\($0) \"Year\"" }),
        HostileDocument(
            "groups",
            lines(20) {
                "group g\($0) of subject by code \"Group\"\n"
                    + figure("a\($0)", of: "g\($0)", in: "mark", "mean of grade over subject")
            }),
        HostileDocument(
            "templates",
            nest(60, 14) {
                "template t\($0)"
            } _: {
                "    unit \"U\($1)\" weight 1"
            }),
        HostileDocument(
            "a great template",
            nest(1, 900) {
                "template t\($0)"
            } _: {
                "    unit \"U\($1)\" weight 1"
            }),
        HostileDocument(
            "examples",
            "template t\n    unit \"A\" weight 1\n"
                + lines(300) { "example e\($0)\n    template t\n    expect refused x" }),
    ]

    private static let texts = [
        HostileDocument(
            "long words",
            lines(250) { "warn unit weight >= 0 because code_\($0)" } + "\ntexts\n"
                + lines(250) { "    code_\($0) \"\(String(repeating: "x", count: 700))\"" }),
        HostileDocument(
            "labels", lines(250) { "figure f\($0) \"\(String(repeating: "é", count: 300))\" shown by averages = 1" }),
        HostileDocument("comments", chain("-- " + String(repeating: "c", count: 90), 2_000, by: "\n")),
        HostileDocument(
            "a long name", "let \(String(repeating: "a", count: 190_000)) = 1", refusedFor: "name_too_long"),
        HostileDocument("open quotes", "let a = " + chain("\"x", 60_000, by: ""), refusedFor: "unexpected"),
        HostileDocument("other scripts", String(repeating: "\u{1F600}", count: 45_000), refusedFor: "unknown_symbol"),
        HostileDocument("blocks", "```\n" + chain("# H\n\n```rules\n-- a = 1\n```", 6_000, by: "\n\n") + "\n```rules"),
        HostileDocument(
            "articles", "```\n" + chain("# Heading of an article\n\nwords", 6_000, by: "\n\n") + "\n```rules"),
        HostileDocument("fences", "```\n" + chain("```", 45_000, by: "\n"), refusedFor: "unclosed_block"),
    ]

    private static let nested = [
        HostileDocument("brackets", "let d = " + String(repeating: "(", count: 90_000), refusedFor: "too_deep"),
        HostileDocument("minus signs", "let d = " + chain("- ", 90_000, by: "") + "1", refusedFor: "too_deep"),
        HostileDocument("a chain", "let d = 1 " + chain("+ 1", 45_000, by: " "), refusedFor: "formula_too_long"),
        HostileDocument(
            "kinds in kinds", "entry k0\n    t text\n" + lines(60) { "entry k\($0 + 1) in k\($0)\n    t text" },
            refusedFor: "too_deep"),
    ]
}
