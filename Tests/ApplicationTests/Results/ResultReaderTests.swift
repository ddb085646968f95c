import GradingKit
import Records
@testable import Application
import Testing

@Suite struct ResultReaderTests {
    private func rows(_ text: String, _ delimiter: Character = ",") -> [[String]]? {
        rows(Array(text.utf8), delimiter)
    }

    private func rows(_ bytes: [UInt8], _ delimiter: Character = ",") -> [[String]]? {
        var reader = CSVReader(bytes, delimiter: delimiter.asciiValue ?? 0x2C)
        var rows: [[String]] = []
        do {
            while let row = try reader.next() { rows.append(row.cells) }
            return rows
        } catch {
            return nil
        }
    }

    private func lines(_ text: String, _ form: ResultBody.Form = .lines) throws -> [ResultLine] {
        var reader = try ResultReader(ResultBody(bytes: Array(text.utf8), form: form))
        var lines: [ResultLine] = []
        while let line = try reader.next() { lines.append(line) }
        return lines
    }

    private func fault(_ line: ResultLine) -> String? {
        guard case .failure(let faults) = line.json else { return nil }
        return faults.faults.first?.code.text
    }

    @Test func `cells are read as RFC 4180 writes them`() {
        #expect(rows("a,b\r\n1,2\r\n") == [["a", "b"], ["1", "2"]])
        #expect(rows("a;b\n\"x;\"\"y\"\"\n\";") == nil)
        #expect(rows("a;b\n\"x;\"\"y\"\"\n\";2", ";") == [["a", "b"], ["x;\"y\"\n", "2"]])
        #expect(rows("\u{FEFF}a,\n,b") == [["a", ""], ["", "b"]])
        #expect(rows("") == [])
        #expect(rows("a,\"b\r\n") == nil)
        #expect(rows("\"a\"b") == nil)
        #expect(rows([0x61, 0xFF, 0x0A]) == nil)
    }

    @Test func `rows end with a bare return, too`() {
        #expect(rows("a,b\r1,2\r\"x\ry\",\"3\"\r") == [["a", "b"], ["1", "2"], ["x\ry", "3"]])
    }

    @Test func `numbers are read as people write them, and texts stay what they are`() throws {
        func read(_ cell: String, comma: Bool) throws -> JSON? {
            var dialect = ResultBody.Dialect(delimiter: UInt8(ascii: ";"), hasDecimalComma: comma)
            dialect.numbers = ["points"]
            let line = try lines("title;points\n\(cell);\(cell)\n", .csv(dialect))[0]
            if let fault = fault(line) { return .string(fault) }
            let fields = try line.json.get()["fields"]
            #expect(fields?["title"] == .string(cell))
            return fields?["points"]
        }
        #expect(try read("101 102", comma: false) == "101102")
        #expect(try read("１０１", comma: false) == "101")
        #expect(try read("1.000", comma: true) == "1000")
        #expect(try read("1.000", comma: false) == "1.000")
        #expect(try read("1,234", comma: false) == "ambiguous_number")
        #expect(try read("1,000", comma: true) == "ambiguous_number")
        #expect(try read("ninety", comma: true) == "ninety")
    }

    @Test func `columns are the envelope's or fields, and an empty cell says nothing`() throws {
        let text = "Student;path;grade;hidden\nanna;Maths/Algebra;12,5;true\nbert;Maths;;\n;;;\n"
        var dialect = ResultBody.Dialect(delimiter: UInt8(ascii: ";"), hasDecimalComma: true)
        dialect.numbers = ["grade"]
        let lines = try lines(text, .csv(dialect))
        #expect(lines.map(\.number) == [1, 2])
        #expect(
            try lines[0].json.get() == [
                "student": "anna", "path": "Maths/Algebra", "hidden": true, "fields": ["grade": "12.5"],
            ])
        #expect(try lines[1].json.get() == ["student": "bert", "path": "Maths"])
        #expect(throws: FaultList.self) { try self.lines("a;a\n", .csv(dialect)).isEmpty }
        #expect(throws: UseCaseError.self) { try self.lines("", .csv(dialect)).isEmpty }
        #expect(throws: UseCaseError.self) { try self.lines("a\n\"b", .csv(dialect)).isEmpty }
    }

    @Test func `lines are JSON, each by itself`() throws {
        let lines = try lines("{\"a\":1}\n\nno\n  \r\n[]")
        #expect(lines.map(\.number) == [1, 3, 5])
        #expect(try lines[0].json.get() == ["a": 1])
        #expect(fault(lines[1]) == "malformed")
    }

    @Test func `a row that was given back is the next again`() throws {
        var reader = try ResultReader(ResultBody(bytes: Array("1\n2\n".utf8), form: .lines))
        let first = try #require(try reader.next())
        reader.giveBack(first)
        #expect(try reader.next()?.number == 1)
        #expect(try reader.next()?.number == 2)
        #expect(try reader.next() == nil)
    }

    @Test func `a row that is too long is refused by itself`() throws {
        let long = String(repeating: "é", count: ResultBody.longestRow)
        #expect(try lines("1\n\"\(long)\"\n2").map(fault) == [nil, "row_too_long", nil])
        let csv = ResultBody.Form.csv(ResultBody.Dialect())
        #expect(try lines("a,b\n\(long),1\n2,3", csv).map(fault) == ["row_too_long", nil])
        let cells = String(repeating: ",", count: 1_000_000)
        #expect(try lines("a\n\(cells)\n1,2\n3", csv).map(fault) == ["row_too_long", "columns_invalid", nil])
        #expect(throws: UseCaseError.self) { try lines("\(cells)\n", csv).isEmpty }
    }

    @Test func `an import has a most of rows, blank lines apart`() async throws {
        func count(_ rows: Int) async throws -> Int {
            let text = String(repeating: "x\n\n", count: rows)
            return try await ResultBody(bytes: Array(text.utf8), form: .lines).count()
        }
        #expect(try await count(ResultBody.mostRows) == ResultBody.mostRows)
        await #expect(throws: FaultList([Fault("row_limit", ["limit": 20_000])])) {
            try await count(ResultBody.mostRows + 1)
        }
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
