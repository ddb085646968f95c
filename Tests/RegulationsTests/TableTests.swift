import GradingKit
import RegulationLibrary
import Regulations
import Testing

/// Tables of numbers by row and column, and sheets that take their place.
@Suite struct TableTests {
    private static let heading = """
        regulation matrix "Matrix" language 1
        scale mark "/20" worst 0 best 20 step 0.01
        rounding exact half up, 6 decimals, judged exactly
        entry resource at most 60
            code text
            level whole number optional
            of_kind one of lecture, lab optional
            mark grade in mark
        entry ue at most 12
            code text

        """
    private static let table = """
        table coefficients in coefficient "Coefficients"
                    UE1  "UE 2"  R1.03
            R101     40      20      -
            "r 102"   -     1/4   -2.5
            7        60       0      9
        """

    private func regulation(_ rules: String, table: String = table) -> Regulation {
        Regulation(Array(Document.text(table + "\n" + rules, heading: Self.heading).utf8))
    }

    private func faults(_ rules: String, table: String = table, in language: Language = .english) -> [String] {
        regulation(rules, table: table).faults.map { "\($0.code): \($0.message(in: language))" }
    }

    /// What a formula of the record comes to.
    private func value(_ formula: String) throws -> String {
        let read = regulation(
            """
            figure f in coefficient "F" shown by exact without range = \(formula)
            template t
                resource "r101" level 7 of_kind lab mark 12
                ue " ue  2 "
            """)
        for fault in read.faults { return "\(fault.code)" }
        let rules = try #require(read.rulebook)
        var made = 0
        let record = try #require(
            try rules.template("t") {
                made += 1
                return EntryID("\(made)")
            })
        let figure = try #require(try rules.standing(of: record).figure("f"))
        switch figure.current {
        case .value(let value): return "\(value)"
        case .undefined(let reason): return "(\(reason))"
        }
    }

    @Test(arguments: [
        ("coefficients[\"R101\", \"UE1\"]", "40"), (#"coefficients[" R 102", "ue 2"]"#, "1/4"),
        (#"coefficients["r 102", "r1.03"] * 2"#, "-5"), (#"coefficients["R101", "R1.03"]"#, "(not_in_table)"),
        (#"coefficients["R101", "R1.03"] otherwise 3"#, "3"), ("coefficients[7, \"UE1\"]", "60"),
        ("coefficients[3 + 4, \"UE1\"]", "60"), ("coefficients[6, \"UE1\"]", "(not_in_table)"),
        (#"sum of coefficients[code, "UE1"] over resource"#, "40"),
        (#"sum of coefficients[level, "UE1"] over resource"#, "60"),
        (#"sum of coefficients[level * 2, "UE1"] over resource"#, "(not_in_table)"),
        (#"sum of coefficients[of_kind, "UE1"] over resource"#, "(not_in_table)"),
        (#"(count over resource where coefficients[code, "UE1"] is known) in coefficient"#, "1"),
        (#"(count over resource where coefficients[code, "R1.03"] >= 0) in coefficient"#, "0"),
    ])
    func `a table gives what stands in its row and column`(formula: String, expected: String) throws {
        #expect(try value(formula) == expected)
    }

    @Test func `a mean by a matrix skips what is not in it`() throws {
        let read = regulation(
            """
            figure average of ue in mark shown by exact
                = mean of mark over resource of record weighted by coefficients[code, ue.code] otherwise ungraded
            example first
                resource "R101" mark 12
                resource "r 102" mark 8
                resource "R999" mark 1
                ue "UE1"
                ue "UE9"
                expect average of "UE1" = 12, average of "UE9" is unknown, ceiling average of "UE9" shown 20.000000
            """, table: Self.table.replacing("-2.5", with: "2.5"))
        #expect(read.faults.map(\.code) == [])
        #expect(read.workedExamples().flatMap(\.differences).map(\.text) == [])
    }

    @Test(arguments: [
        (
            "let f = coefficient[\"R101\", \"UE1\"]",
            "unknown_table: no table is called “coefficient” — did you mean `coefficients`?"
        ),
        (
            "let f = coefficients[\"R110\", \"UE1\"]",
            "unknown_label: the table “coefficients” has no “R110” there — did you mean “R101”?"
        ),
        (
            "let f = coefficients[\"R101\", \"elsewhere\"]",
            "unknown_label: the table “coefficients” has no “elsewhere” there"
        ),
        ("let f = coefficients + 1", "table_needs_keys: “coefficients” is a table — write `coefficients[row, column]`"),
        ("let f = coefficients[\"R101\"]", "unexpected: “]” does not belong here — `,` is expected"),
        (
            "let f of resource = coefficients[mark, \"UE1\"]",
            "key_of_grade: a grade decides where this looks in the table — use a letter, a text or a number that is no grade"
        ),
        (
            "let f of resource = coefficients[mark is known, \"UE1\"]",
            "unexpected: “is” does not belong here — `,` is expected"
        ),
        (
            "let f of resource = coefficients[(mark is known), \"UE1\"]",
            "type_mismatch: a text or a number is needed here, which a row or a column is called by"
        ),
        (
            """
            figure f in mark shown by exact
                = mean of mark over resource weighted by coefficients[code, "UE1"]
            """,
            "negative_weight: this weight may be below 0 — give its field `from 0`"
        ),
    ])
    func `a formula that misuses a table is told so`(rules: String, expected: String) {
        #expect(faults(rules) == [expected])
    }

    private static let noLines =
        "empty_table: a table has a line with the names of its columns, then a line for each row"

    @Test(arguments: [
        ("table t", [noLines]), ("table t\n    A B", [noLines]),
        (
            "table t\n    A B\n    r 1",
            ["row_length: this row has 1 values for 2 columns — write `-` where there is none"]
        ),
        ("table t\n    A a\n    r 1 2", ["duplicate_name: “a” is declared twice"]),
        ("table t\n    A\n    1 1\n    1.0 2", ["duplicate_name: “1.0” is declared twice"]),
        ("table t\n    \" \"\n    r 1", ["empty_table: a row or a column of a table needs a name"]),
        (
            "table t\n    A B\n    r x 2\n    s 1 2,5",
            [
                "unexpected: “x” does not belong here — a number is expected",
                "decimal_comma: “2,5” is no number — decimals stand behind a point",
            ]
        ),
    ])
    func `a table that is wrong is told so, cell by cell`(table: String, expected: [String]) {
        #expect(faults("let f = t[\"A\", \"A\"]", table: table).filter { !$0.hasPrefix("unknown_label") } == expected)
    }

    @Test func `tables are bounded`() {
        func codes(_ table: String) -> [String] { regulation("", table: table).faults.map(\.code.text) }
        let wide = "table t\n    " + (0..<9_000).map { "c\($0)" }.joined(separator: " ") + "\n    r"
        #expect(codes(wide + String(repeating: " 1", count: 9_000)) == ["too_many"])
        let long = "table t\n    A\n" + (0..<5_100).map { "    r\($0) 1" }.joined(separator: "\n")
        #expect(codes(long) == ["too_many"])
        let many = (0..<70).map { "table t\($0)\n    A\n    r 1" }.joined(separator: "\n")
        #expect(codes(many).allSatisfy { $0 == "too_many" } && !codes(many).isEmpty)
        let deep = "let f = " + String(repeating: "t[", count: 40_000)
        #expect(regulation(deep).faults.map(\.code) == ["too_deep"])
    }

    @Test func `words and values of a table are told to a page`() throws {
        let read = regulation("")
        let bytes = Array(Document.text(Self.table + "\n", heading: Self.heading).utf8)
        func slices(_ list: JSON?) -> [String] {
            let numbers = (list?.array ?? []).compactMap(\.integer)
            return stride(from: 0, to: numbers.count - 1, by: 2).map {
                String(decoding: bytes[numbers[$0]..<numbers[$0 + 1]], as: UTF8.self)
            }
        }
        let forms = read.annotations(in: .english)["values"]?.array ?? []
        let rows = try #require(forms.last?["rows"]?.array).map { slices($0) }
        #expect(
            rows == [
                ["UE1", "\"UE 2\"", "R1.03"], ["R101", "40", "20", "-"], ["\"r 102\"", "-", "1/4", "-2.5"],
                ["7", "60", "0", "9"],
            ])
        let item = try #require((read.outline.array ?? []).first { $0["sort"] == "table" })
        #expect(item["unit"] == "coefficient" && item["rows"]?.integer == 3 && item["columns"]?.integer == 3)
    }

    // MARK: Sheets

    private func text(after edit: TextEdit, of table: String) -> String {
        var bytes = Array(Document.text(table + "\n", heading: Self.heading).utf8)
        bytes.replaceSubrange(edit.range, with: Array(edit.replacement.utf8))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let sheet = [
        ["", "UE1", "SAÉ 1", "R1.03", ""], ["R101", "40", "12,5", "", ""], ["7", "-", "0", "1 000,25"],
        ["", "", "", ""],
    ]

    @Test func `a sheet takes the place of a table, and nothing else changes`() throws {
        let read = try #require(regulation("").edit(ofTable: "coefficients", rows: Self.sheet))
        #expect(read.faults.map { $0.message(in: .english) } == [])
        #expect(read.hasDecimalComma && read.rows == 2 && read.columns == 3)
        let after = text(after: try #require(read.edit), of: Self.table)
        let expected = """
            table coefficients in coefficient "Coefficients"
                      UE1  "SAÉ 1"    R1.03
                R101   40     12.5        -
                7       -        0  1000.25
            """
        #expect(after == Document.text(expected + "\n", heading: Self.heading))
        #expect(Regulation(Array(after.utf8)).faults.map(\.code) == [])
        // The same again changes nothing.
        let again = try #require(Regulation(Array(after.utf8)).edit(ofTable: "coefficients", rows: Self.sheet)?.edit)
        #expect(text(after: again, of: expected) == after)
    }

    @Test func `a table without lines takes a sheet too`() throws {
        let empty = regulation("", table: "table coefficients in coefficient")
        let edit = try #require(empty.edit(ofTable: "coefficients", rows: [["", "A"], ["r", "1"]])?.edit)
        let after = text(after: edit, of: "table coefficients in coefficient")
        #expect(after.contains("table coefficients in coefficient\n       A\n    r  1\n"))
        #expect(Regulation(Array(after.utf8)).faults.map(\.code) == [])
        #expect(empty.edit(ofTable: "none", rows: []) == nil)
    }

    @Test(arguments: [
        ([], ["1:–:empty_table"]), ([["", "A"]], ["1:–:empty_table"]),
        (
            [["", "A", "B"], ["r", "1.5", "x"], ["", "2", "3 %"]],
            ["2:3:not_a_number", "3:1:empty_table", "3:3:not_a_number"]
        ),
        ([["", "A", "a"], ["r", "1", "2"]], ["1:3:duplicate_name"]),
        ([["", "A"], ["1", "1"], ["1.0", "2"]], ["3:1:duplicate_name"]),
        ([["", "A", "B", "C"], ["r", "1,5", "2,5", "1.25"]], []),
        ([["", "A", "B"], ["r", "1.5", "2,5"]], ["2:3:not_a_number"]),
        ([["", "A", "B"], ["r", "1,5", "1,230"]], ["2:3:ambiguous_number"]),
        ([["", "A"], ["r \"", "1"]], ["2:1:unreadable_character"]),
        ([["", "A"], ["r", "1234567890"]], ["2:2:not_a_number"]),
        ([["", "A"], ["1234567890123", "1"]], []),
    ])
    func `each bad cell of a sheet is named`(rows: [[String]], expected: [String]) throws {
        let read = try #require(regulation("").edit(ofTable: "coefficients", rows: rows))
        let answer = try #require(regulation("").editJSON(ofTable: "coefficients", rows: rows))
        let found = (answer["faults"]?.array ?? []).map { fault -> String in
            let column = fault["column"]?.integer.map(String.init) ?? "–"
            return "\(fault["line"]?.integer ?? 0):\(column):\(fault["code"]?.string ?? "")"
        }
        #expect(found == expected)
        #expect((read.edit == nil) == !expected.isEmpty)
    }

    @Test func `a sheet that is too large is refused, and of many faults a hundred are told`() throws {
        let large = [[String]](repeating: [String](repeating: "1", count: 101), count: 101)
        #expect(try #require(regulation("").edit(ofTable: "coefficients", rows: large)).faults.count == 1)
        let bad = [[String]](repeating: [String](repeating: "x", count: 90), count: 90)
        #expect(try #require(regulation("").edit(ofTable: "coefficients", rows: bad)).faults.count == 100)
    }
}
