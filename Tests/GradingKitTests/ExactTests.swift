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
            #expect((left / right)?.description ?? "nil" == cells[5], "\(line)")
            #expect((left < right ? "<" : left > right ? ">" : "=") == cells[6], "\(line)")
        }
    }

    @Test func `a value that words hold is kept in words, however it came about`() throws {
        let edge = Exact(.max)
        #expect(edge + 1 - 1 == edge)
        #expect((edge + 1).hashValue == (edge + 1).hashValue)
        #expect((-edge - 1 + edge) == -1)
        #expect(Exact(ratio: "340282366920938463463374607431768211456/170141183460469231731687303715884105728") == 2)
        #expect(Exact(6, over: -4)?.description == "-3/2")
        #expect(Exact(0, over: -7) == .zero)
        #expect(Exact(1, over: 0) == nil)
        #expect(Exact(.min, over: 0) == nil)
        if case .wide = (edge + 1).form {} else { Issue.record("2⁶³ is no word") }
        if case .small = (edge + 1 - 1).form {} else { Issue.record("a value that fits is small") }
        if case .small = (edge * edge / edge)?.form {} else { Issue.record("a value that fits is small") }
    }

    @Test func `the least word is kept wide, since it cannot be negated`() {
        let least = Exact(.min)
        if case .wide = least.form {} else { Issue.record("−2⁶³ is kept in words") }
        #expect(least.integer == nil)
        #expect((-least).description == "9223372036854775808")
        #expect(least.magnitude + least == 0)
        #expect(Exact(.min, over: .min) == 1)
        #expect(Exact(.min, over: 2)?.description == "-4611686018427387904")
        #expect(Exact(1, over: .min)?.description == "-1/9223372036854775808")
        var sum = ExactSum()
        sum.add(least + 1)
        sum.add(-1)
        #expect(sum.value == least)
    }

    @Test func `one number in several terms is one number`() throws {
        let forms = try [(1, 2), (50, 100), (-7, -14), (Int.max / 2, Int.max - 1)].map { top, bottom in
            try #require(Exact(top, over: bottom))
        }
        for form in forms {
            #expect(form == .half)
            #expect(form.hashValue == Exact.half.hashValue)
            #expect(!(form < .half) && !(form > .half))
            #expect(form.description == "1/2")
            #expect(form.decimalText == "0.5")
            #expect(form.bitWidth == 2)
        }
        #expect(Set(forms) == [.half])
        let whole = try #require(Exact(1_300, over: 100))
        #expect(whole.isWhole && whole.integer == 13 && whole.description == "13" && whole.decimalText == "13")
        #expect(try #require(Exact(1_310, over: 100)).decimalText == "13.1")
        #expect(try #require(Exact(0, over: 100)).decimalText == "0")
    }

    @Test func `great values have an order`() throws {
        let texts = [
            "-9223372036854775809", "-9223372036854775808", "-9223372036854775807", "-1/9223372036854775808",
            "-1/9223372036854775809", "0", "1/9223372036854775809", "1/9223372036854775808", "1/9223372036854775807",
            "9223372036854775806/9223372036854775807", "1",
            "340282366920938463463374607431768211457/340282366920938463463374607431768211456",
            "9223372036854775807/9223372036854775806", "9223372036854775807", "9223372036854775808",
        ]
        let values = try texts.map { try #require(Exact(ratio: $0)) }
        for (place, value) in values.enumerated() {
            #expect(value.description == texts[place])
            for (other, against) in values.enumerated() {
                #expect((value < against) == (place < other), "\(value) < \(against)")
                #expect((value == against) == (place == other))
            }
        }
    }

    /// The same operations on limbs of any size, which have no edges.
    @Test func `words agree with limbs at their edges`() throws {
        let edges: [Int] = [
            .min, .min + 1, -4_294_967_297, -4_294_967_296, -10_000, -3, -2, -1, 0, 1, 2, 3, 100, 4_294_967_295,
            4_294_967_296, 3_037_000_500, .max - 1, .max,
        ]
        let values = edges.flatMap { top in edges.compactMap { Exact(top, over: $0) } }
        var dice = SystemLikeDice(seed: 3)
        for left in values {
            for right in (0..<4).compactMap({ _ in values.randomElement(using: &dice) }) {
                let (a, b) = (Ratio(left), Ratio(right))
                #expect((left + right).description == (a + b).description, "\(left) + \(right)")
                #expect((left - right).description == (a - b).description, "\(left) − \(right)")
                #expect((left * right).description == (a * b).description, "\(left) × \(right)")
                #expect((left < right) == (left - right).isNegative)
                #expect((left == right) == (a - b).isZero)
                var (sum, products) = (ExactSum(), ExactSum())
                for _ in 0..<3 {
                    sum.add(left)
                    sum.add(right)
                    products.add(left, times: right)
                }
                #expect(sum.value == (left + right) * 3)
                #expect(products.value == left * right * 3)
                #expect(sum.divided(by: products) == sum.value / products.value)
            }
        }
    }

    @Test func `long values agree with limbs`() throws {
        var dice = SystemLikeDice(seed: 5)
        // Products of few numbers, so that there is something to divide by in most of them.
        let factors = (0..<6).map { _ in Exact(Int.random(in: 2...1 << 40, using: &dice)) }
        func value() throws -> Exact {
            func product() -> Exact {
                (0..<Int.random(in: 0...7, using: &dice)).reduce(Exact(Int.random(in: -9...9, using: &dice))) {
                    sum, _ in
                    sum * (factors.randomElement(using: &dice) ?? 1)
                }
            }
            let ratio = product() / product()
            return ratio ?? 0
        }
        for _ in 0..<2_000 {
            let (left, right) = (try value(), try value())
            let (a, b) = (Ratio(left), Ratio(right))
            #expect((left + right).description == (a + b).description, "\(left) + \(right)")
            #expect((left - right).description == (a - b).description, "\(left) − \(right)")
            #expect((left * right).description == (a * b).description, "\(left) × \(right)")
            #expect((left == right) == (a - b).isZero)
        }
    }

    /// To divide two long numbers at every step took the cube of the number of terms.
    @Test(.timeLimit(.minutes(10))) func `a sum of a thousand terms without a common factor is found`() {
        let terms = (0..<1_000).map { Exact(1, over: 2_147_483_647 - 2 * $0) ?? 0 }
        var sum = ExactSum()
        for term in terms { sum.add(term) }
        #expect(sum.value.bitWidth > 20_000)
        #expect(terms.reduce(sum.value, -) == 0)
    }

    @Test(arguments: [("7/3", "3/7"), ("-7/3", "-3/7"), ("1", "1"), ("-5", "-1/5")])
    func `a reciprocal keeps its sign`(value: String, reciprocal: String) {
        #expect(Exact(ratio: value)?.reciprocal?.description == reciprocal)
    }

    @Test func `zero has no reciprocal`() {
        #expect(Exact.zero.reciprocal == nil)
        #expect(Exact(5) / 0 == nil)
    }

    @Test func `values change in place`() {
        var value: Exact = 3
        value += .half
        value *= 4
        value -= 1
        #expect(value == 13)
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
            #expect(products.divided(by: sum) == products.value / sum.value)
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

/// A ratio of limbs, worked out as at school: what words must agree with.
struct Ratio {
    private let isNegative: Bool
    private let top: Magnitude
    private let bottom: Magnitude

    init(_ value: Exact) { (isNegative, top, bottom) = value.limbs }

    private init(isNegative: Bool, _ top: Magnitude, over bottom: Magnitude) {
        self.isNegative = isNegative
        self.top = top
        self.bottom = bottom
    }

    var isZero: Bool { top.isZero }

    static func + (left: Self, right: Self) -> Self {
        let (first, second) = (left.top * right.bottom, right.top * left.bottom)
        let bottom = left.bottom * right.bottom
        if left.isNegative == right.isNegative {
            return Ratio(isNegative: left.isNegative, first + second, over: bottom)
        }
        let (difference, isSwapped) = Magnitude.difference(first, second)
        return Ratio(isNegative: isSwapped != left.isNegative, difference, over: bottom)
    }

    static func - (left: Self, right: Self) -> Self {
        left + Ratio(isNegative: !right.isNegative, right.top, over: right.bottom)
    }

    static func * (left: Self, right: Self) -> Self {
        Ratio(isNegative: left.isNegative != right.isNegative, left.top * right.top, over: left.bottom * right.bottom)
    }

    var description: String {
        let divisor = Magnitude.greatestCommonDivisor(top, bottom)
        let parts = [top, bottom].map { $0.dividing(by: divisor)?.quotient.decimalText ?? "" }
        let sign = isNegative && !isZero ? "-" : ""
        return parts[1] == "1" ? sign + parts[0] : "\(sign)\(parts[0])/\(parts[1])"
    }
}
