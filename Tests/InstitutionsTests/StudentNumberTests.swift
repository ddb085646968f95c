import Institutions
import Testing

@Suite struct StudentNumberTests {
    @Test(arguments: [
        ("2026-0042", "2026-0042"), ("S12345", "s12345"), ("Ｓ１２３４５", "s12345"), ("2026\u{2011}0042", "2026-0042"),
        ("2026\u{2212}0042", "2026-0042"), ("2026\u{2013}0042", "2026-0042"), ("1\u{332}2", "12"), ("\u{130}7", "i7"),
        ("E\u{301}1", "\u{E9}1"), ("\u{E9}1", "\u{E9}1"), ("stra\u{DF}e", "strasse"), ("1\u{200D}2", "12"),
    ])
    func `numbers that look alike have one key`(typed: String, key: String) throws {
        let found = try #require(StudentNumber.key(typed))
        #expect(Array(found.utf8) == Array(key.utf8))
    }

    @Test func `a text that is too long for a number has none`() {
        #expect(StudentNumber.key(String(repeating: "7", count: 64)) != nil)
        #expect(StudentNumber.key(String(repeating: "7", count: 65)) == nil)
    }
}
