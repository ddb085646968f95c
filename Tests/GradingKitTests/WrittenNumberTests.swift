import GradingKit
import Testing

@Suite struct `Numbers as people write them` {
    @Test(
        arguments: [
            ("12,5", "12.5"), ("-12.5", "-12.5"), ("−3", "-3"), ("１２，５", "12.5"), ("1 000,5", "1000.5"),
            ("1\u{a0}000", "1000"), ("1\u{202f}234,5", "1234.5"), ("1’000", "1000"), ("1.234,5", "1234.5"),
            ("1,234.5", "1234.5"), ("1,234,567", "1234567"), ("0,125", "0.125"), ("12,345", "12.345"),
            ("1.000", "1.000"),
        ])
    func `what can be read in one way is read`(text: String, value: String) {
        #expect(WrittenNumber(text, allowsComma: true) == .plain(value))
    }

    @Test(arguments: [("1,000", "1", "1000"), ("-12,340", "-12.34", "-12340"), ("1，000", "1", "1000")])
    func `three digits after a comma, the last of them zero, are ambiguous`(text: String, small: String, great: String)
    {
        #expect(WrittenNumber(text, allowsComma: true) == .ambiguous(small: small, great: great))
    }

    @Test func `where decimals have a comma a point sets thousands apart`() {
        #expect(WrittenNumber("1.000", allowsComma: true, pointGroups: true) == .plain("1000"))
        #expect(WrittenNumber("12.5", allowsComma: true, pointGroups: true) == .plain("12.5"))
        #expect(WrittenNumber("1,000", allowsComma: true, pointGroups: true) == .ambiguous(small: "1", great: "1000"))
    }

    @Test func `without a decimal comma a comma sets thousands apart, or is refused`() {
        #expect(WrittenNumber("12,5", allowsComma: false) == .none)
        #expect(WrittenNumber("1,234", allowsComma: false) == .ambiguous(small: "1.234", great: "1234"))
    }

    @Test(
        arguments: [
            "", "-", ",", "1,", ",5", "+1", "1.2.3", "1,2,3", "1 00", "0 123", "1 000 00", "12e3", "١٢", "1.000,5,5",
            "abc",
            "1,2.3 4", "--1", String(repeating: "1", count: 257),
        ])
    func `everything else is not a number`(text: String) {
        #expect(WrittenNumber(text, allowsComma: true) == .none)
    }
}
