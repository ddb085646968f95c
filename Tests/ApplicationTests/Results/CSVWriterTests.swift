import GradingKit
import Testing

@testable import Application

@Suite struct CSVWriterTests {
    private func written(_ cells: [TableCell], _ dialect: ResultBody.Dialect = .init()) -> String {
        var table = CSVWriter(dialect)
        table.row(cells)
        return String(decoding: table.take(), as: UTF8.self)
    }

    @Test func `a number is no formula, whatever its sign`() {
        #expect(written([.number("-3.5"), .text("-3.5"), .empty]) == "-3.5,\"'-3.5\",\r\n")
    }

    @Test(arguments: ["=Ada", "'=Ada", "''=Ada", "+1", "-", "@x", "'Ada", "''", "'", "Ada", "it's =1", "\t=1"])
    func `a text comes back as it was, and begins like no formula`(text: String) throws {
        let line = written([.text(text)])
        var reader = CSVReader(Array(line.utf8), delimiter: UInt8(ascii: ","))
        let cell = try #require(try reader.next()?.cells.first)
        #expect(!"=+-@\t\r".contains(cell.first ?? " "))
        #expect(FormulaGuard.lifted(cell) == text)
        let columns = try ResultColumns(["student", "title"], ResultBody.Dialect())
        let row = try columns.json([cell, cell]).get()
        #expect(row["student"]?.string == text && row["fields"]?["title"]?.string == text)
    }

    @Test func `numbers have the decimal mark of the dialect, texts stay`() {
        let french = ResultBody.Dialect(delimiter: UInt8(ascii: ";"), hasDecimalComma: true)
        #expect(written([.number("1.25"), .text("1.25"), .number("7")], french) == "\"1,25\";1.25;7\r\n")
    }

    @Test func `a status stands behind its number`() {
        #expect(written([.number("7.5", status: "excused")]) == "7.5 (excused)\r\n")
    }

    @Test(arguments: [",", ";", "\t"]) func `a cell may hold every delimiter`(delimiter: Character) throws {
        let byte = try #require(delimiter.asciiValue)
        let cells = ["a,b;c\td", "\"", "x\r\ny"]
        var table = CSVWriter(ResultBody.Dialect(delimiter: byte))
        table.row(cells)
        var reader = CSVReader(table.take(), delimiter: byte)
        #expect(try reader.next() == CSVReader.Row(cells: cells))
        #expect(table.bytes.isEmpty)
    }
}
