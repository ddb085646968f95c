/// A running sum over a common denominator, reduced once at the end.
///
/// Reducing at every step would cost ten times as much. Most sums stay within machine words; what outgrows them is
/// moved into 128 bits, and what outgrows those into an `Exact`, and the sum goes on from there.
package struct ExactSum {
    private var words = FractionSum<Int64>()
    private var doubleWords = FractionSum<Int128>()
    private var folded: Exact?

    /// Adds a value.
    mutating func add(_ value: Exact) {
        guard case .small(let top, let bottom) = value.form else { return fold(with: value) }
        if let top = Int64(exactly: top), let bottom = Int64(exactly: bottom), words.add(top, over: bottom) { return }
        if !addWide(top, over: bottom) { fold(with: value) }
    }

    /// Adds a product, without reducing it first.
    mutating func add(_ left: Exact, times right: Exact) {
        guard case (.small(let a, let b), .small(let c, let d)) = (left.form, right.form) else {
            return fold(with: left * right)
        }
        if let a = Int64(exactly: a), let b = Int64(exactly: b), let c = Int64(exactly: c), let d = Int64(exactly: d) {
            let (top, overflow) = a.multipliedReportingOverflow(by: c)
            let (bottom, bottomOverflow) = b.multipliedReportingOverflow(by: d)
            if !overflow, !bottomOverflow, words.add(top, over: bottom) { return }
        }
        guard let top = Exact.product(a, c), let bottom = Exact.product(b, d), addWide(top, over: bottom) else {
            return fold(with: left * right)
        }
    }

    /// The weighted mean of values, each by the weight at its place; `nil` when the weights sum to zero.
    package static func mean(of values: [Exact], weightedBy weights: [Exact]) -> Exact? {
        var (total, sum) = (ExactSum(), ExactSum())
        for (value, weight) in zip(values, weights) {
            total.add(value, times: weight)
            sum.add(weight)
        }
        return total.divided(by: sum)
    }

    /// The sum so far.
    var value: Exact {
        let narrow = Exact(reducing: Int128(words.numerator), over: Int128(words.denominator))
        if folded == nil, doubleWords.numerator == 0 { return narrow }
        let wide = narrow + Exact(reducing: doubleWords.numerator, over: doubleWords.denominator)
        return folded.map { $0 + wide } ?? wide
    }

    /// The quotient of two sums, reduced once; `nil` when the divisor is zero.
    func divided(by divisor: ExactSum) -> Exact? {
        guard isNarrow, divisor.isNarrow, divisor.words.numerator > 0 else {
            return value.divided(by: divisor.value)
        }
        return Exact(
            reducing: Int128(words.numerator) &* Int128(divisor.words.denominator),
            over: Int128(words.denominator) &* Int128(divisor.words.numerator))
    }

    /// Whether machine words hold all of the sum.
    private var isNarrow: Bool { folded == nil && doubleWords.numerator == 0 }

    /// Makes room in the machine words, then adds to 128 bits; `false` when those do not hold the sum.
    private mutating func addWide(_ top: Int128, over bottom: Int128) -> Bool {
        if !doubleWords.add(Int128(words.numerator), over: Int128(words.denominator)) { fold(with: .zero) }
        words = FractionSum()
        return doubleWords.add(top, over: bottom)
    }

    private mutating func fold(with value: Exact) {
        folded = self.value + value
        (words, doubleWords) = (FractionSum(), FractionSum())
    }
}

/// A sum of fractions in integers of one width.
private struct FractionSum<Integer: FixedWidthInteger & SignedInteger> where Integer.Magnitude: UnsignedInteger {
    private(set) var numerator: Integer = 0
    private(set) var denominator: Integer = 1

    /// Adds a fraction over a positive denominator; `false` (and nothing changed) when the width does not hold the sum.
    mutating func add(_ top: Integer, over bottom: Integer) -> Bool {
        if bottom == denominator { return add(top) }
        let (raise, rest) = denominator.quotientAndRemainder(dividingBy: bottom)
        if rest == 0 {
            let (raised, overflow) = top.multipliedReportingOverflow(by: raise)
            return overflow ? false : add(raised)
        }
        let divisor = UInt128(truncatingIfNeeded: bottom.magnitude)
        let common = Integer(truncatingIfNeeded: Exact.greatestCommonDivisor(UInt128(rest.magnitude), divisor))
        let (left, overflow1) = numerator.multipliedReportingOverflow(by: bottom / common)
        let (right, overflow2) = top.multipliedReportingOverflow(by: denominator / common)
        let (sum, overflow3) = left.addingReportingOverflow(right)
        let (shared, overflow4) = denominator.multipliedReportingOverflow(by: bottom / common)
        if overflow1 || overflow2 || overflow3 || overflow4 { return false }
        (numerator, denominator) = (sum, shared)
        return true
    }

    private mutating func add(_ top: Integer) -> Bool {
        let (sum, overflow) = numerator.addingReportingOverflow(top)
        if !overflow { numerator = sum }
        return !overflow
    }
}
