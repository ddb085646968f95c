import Cryptography
import Testing

@Suite struct CompatibilityFormTests {
    @Test(arguments: [
        ("plain", "plain"), ("ｆｕｌｌ", "full"), ("ﬁ", "fi"), ("e\u{301}", "\u{E9}"), ("①", "1"), ("Ⅳ", "IV"),
        ("\u{212B}", "\u{C5}"), ("", ""), ("分数", "分数"), ("a\u{0}b é", "a\u{0}b é"),
    ])
    func `what means the same becomes the same`(text: String, form: String) {
        #expect(Array(text.compatibilityForm.unicodeScalars) == Array(form.unicodeScalars))
    }

    @Test func `the most expanding code point is no trap`() {
        #expect(String(repeating: "\u{FDFA}", count: 100).compatibilityForm.unicodeScalars.count == 1800)
    }
}
