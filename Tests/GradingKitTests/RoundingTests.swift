import Testing

@testable import GradingKit

@Suite struct RoundingTests {
    /// One column a value, one row a mode; recompute by hand.
    @Test(arguments: [
        (Rounding.halfUp, ["-3", "-2", "-1", "0", "0", "0", "1", "2", "3"]),
        (.halfEven, ["-2", "-2", "0", "0", "0", "0", "0", "2", "2"]),
        (.halfDown, ["-2", "-1", "0", "0", "0", "0", "0", "1", "2"]),
        (.ceiling, ["-2", "-1", "0", "0", "0", "1", "1", "2", "3"]),
        (.floor, ["-3", "-2", "-1", "-1", "0", "0", "0", "1", "2"]),
        (.truncate, ["-2", "-1", "0", "0", "0", "0", "0", "1", "2"]),
    ])
    func `each mode has its own answer to ties and signs`(mode: Rounding, expected: [String]) throws {
        let values = ["-5/2", "-3/2", "-1/2", "-1/3", "0", "1/3", "1/2", "3/2", "5/2"]
        for (text, whole) in zip(values, expected) {
            let value = try #require(Exact(ratio: text))
            #expect(mode(value, to: .scale(0)).description == whole, "\(text)")
            let (hundredth, rounded) = (Exact(1, over: 100) ?? 0, try #require(Exact(ratio: whole)))
            #expect(mode(value * hundredth, to: .scale(2)) == rounded * hundredth)
        }
    }

    @Test(arguments: Rounding.allCases)
    func `a value on the grid stays where it is`(mode: Rounding) throws {
        for text in ["0", "7", "-7", "12.25", "-0.5", "170141183460469231731687303715884105728"] {
            let value = try #require(DecimalText(text)?.value)
            for grid in [RoundingGrid.scale(2), .step(.half * .half)] { #expect(mode(value, to: grid) == value) }
        }
    }

    @Test(arguments: [("14.3", "14.25"), ("14.38", "14.5"), ("-14.38", "-14.5"), ("14.375", "14.5")])
    func `a step is a grid`(value: String, rounded: String) throws {
        let value = try #require(DecimalText(value)?.value)
        let quarter = RoundingGrid.step(.half * .half)
        #expect(Rounding.halfUp(value, to: quarter) == DecimalText(rounded)?.value)
        #expect(quarter.scale == 2)
    }

    @Test(arguments: [
        ("577/40", Rounding.halfUp, 2, "14.43"), ("1799/20", .floor, 1, "89.9"), ("-1/200", .halfUp, 2, "-0.01"),
        ("-1/300", .halfUp, 2, "0.00"), ("1/3", .ceiling, 0, "1"), ("12", .halfUp, 3, "12.000"),
        ("-1/2", .truncate, 0, "0"), ("1/1000", .halfUp, 2, "0.00"), ("599/200", .halfUp, 2, "3.00"),
        (
            "100000000000000000000000000000000000000000000/3", .floor, 1,
            "33333333333333333333333333333333333333333333.3"
        ),
    ])
    func `a shown value has exactly its decimals`(value: String, mode: Rounding, scale: Int, text: String) {
        #expect(Exact(ratio: value).map { mode.text($0, scale: scale) } == text)
    }

    @Test func `wide values round as small ones do`() throws {
        let odd = try #require(Exact(ratio: "680564733841876926926749214863536422913"))
        #expect(Rounding.halfUp(odd * .half, to: .scale(0)) == (odd + 1) * .half)
        #expect(Rounding.halfEven(odd * .half, to: .scale(0)) == (odd - 1) * .half)
        #expect(Rounding.floor(-odd * .half, to: .scale(0)) == -(odd + 1) * .half)
    }
}
