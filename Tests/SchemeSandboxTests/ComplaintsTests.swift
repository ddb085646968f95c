import Testing

@testable import SchemeSandbox

@Suite struct ComplaintsTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func `lines pass as they are written`() {
        var complaints = Complaints()
        #expect(complaints.take(bytes("one\ntw")) == ["one"])
        #expect(complaints.take(bytes("o\n\nrest")) == ["two", ""])
        #expect(complaints.finish() == ["rest"])
    }

    @Test func `what moves a terminal or forges a line is written out`() {
        var complaints = Complaints()
        let forged = "a\r2026-01-01 ERROR\u{1b}[2Jb\u{202e}c\u{2028}d\u{85}e\te\n"
        #expect(complaints.take(bytes(forged)) == [#"a\u{d}2026-01-01 ERROR\u{1b}[2Jb\u{202e}c\u{2028}d\u{85}e e"#])
        #expect(complaints.take([0xFF, 0x41, 0x0A]) == ["\u{FFFD}A"])
    }

    @Test func `a line is cut, and says how much is left out`() {
        var complaints = Complaints()
        let line = complaints.take(bytes(String(repeating: "x", count: 5_000) + "\n"))
        #expect(line == [String(repeating: "x", count: 1_024) + " [3976 bytes left out]"])
    }

    @Test func `a flood is dropped, counted, and told once`() {
        var complaints = Complaints()
        let flood = bytes(String(repeating: "noise\n", count: 10_000))
        #expect(complaints.take(flood).count == Complaints.burst.lines)
        #expect(complaints.isExhausted)
        #expect(complaints.wait(seconds: 0.1) == nil)
        #expect(complaints.wait(seconds: 1) == "[9936 lines, 59616 bytes left out]")
        #expect(complaints.wait(seconds: 1) == nil)
        #expect(complaints.take(flood).count < 2 * Complaints.refill.lines)
    }

    @Test func `many bytes count as many lines do`() {
        var complaints = Complaints()
        let line = bytes(String(repeating: "x", count: 1_000) + "\n")
        let taken = (0..<60).flatMap { _ in complaints.take(line) }
        #expect(taken.count == 32)
    }
}
