import Testing

@testable import Spreadsheet

@Suite struct WorkbookWriterTests {
    @Test(arguments: [
        (0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (52, "BA"), (701, "ZZ"), (702, "AAA"), (16_383, "XFD"),
    ])
    func `columns have letters`(column: Int, letters: String) {
        #expect(WorkbookWriter.letters(column) == letters)
    }

    @Test(arguments: ["0", "-3.5", "81.25", "123456789012345", "0.00012345", "12345678901234500000", "-0.5"])
    func `a number of fifteen digits stays what it is`(text: String) {
        #expect(WorkbookWriter.isExact(text))
    }

    @Test(arguments: [
        "", "-", ".", "1.", ".5", "1e5", "--1", "1.2.3", "1/3", "1234567890123456", "0.1234567890123456", "=1", "１",
        String(repeating: "1", count: 400),
    ])
    func `what a spreadsheet would round, or is no decimal, is a text`(text: String) {
        #expect(!WorkbookWriter.isExact(text))
    }

    @Test(arguments: [
        ("Algorithms", "Algorithms"), ("Logic: 1/2", "Logic  1 2"), ("'a'", "a"), ("", "Sheet1"),
        ("[]:*?/\\", "Sheet1"),
        (String(repeating: "x", count: 40), String(repeating: "x", count: 31)),
        (String(repeating: "𝄞", count: 20), String(repeating: "𝄞", count: 15)), ("a\u{0}b", "a b"),
    ])
    func `a sheet has a name that it may have`(text: String, name: String) {
        #expect(SheetName(text).text == name)
    }

    @Test(arguments: [
        ("a<b>&\"c\"", "a&lt;b&gt;&amp;&quot;c&quot;"), ("\u{0}\u{1F}\u{FFFE}", "\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("a\r\n\tb", "a&#13;\n\tb"), ("_x0041_", "_x005F_x0041_"), ("_x00g1_ _x0041", "_x00g1_ _x0041"), ("é学𝄞", "é学𝄞"),
    ])
    func `a text is what XML can hold`(text: String, content: String) {
        #expect(String(decoding: XMLText.content(text), as: UTF8.self) == content)
    }

    /// The bytes of a workbook of those rows, taken after each of them or at the end.
    private func bytes(_ rows: [[WorkbookWriter.Cell]], takingEach: Bool) throws -> [[UInt8]] {
        var (workbook, pieces) = (try WorkbookWriter(sheet: "A", freezing: (1, 1)), [[UInt8]]())
        for row in rows {
            workbook.row(row)
            if takingEach { pieces.append(try workbook.take()) }
        }
        try workbook.end()
        pieces.append(try workbook.take())
        #expect(try workbook.take().isEmpty && workbook.waiting == 0)
        return pieces
    }

    @Test func `what is taken is not kept, and a copy goes on by itself`() throws {
        let rows = (0..<50).map { [WorkbookWriter.Cell.text("student \($0)"), .number(String($0)), .empty] }
        let (whole, parts) = (try bytes(rows, takingEach: false), try bytes(rows, takingEach: true))
        #expect(whole.count == 1 && parts.count == 51 && parts.allSatisfy { !$0.isEmpty })
        #expect(Array(whole.joined().prefix(4)) == Array("PK\u{3}\u{4}".utf8))
        var first = try WorkbookWriter(sheet: "A", freezing: (1, 1))
        var second = first
        first.row(rows[0])
        second.row(rows[0])
        #expect(try first.take() == second.take())
    }

    @Test func `a text that is too long is cut between two characters`() throws {
        let long = String(repeating: "x", count: WorkbookWriter.longestText - 1) + "𝄞"
        var cut = try WorkbookWriter(sheet: "A", freezing: (1, 1))
        var short = cut
        cut.row([.text(long)])
        short.row([.text(String(long.dropLast()))])
        #expect(try cut.take() == short.take())
    }
}
