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
        if case (.small(let a, let b), .small(let c, let d)) = (left.form, right.form),
            let top = Exact.product(a, c), let bottom = d == 1 ? b : Exact.product(b, d), add(top, over: bottom)
        {
            return
        }
        fold(with: left * right)
    }

    /// The sum so far.
    var value: Exact {
        let recent = Exact(reducing: numerator, over: denominator)
        return folded.map { $0 + recent } ?? recent
    }

    /// The quotient of two sums, reduced once; `nil` when the divisor is zero.
    func divided(by divisor: ExactSum) -> Exact? {
        guard folded == nil, divisor.folded == nil, divisor.numerator > 0,
            let top = Exact.product(numerator, divisor.denominator),
            let bottom = Exact.product(denominator, divisor.numerator)
        else { return value.divided(by: divisor.value) }
        return Exact(reducing: top, over: bottom)
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
        if let raise = Exact.wordQuotient(denominator, bottom) {
            guard let raised = Exact.product(top, raise) else { return false }
            let (sum, overflow) = numerator.addingReportingOverflow(raised)
            if !overflow { numerator = sum }
            return !overflow
        }
        return add(top, bringing: bottom)
    }

    /// The general case: both sides are brought to a new common denominator.
    private mutating func add(_ top: Int128, bringing bottom: Int128) -> Bool {
        guard let divisor = Int128(exactly: Exact.greatestCommonDivisor(denominator.magnitude, bottom.magnitude)),
            let left = Exact.product(numerator, bottom / divisor),
            let right = Exact.product(top, denominator / divisor),
            let common = Exact.product(denominator, bottom / divisor)
        else { return false }
        let (sum, overflow) = left.addingReportingOverflow(right)
        if overflow { return false }
        (numerator, denominator) = (sum, common)
        return true
    }
}
