import Testing

@testable import GradingKit

@Suite struct MagnitudeTests {
    private static let word = Magnitude(1 << 64)

    /// A number from its limbs, most significant first.
    private func number(_ limbs: UInt64...) -> Magnitude { number(limbs) }
    private func number(_ limbs: [UInt64]) -> Magnitude {
        limbs.reduce(Magnitude(0)) { $0 * Self.word + Magnitude(UInt128($1)) }
    }

    @Test func `a quotient is right where its estimate was too great`() throws {
        // Each needs the correction steps of algorithm D: an estimate one or two too great, and the rare add-back.
        let cases: [(dividend: Magnitude, divisor: Magnitude)] = [
            (number(0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, 0, 0), number(0x8000_0000_0000_0000, 0, 1)),
            (number(0x8000_0000_0000_0000, 0, 0, 3), number(0x2000_0000_0000_0000, 0, 1)),
            (number(0x8000_0000_0000_0000, 0, 0, 0), number(0x8000_0000_0000_0000, 0, .max)),
            (number(.max, .max, .max - 1, 0), number(.max, .max, .max)),
            (number(1, 0, 0, 0, 0), number(.max, 0, .max)),
        ]
        for (dividend, divisor) in cases { try check(dividend, divisor) }
    }

    @Test func `every quotient of awkward limbs gives its dividend back`() throws {
        let awkward: [UInt64] = [0, 1, 1 << 63, .max - 1, .max]
        for a in awkward {
            for b in awkward {
                for c in awkward {
                    for d in awkward {
                        try check(number(a, b, c, d), number(d, a))
                        try check(number(a, b, c, d), number(c, d, b))
                        try check(number(b, d), number(c, a, d))
                    }
                }
            }
        }
    }

    private func check(_ dividend: Magnitude, _ divisor: Magnitude) throws {
        guard !divisor.isZero else {
            #expect(dividend.dividing(by: divisor) == nil)
            return
        }
        let (quotient, remainder) = try #require(dividend.dividing(by: divisor))
        #expect(remainder < divisor)
        #expect(quotient * divisor + remainder == dividend, "\(dividend.decimalText) / \(divisor.decimalText)")
    }

    @Test(arguments: ["0", "1", "18446744073709551616", "1000000000000000000000000000000000000", "10203"])
    func `decimal text survives a round trip`(text: String) {
        #expect(Magnitude(decimalText: text)?.decimalText == text)
    }

    @Test func `a difference knows its sign`() {
        let (left, right) = (number(1, 0, 0), number(.max, .max))
        #expect(Magnitude.difference(left, right).0 == Magnitude(1))
        #expect(!Magnitude.difference(left, right).isNegative)
        #expect(Magnitude.difference(right, left).isNegative)
        #expect(Magnitude.difference(left, left).0.isZero)
    }
}
