import People
import Testing

@Suite struct `The words of a search` {
    @Test(arguments: [
        ("Jean-Pierre d’Été", ["jean", "pierre", "d", "ete"]),
        ("Génie Logiciel", ["genie", "logiciel"]),
        ("L’œuvre, cœur & Straße", ["l", "oeuvre", "coeur", "strasse"]),
        ("ＭＡＴＨＳ １０１", ["maths", "101"]),
        ("高等数学", ["高", "等", "数", "学", "高等", "等数", "数学"]),
        ("数学A1班", ["数", "学", "数学", "a1", "班"]),
        ("İstanbul ŁÓDŹ Ⓐ", ["istanbul", "lodz", "a"]),
        ("한국어", ["한국어"]), ("がく", ["がく"]),
        ("e\u{301}cole école", ["ecole"]), ("—!?—", []), ("", []),
    ])
    func `are in lower case, without diacritics, and of Chinese single characters and pairs`(
        text: String, terms: [String]
    ) {
        #expect(SearchText.terms(of: text) == terms)
    }

    @Test(arguments: [
        ("genie", "Génie Logiciel", true), ("GÉN", "genie", true), ("数", "高等数学", true), ("数学", "高等数学", true),
        ("学数", "高等数学", false), ("等", "高等数学", true), ("log gen", "Génie Logiciel", true),
        ("enie", "Génie Logiciel", false), ("genie x", "Génie Logiciel", false), ("数学 高", "高等数学", true),
        ("한국", "한국어", true),
    ])
    func `match by their beginnings, and Chinese by characters`(asked: String, title: String, matches: Bool) {
        let terms = SearchText.terms(of: title)
        #expect(SearchText.asked(asked).allSatisfy { term in terms.contains { term.matches($0) } } == matches)
    }

    @Test func `that another word makes certain are not looked for`() {
        #expect(SearchText.asked("a an anna anna ann").map(\.text) == ["anna"])
        #expect(SearchText.asked("学学学学").map(\.text) == ["学学"])
        #expect(SearchText.asked("   ").isEmpty)
    }

    @Test func `have limits whatever the text`() {
        let words = (0..<500).map { "w\($0)" }.joined(separator: " ")
        #expect(SearchText.terms(of: words).count == SearchText.mostTerms)
        #expect(SearchText.asked(words).count == SearchText.mostAsked)
        let long = String(repeating: "x", count: 100_000)
        #expect(SearchText.terms(of: long).map(\.unicodeScalars.count) == [SearchText.longestTerm])
        #expect(SearchText.sortKey(of: long).unicodeScalars.count == SearchText.longestTerm)
        let expanding = SearchText.terms(of: String(repeating: "\u{FDFA}", count: 2_000))
        #expect(expanding.count <= SearchText.mostTerms)
        let marks = "a" + String(repeating: "\u{301}", count: 100_000) + " b"
        #expect(SearchText.terms(of: marks) == ["a"])
    }
}
