import GradingKit
import Records
@testable import Server
import Testing

@Suite struct ResultTableTests {
    private func rows(_ text: String, _ delimiter: Character = ",") -> [[String]]? {
        CSVReader(delimiter: delimiter.asciiValue ?? 0x2C).rows(of: Array(text.utf8))
    }

    @Test func `cells are read as RFC 4180 writes them`() {
        #expect(rows("a,b\r\n1,2\r\n") == [["a", "b"], ["1", "2"]])
        #expect(rows("a;b\n\"x;\"\"y\"\"\n\";") == nil)
        #expect(rows("a;b\n\"x;\"\"y\"\"\n\";2", ";") == [["a", "b"], ["x;\"y\"\n", "2"]])
        #expect(rows("\u{FEFF}a,\n,b") == [["a", ""], ["", "b"]])
        #expect(rows("") == [])
        #expect(rows("a,\"b\r\n") == nil)
        #expect(rows("\"a\"b") == nil)
        #expect(CSVReader(delimiter: 0x2C).rows(of: [0x61, 0xFF, 0x0A]) == nil)
    }

    @Test func `columns are the envelope's or fields, and an empty cell says nothing`() throws {
        let text = "Student;path;grade;hidden\nanna;Maths/Algebra;12,5;true\nbert;Maths;;\n;;;\n"
        var dialect = ResultTable.Dialect()
        (dialect.delimiter, dialect.hasDecimalComma) = (UInt8(ascii: ";"), true)
        let table = try ResultTable(csv: Array(text.utf8), dialect)
        #expect(table.rows.map(\.number) == [1, 2])
        #expect(
            try table.rows[0].json.get() == [
                "student": "anna", "path": "Maths/Algebra", "hidden": true, "fields": ["grade": "12.5"],
            ])
        #expect(try table.rows[1].json.get() == ["student": "bert", "path": "Maths"])
        #expect(throws: FaultList.self) { try ResultTable(csv: Array("a,a\n".utf8), ResultTable.Dialect()) }
        #expect(throws: Problem.self) { try ResultTable(csv: [], ResultTable.Dialect()) }
    }

    @Test func `lines are JSON, each by itself`() throws {
        let table = ResultTable(lines: Array("{\"a\":1}\n\nno\n".utf8))
        #expect(table.rows.map(\.number) == [1, 3])
        #expect(try table.rows[0].json.get() == ["a": 1])
        #expect(throws: FaultList.self) { try table.rows[1].json.get() }
    }

    @Test func `all that is wrong with a row is said at once`() {
        #expect(
            throws: FaultList([
                Fault(.missingField, at: "/entry"), Fault(.missingField, at: "/fields"),
                Fault(.missingField, at: "/record"), Fault(.unknownField, at: "/points"),
            ])
        ) {
            try ResultRow(["points": 3], hidden: nil)
        }
    }

    @Test func `no spreadsheet takes a cell for a formula`() {
        var table = CSVWriter()
        table.row(["=1+1", "a,b", "say \"x\"", "plain", "-1", "@x", ""])
        #expect(
            String(decoding: table.bytes, as: UTF8.self)
                == "\"'=1+1\",\"a,b\",\"say \"\"x\"\"\",plain,\"'-1\",\"'@x\",\r\n")
    }
}
