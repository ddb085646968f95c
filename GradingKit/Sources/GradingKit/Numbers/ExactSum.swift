/// A running sum over a common denominator, reduced only when necessary.
///
/// Terms are products of words over a word, the sum a double word over a word. When these overflow, the sum is first
/// reduced; if that is not enough, it is added to an `Exact`, and a new sum starts.
package struct ExactSum {
    private var numerator: Int128 = 0
    private var denominator: Int64 = 1
    /// The part of the sum that the words could not hold.
    private var folded = Exact.zero
    /// Whether the sum is longer than any sum of grades could be; continuing would only take time.
    package private(set) var isEndless = false
    /// The cost of the sum beyond machine words, in steps of a run.
    package private(set) var work = 0

    /// Creates an empty sum.
    package init() {}

    /// Adds a value.
    @inline(__always)
    package mutating func add(_ value: Exact) {
        if case .small(let top, let bottom) = value.form, add(top, over: bottom) { return }
        addSlowly(value)
    }

    /// Adds a product without reducing it first.
    @inline(__always)
    package mutating func add(_ left: Exact, times right: Exact) {
        if case (.small(let a, let b), .small(let c, let d)) = (left.form, right.form) {
            let (top, overflow) = a.multipliedReportingOverflow(by: c)
            let (bottom, bottomOverflow) = b.multipliedReportingOverflow(by: d)
            if !overflow, !bottomOverflow, add(top, over: bottom) { return }
        }
        addSlowly(left * right)
    }

    /// Returns the weighted mean of values, each with the weight at the same index; `nil` when the weights sum to zero.
    package static func mean(of values: [Exact], weightedBy weights: [Exact]) -> Exact? {
        var (total, sum) = (ExactSum(), ExactSum())
        for place in 0..<min(values.count, weights.count) {
            total.add(values[place], times: weights[place])
            sum.add(weights[place])
        }
        return total.divided(by: sum)
    }

    /// The sum so far.
    package var value: Exact {
        let narrow = Exact(ratio: numerator, over: Int128(denominator))
        return folded.isZero ? narrow : folded + narrow
    }

    /// Returns the quotient of two sums, unreduced if words hold it; `nil` when the divisor is zero.
    package func divided(by divisor: ExactSum) -> Exact? {
        guard folded.isZero, divisor.folded.isZero, let top = Int64(exactly: numerator),
            let bottom = Int64(exactly: divisor.numerator), bottom > 0
        else { return value / divisor.value }
        // All factors are words, so a double word holds each product.
        return Exact(
            ratio: Int128(top) &* Int128(divisor.denominator), over: Int128(denominator) &* Int128(bottom))
    }

    /// Adds a fraction over a positive denominator; returns `false`, with nothing changed, when the words do not hold
    /// the sum.
    @inline(__always)
    private mutating func add(_ top: Int64, over bottom: Int64) -> Bool {
        if bottom == denominator { return add(Int128(top)) }
        let (raise, rest) = denominator.quotientAndRemainder(dividingBy: bottom)
        return rest == 0 ? add(Int128(top) &* Int128(raise)) : addToCommon(top, over: bottom)
    }

    @inline(__always)
    private mutating func add(_ top: Int128) -> Bool {
        let (sum, overflow) = numerator.addingReportingOverflow(top)
        if !overflow { numerator = sum }
        return !overflow
    }

    /// Raises the sum to the least common denominator, then adds.
    @inline(never)
    private mutating func addToCommon(_ top: Int64, over bottom: Int64) -> Bool {
        let common = Int64(Exact.greatestCommonDivisor(denominator.magnitude, bottom.magnitude))
        let raise = bottom / common
        let (shared, overflow) = denominator.multipliedReportingOverflow(by: raise)
        let (raised, raisedOverflow) = numerator.multipliedReportingOverflow(by: Int128(raise))
        let (sum, sumOverflow) = raised.addingReportingOverflow(Int128(top) &* Int128(denominator / common))
        if overflow || raisedOverflow || sumOverflow { return false }
        (numerator, denominator) = (sum, shared)
        return true
    }

    /// Tries again in lowest terms; if that overflows too, moves the sum to `folded`.
    @inline(never)
    private mutating func addSlowly(_ value: Exact) {
        let whole = Exact(ratio: numerator, over: Int128(denominator)).reduced
        if case (.small(let sum, let shared), .small(let top, let bottom)) = (whole.form, value.reduced.form) {
            (numerator, denominator) = (Int128(sum), shared)
            if add(top, over: bottom) { return }
        }
        folded = folded + whole + value
        work += folded.work + value.work
        isEndless = folded.bitWidth > 8_192
        (numerator, denominator) = (0, 1)
    }
}
