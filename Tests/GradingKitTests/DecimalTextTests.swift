import GradingKit
import Testing

@Suite struct DecimalTextTests {
    @Test(arguments: [
        ("0", "0", 0, 0), ("-0", "0", 0, 0), ("13.17", "1317/100", 4, 2), ("13.1000", "131/10", 3, 1),
        ("0.0001", "1/10000", 1, 4), ("007", "7", 1, 0), ("-2.50", "-5/2", 2, 1),
        ("123456789012345678901.5", "246913578024691357803/2", 22, 1), ("100", "100", 3, 0),
    ])
    func `a plain decimal is read exactly`(text: String, exact: String, digits: Int, decimals: Int) throws {
        let decimal = try #require(DecimalText(text, allowsExponent: true))
        #expect(decimal.value.description == exact)
        #expect(decimal.significantDigits == digits)
        #expect(decimal.decimals == decimals)
    }

    @Test(arguments: [
        "", " ", "-", "+1", ".5", "1.", "1.-5", "1,5", "1 000", "1'000", "1,000", "NaN", "Infinity", "inf", "0x10",
        "1e", "1e999", "1e-19", "1e19", "--1", "1.2.3", "12a", "１２", "1e1.5", "−1", "½",
    ])
    func `anything else is refused`(text: String) { #expect(DecimalText(text, allowsExponent: true) == nil) }

    @Test(arguments: ["1e2", "1E0", "5e-1"])
    func `an exponent is read only where JSON wrote the number`(text: String) { #expect(DecimalText(text) == nil) }

    @Test(arguments: [
        ("1e2", "100", 3, 0), ("1.5E1", "15", 2, 0), ("25e-2", "1/4", 2, 2), ("1e+18", "1000000000000000000", 19, 0),
    ])
    func `a JSON number may have a small exponent`(text: String, exact: String, digits: Int, decimals: Int) throws {
        #expect(DecimalText(text) == nil)
        let decimal = try #require(DecimalText(text, allowsExponent: true))
        #expect(decimal.value.description == exact)
        #expect(decimal.significantDigits == digits)
        #expect(decimal.decimals == decimals)
    }

    @Test(arguments: ["1e", "1e999", "1e-19", "1e19", "1e1.5", "e5"])
    func `no exponent takes a grade out of this world`(text: String) {
        #expect(DecimalText(text, allowsExponent: true) == nil)
    }

    @Test func `one comma may stand for the point where that is said`() {
        #expect(DecimalText("12,5", allowsComma: true)?.value == Exact(25, over: 2))
        for text in ["1,2,3", "1.2,3", "1,", ",5"] { #expect(DecimalText(text, allowsComma: true) == nil) }
    }

    @Test func `a text of any length is answered`() {
        #expect(DecimalText(String(repeating: "9", count: 256)) != nil)
        #expect(DecimalText(String(repeating: "9", count: 257)) == nil)
        #expect(DecimalText("1e" + String(repeating: "0", count: 200) + "5", allowsExponent: true)?.value == 100_000)
    }

    @Test(arguments: [("1/8", "0.125"), ("100", "100"), ("-1/10000", "-0.0001"), ("577/40", "14.425")])
    func `a finite decimal is written without trailing zeros`(ratio: String, text: String) {
        #expect(Exact(ratio: ratio)?.decimalText == text)
    }

    @Test func `what no finite decimal says has no decimal text`() {
        #expect(Exact(1, over: 3)?.decimalText == nil)
        #expect(Exact(1, over: 3)?.json == .string("1/3"))
        #expect(Exact(1, over: 4)?.json == .number("0.25"))
    }
}
