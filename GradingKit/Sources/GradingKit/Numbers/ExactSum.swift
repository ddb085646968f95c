/// A running sum over a common denominator, reduced once at the end.
///
/// Reducing at every step would cost ten times as much; an overflow of 128 bits folds what there is into
/// an `Exact` and goes on from there.
struct ExactSum {
    private var numerator: Int128 = 0
    private var denominator: Int128 = 1
    private var folded: Exact?

    /// Adds a value.
    mutating func add(_ value: Exact) {
        guard case .small(let top, let bottom) = value.form, add(top, over: bottom) else {
            fold(with: value)
            return
        }
    }

    /// Adds a product, without reducing it first.
    mutating func add(_ left: Exact, times right: Exact) {
        if case (.small(let a, let b), .small(let c, let d)) = (left.form, right.form) {
            let (top, overflow1) = a.multipliedReportingOverflow(by: c)
            let (bottom, overflow2) = b.multipliedReportingOverflow(by: d)
            if !overflow1, !overflow2, add(top, over: bottom) { return }
        }
        fold(with: left * right)
    }

    /// The sum so far.
    var value: Exact {
        let recent = Exact(reducing: numerator, over: denominator)
        return folded.map { $0 + recent } ?? recent
    }

    private mutating func fold(with value: Exact) {
        folded = self.value + value
        (numerator, denominator) = (0, 1)
    }

    /// `false` (and nothing changed) when 128 bits do not hold the sum.
    private mutating func add(_ top: Int128, over bottom: Int128) -> Bool {
        if bottom == denominator {
            let (sum, overflow) = numerator.addingReportingOverflow(top)
            if !overflow { numerator = sum }
            return !overflow
        }
        let divisor = Exact.greatestCommonDivisor(denominator.magnitude, bottom.magnitude)
        guard let divisor = Int128(exactly: divisor) else { return false }
        let raise = divisor == bottom ? 1 : bottom / divisor
        let raiseOther = divisor == denominator ? 1 : denominator / divisor
        let (left, overflow1) = numerator.multipliedReportingOverflow(by: raise)
        let (right, overflow2) = top.multipliedReportingOverflow(by: raiseOther)
        let (sum, overflow3) = left.addingReportingOverflow(right)
        let (common, overflow4) = denominator.multipliedReportingOverflow(by: raise)
        if overflow1 || overflow2 || overflow3 || overflow4 { return false }
        (numerator, denominator) = (sum, common)
        return true
    }
}
