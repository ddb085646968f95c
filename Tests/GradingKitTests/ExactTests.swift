import SchemeTestKit
import Testing

@testable import GradingKit

@Suite struct ExactTests {
    /// Computed by Python's `fractions`: two values, their sum, difference, product and quotient, and their order.
    @Test func `arithmetic agrees with an independent table`() throws {
        for line in try SourceFile("Tests/Data/exact-arithmetic.txt").lines {
            let cells = line.split(separator: " ").map(String.init)
            let left = try #require(Exact(ratio: cells[0]))
            let right = try #require(Exact(ratio: cells[1]))
            #expect((left + right).description == cells[2], "\(line)")
            #expect((left - right).description == cells[3], "\(line)")
            #expect((left * right).description == cells[4], "\(line)")
            #expect(left.divided(by: right)?.description ?? "nil" == cells[5], "\(line)")
            #expect((left < right ? "<" : left > right ? ">" : "=") == cells[6], "\(line)")
        }
    }

    @Test func `a value has one form, however it came about`() throws {
        let edge = try #require(Exact(ratio: "170141183460469231731687303715884105727"))
        #expect(edge + 1 - 1 == edge)
        #expect((edge + 1).hashValue == (edge + 1).hashValue)
        #expect((-edge - 1 + edge) == -1)
        #expect(Exact(ratio: "340282366920938463463374607431768211456/170141183460469231731687303715884105728") == 2)
        #expect(Exact(6, over: -4)?.description == "-3/2")
        #expect(Exact(0, over: -7) == .zero)
        #expect(Exact(1, over: 0) == nil)
        if case .wide = (edge + 1).form {} else { Issue.record("2¹²⁷ is no small value") }
        if case .small = (edge + 1 - 1).form {} else { Issue.record("a value that fits is small") }
    }

    @Test func `the least 128-bit integer is kept wide, since it cannot be negated`() throws {
        let least = try #require(Exact(ratio: "-170141183460469231731687303715884105728"))
        var sum = ExactSum()
        sum.add(least + 1)
        sum.add(-1)
        #expect(sum.value == least)
        #expect((-sum.value).description == "170141183460469231731687303715884105728")
        #expect(Exact(reducing: .min, over: 1) == least)
        #expect(Exact(reducing: .min, over: 2) == least * .half)
    }

    @Test(arguments: [("7/3", "3/7"), ("-7/3", "-3/7"), ("1", "1"), ("-5", "-1/5")])
    func `a reciprocal keeps its sign`(value: String, reciprocal: String) {
        #expect(Exact(ratio: value)?.reciprocal?.description == reciprocal)
    }

    @Test func `zero has no reciprocal`() {
        #expect(Exact.zero.reciprocal == nil)
        #expect(Exact(5).divided(by: 0) == nil)
    }

    @Test(arguments: ["", "-", "/", "1/", "/2", "1/0", "1/-2", "+1", "1.5", "a", "1/2/3", " 1"])
    func `what is no ratio is refused`(text: String) { #expect(Exact(ratio: text) == nil) }

    @Test func `a sum is the same whatever it passes through`() {
        var dice = SystemLikeDice(seed: 9)
        for _ in 0..<60 {
            let terms = (0..<Int.random(in: 0...12, using: &dice)).map { _ in Exact.any(&dice) }
            let weights = terms.map { _ in Exact.any(&dice) }
            var (sum, products) = (ExactSum(), ExactSum())
            for (term, weight) in zip(terms, weights) {
                sum.add(term)
                products.add(term, times: weight)
            }
            #expect(sum.value == terms.reduce(0, +))
            #expect(products.value == zip(terms, weights).reduce(0) { $0 + $1.0 * $1.1 })
            #expect(products.divided(by: sum) == products.value.divided(by: sum.value))
        }
    }

    @Test func `a quantity beyond 4096 bits is too precise`() {
        func power(_ exponent: Int) -> Quantity { (0..<exponent).reduce(1) { power, _ in power * 2 } }
        #expect(power(4095).isDefined)
        #expect(power(4096).reason == .tooPrecise)
        #expect((1 / power(4095)).isDefined)
        #expect((1 / power(4095) / 2).reason == .tooPrecise)
    }
}

/// A seeded source of numbers (xorshift), the same on every machine.
struct SystemLikeDice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed | 1 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

extension Exact {
    /// A whole number, a decimal, a fraction of great parts, or one that no 128 bits hold.
    static func any(_ dice: inout SystemLikeDice) -> Exact {
        let part = Int.random(in: Int.min...Int.max, using: &dice)
        let other = Int.random(in: 1...Int.max, using: &dice)
        switch Int.random(in: 0..<8, using: &dice) {
        case 0...2: return Exact(part % 100)
        case 3...4: return Exact(part % 10_000, over: 100) ?? 0
        case 5...6: return Exact(part, over: other) ?? 0
        default: return (Exact(part, over: other) ?? 0) * Exact(other) * Exact(part) * Exact(other)
        }
    }
}
