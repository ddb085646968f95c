import GradingKit
import Testing

@testable import Application

/// Numbers as whole hundredths, so that everything is computed a second time in integers.
@Suite struct NumberStatisticsTests {
    private static let most = NumberStatistics.mostBars

    private func exact(_ hundredths: Int) -> Exact { Exact(hundredths, over: 100) ?? .zero }

    private func statistics(_ hundredths: [Int], _ scale: ClosedRange<Int>? = nil) throws -> NumberStatistics {
        let scale = scale.map { exact($0.lowerBound)...exact($0.upperBound) }
        return try #require(NumberStatistics(hundredths.map { exact($0) }, on: scale))
    }

    /// Four times the number so many quarters of the way along.
    private func quantile(_ quarters: Int, of sorted: [Int]) -> Int {
        let position = quarters * (sorted.count - 1)
        let (below, above) = (sorted[position / 4], sorted[min(position / 4 + 1, sorted.count - 1)])
        return 4 * below + (above - below) * (position % 4)
    }

    @Test(arguments: 0..<300) func `of random numbers are what integers say`(seed: Int) throws {
        var chance = Chance(state: UInt64(seed))
        let spread = [1, 10, 1_000, 10_000, 1_000_000].randomElement(using: &chance) ?? 1
        let numbers = (0..<Int.random(in: 1...60, using: &chance)).map { _ in
            Int.random(in: -spread...spread, using: &chance)
        }
        let found = try statistics(numbers)
        let sorted = numbers.sorted()
        #expect(found.mean * Exact(100 * numbers.count) == Exact(numbers.reduce(0, +)))
        #expect([found.least, found.greatest] == [exact(sorted[0]), exact(sorted[sorted.count - 1])])
        for (value, quarters) in [(found.lowerQuartile, 1), (found.median, 2), (found.upperQuartile, 3)] {
            #expect(value * Exact(400) == Exact(quantile(quarters, of: sorted)))
        }
        try checkBars(of: found, numbers)
    }

    @Test(arguments: 0..<300) func `bars cover a scale, and what lies beyond stands at its sides`(seed: Int) throws {
        var chance = Chance(state: UInt64(1_000 + seed))
        let least = Int.random(in: -500...500, using: &chance)
        let scale = least...(least + Int.random(in: 0...40_000, using: &chance))
        let numbers = (0..<Int.random(in: 1...60, using: &chance)).map { _ in
            Int.random(in: (scale.lowerBound - 5_000)...(scale.upperBound + 5_000), using: &chance)
        }
        let found = try statistics(numbers, scale)
        try checkBars(of: found, numbers)
        let inner = found.bars.filter { $0.from != nil && $0.to != nil }
        #expect(try #require(inner.first?.from) <= exact(scale.lowerBound))
        #expect(try #require(inner.last?.to) >= exact(scale.upperBound))
    }

    /// Each number lies in one bar, bars follow each other in one width, and they are few.
    private func checkBars(of found: NumberStatistics, _ numbers: [Int]) throws {
        #expect((1...Self.most).contains(found.bars.count))
        let inner = found.bars.filter { $0.from != nil && $0.to != nil }
        let end = try #require(inner.last?.to)
        for bar in found.bars {
            let count = numbers.count { number in
                let value = exact(number)
                guard let from = bar.from else { return bar.to.map { value < $0 } ?? false }
                guard let to = bar.to else { return value > from }
                return value >= from && (value < to || to == end && value == to)
            }
            #expect(bar.count == count)
        }
        #expect(found.bars.reduce(0) { $0 + $1.count } == numbers.count)
        for (one, next) in zip(inner, inner.dropFirst()) { #expect(one.to == next.from) }
        let widths = Set(inner.compactMap { bar in bar.from.flatMap { from in bar.to.map { $0 - from } } })
        #expect(widths.count == 1)
    }

    @Test func `points out of a hundred stand in ten bars, and twentieths in ten of two`() throws {
        #expect(try statistics([0, 10_000], 0...10_000).bars.map(\.count) == [1, 0, 0, 0, 0, 0, 0, 0, 0, 1])
        let bars = try statistics([2_100, -100, 2_000], 0...2_000).bars
        #expect(bars.count == 12)
        #expect(bars.first == NumberStatistics.Bar(from: nil, to: 0, count: 1))
        #expect(bars.last == NumberStatistics.Bar(from: 20, to: nil, count: 1))
        #expect(bars.dropLast().last == NumberStatistics.Bar(from: 18, to: 20, count: 1))
    }

    @Test func `one number lies in one bar, no number in none, and a very long scale has none`() throws {
        #expect(try statistics([1_234]).bars == [NumberStatistics.Bar(from: 12, to: 13, count: 1)])
        #expect(try statistics([1_200]).bars == [NumberStatistics.Bar(from: 12, to: 13, count: 1)])
        #expect(NumberStatistics([]) == nil)
        let long = (0..<40).reduce(Exact.one) { value, _ in value * 10 }
        #expect(NumberStatistics([0, long])?.bars == [])
    }
}

/// Chance that comes out alike each time.
struct Chance: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
