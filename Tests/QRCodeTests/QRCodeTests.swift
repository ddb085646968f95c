import QRCode
import Testing

@Suite struct QRCodeTests {
    @Test func `a code has the three finder patterns of its standard, and no fourth`() throws {
        let code = try #require(QRCode("otpauth://totp/Gradecast:ada?secret=JBSWY3DPEHPK3PXP&issuer=Gradecast"))
        #expect(code.side % 4 == 1 && code.side >= 21)
        let ring = (0..<7).map { row in
            (0..<7).map { column in
                let edge = [row, column].contains { $0 == 0 || $0 == 6 }
                return edge || (2...4).contains(row) && (2...4).contains(column)
            }
        }
        let last = code.side - 7
        for (top, left, isFinder) in [(0, 0, true), (0, last, true), (last, 0, true), (last, last, false)] {
            let found = (0..<7).map { row in
                (0..<7).map { code.isDark(row: top + row, column: left + $0) }
            }
            #expect((found == ring) == isFinder)
        }
    }

    @Test func `the drawing has as many dark modules as the code, inside a white border`() throws {
        let code = try #require(QRCode("gradecast"))
        let dark = (0..<code.side).flatMap { row in (0..<code.side).filter { code.isDark(row: row, column: $0) } }
        let runs = code.svg.split(separator: "h").dropFirst().compactMap { run in
            Int(run.prefix { $0.isNumber })
        }
        // The first `h` is that of the white ground.
        #expect(runs.first == code.side + 8)
        #expect(runs.dropFirst().reduce(0, +) == dark.count)
    }

    @Test func `what cannot be encoded gives no code`() {
        #expect(QRCode("") == nil)
        #expect(QRCode("a\0b") == nil)
        #expect(QRCode(String(repeating: "a", count: QRCode.longest + 1)) == nil)
        #expect(QRCode(String(repeating: "é", count: QRCode.longest / 2)) != nil)
    }
}
