/// A natural number of any size: 64-bit limbs, least significant first, without leading zero limbs.
///
/// The slow path of `Exact`. It has only what rational arithmetic needs, in the simplest correct form (schoolbook
/// multiplication, Knuth's division algorithm D).
struct Magnitude: Hashable, Sendable, Comparable {
    private(set) var limbs: [UInt64]

    init(_ value: UInt128) {
        limbs = [UInt64(truncatingIfNeeded: value), UInt64(truncatingIfNeeded: value >> 64)]
        normalize()
    }

    private init(limbs: [UInt64]) {
        self.limbs = limbs
        normalize()
    }

    private mutating func normalize() {
        while limbs.last == 0 { limbs.removeLast() }
    }

    var isZero: Bool { limbs.isEmpty }
    var isOne: Bool { limbs.count == 1 && limbs[0] == 1 }
    var isOdd: Bool { (limbs.first ?? 0) & 1 == 1 }

    /// The number of significant bits; 0 for zero.
    var bitWidth: Int {
        guard let top = limbs.last else { return 0 }
        return limbs.count * 64 - top.leadingZeroBitCount
    }

    /// The value if it fits 63 bits, so that it can be negated.
    var int64: Int64? {
        guard limbs.count <= 1 else { return nil }
        return Int64(exactly: limbs.first ?? 0)
    }

    static func < (left: Self, right: Self) -> Bool {
        guard left.limbs.count == right.limbs.count else { return left.limbs.count < right.limbs.count }
        for index in left.limbs.indices.reversed() where left.limbs[index] != right.limbs[index] {
            return left.limbs[index] < right.limbs[index]
        }
        return false
    }

    static func + (left: Self, right: Self) -> Self {
        let (long, short) =
            left.limbs.count >= right.limbs.count ? (left.limbs, right.limbs) : (right.limbs, left.limbs)
        var sum = long
        var carry = false
        for index in long.indices {
            let addend = index < short.count ? short[index] : 0
            let (partial, first) = long[index].addingReportingOverflow(addend)
            let (total, second) = partial.addingReportingOverflow(carry ? 1 : 0)
            sum[index] = total
            carry = first || second
        }
        if carry { sum.append(1) }
        return Magnitude(limbs: sum)
    }

    /// Returns the absolute value of the difference, and whether the difference is negative.
    static func difference(_ left: Self, _ right: Self) -> (Self, isNegative: Bool) {
        left < right ? (right.subtracting(smaller: left), true) : (left.subtracting(smaller: right), false)
    }

    private func subtracting(smaller: Self) -> Self {
        var result = limbs
        var borrow = false
        for index in limbs.indices {
            let subtrahend = index < smaller.limbs.count ? smaller.limbs[index] : 0
            let (partial, first) = limbs[index].subtractingReportingOverflow(subtrahend)
            let (total, second) = partial.subtractingReportingOverflow(borrow ? 1 : 0)
            result[index] = total
            borrow = first || second
        }
        return Magnitude(limbs: result)
    }

    static func * (left: Self, right: Self) -> Self {
        guard !left.isZero, !right.isZero else { return Magnitude(limbs: []) }
        var product = [UInt64](repeating: 0, count: left.limbs.count + right.limbs.count)
        for (row, factor) in left.limbs.enumerated() {
            var carry: UInt64 = 0
            for (column, other) in right.limbs.enumerated() {
                // (2⁶⁴−1)² + 2·(2⁶⁴−1) = 2¹²⁸−1: the sum cannot overflow.
                let total = UInt128(factor) * UInt128(other) + UInt128(product[row + column]) + UInt128(carry)
                product[row + column] = UInt64(truncatingIfNeeded: total)
                carry = UInt64(truncatingIfNeeded: total >> 64)
            }
            product[row + right.limbs.count] = carry
        }
        return Magnitude(limbs: product)
    }

    private func shifted(left bits: Int) -> [UInt64] {
        guard bits > 0 else { return limbs + [0] }
        var result = [UInt64](repeating: 0, count: limbs.count + 1)
        for (index, limb) in limbs.enumerated() {
            result[index] |= limb << bits
            result[index + 1] = limb >> (64 - bits)
        }
        return result
    }

    /// Returns quotient and remainder; `nil` for a zero divisor.
    func dividing(by divisor: Self) -> (quotient: Self, remainder: Self)? {
        guard let top = divisor.limbs.last else { return nil }
        if self < divisor { return (Magnitude(limbs: []), self) }
        if divisor.limbs.count == 1 { return dividing(byLimb: top) }
        let shift = top.leadingZeroBitCount
        let divisorLimbs = Array(divisor.shifted(left: shift).dropLast())
        var remainder = shifted(left: shift)
        let count = divisorLimbs.count
        var quotient = [UInt64](repeating: 0, count: remainder.count - count)
        for position in quotient.indices.reversed() {
            quotient[position] = Self.step(&remainder, divisorLimbs, at: position)
        }
        remainder.removeLast(remainder.count - count)
        return (Magnitude(limbs: quotient), Magnitude(limbs: Self.shifted(remainder, right: shift)))
    }

    private func dividing(byLimb divisor: UInt64) -> (quotient: Self, remainder: Self) {
        var quotient = limbs
        var remainder: UInt64 = 0
        for index in limbs.indices.reversed() {
            (quotient[index], remainder) = divisor.dividingFullWidth((remainder, limbs[index]))
        }
        return (Magnitude(limbs: quotient), Magnitude(limbs: [remainder]))
    }

    /// Computes one digit of algorithm D (Knuth, The Art of Computer Programming 2, 4.3.1), on normalised operands.
    private static func step(_ dividend: inout [UInt64], _ divisor: [UInt64], at position: Int) -> UInt64 {
        let count = divisor.count
        let leading = UInt128(dividend[position + count]) << 64 | UInt128(dividend[position + count - 1])
        let top = UInt128(divisor[count - 1])
        var estimate = leading / top
        var rest = leading % top
        let next = UInt128(divisor[count - 2])
        while estimate >> 64 != 0 || estimate * next > (rest << 64 | UInt128(dividend[position + count - 2])) {
            estimate -= 1
            rest += top
            if rest >> 64 != 0 { break }
        }
        if subtract(divisor, times: UInt64(truncatingIfNeeded: estimate), from: &dividend, at: position) {
            estimate -= 1
            addBack(divisor, to: &dividend, at: position)
        }
        return UInt64(truncatingIfNeeded: estimate)
    }

    /// Subtracts a multiple of the divisor; returns `true` if the result is negative.
    private static func subtract(
        _ divisor: [UInt64], times factor: UInt64, from dividend: inout [UInt64], at position: Int
    ) -> Bool {
        var carry: UInt64 = 0
        for (index, limb) in divisor.enumerated() {
            let product = UInt128(limb) * UInt128(factor) + UInt128(carry)
            let (difference, borrow) = dividend[position + index]
                .subtractingReportingOverflow(UInt64(truncatingIfNeeded: product))
            dividend[position + index] = difference
            carry = UInt64(truncatingIfNeeded: product >> 64) &+ (borrow ? 1 : 0)
        }
        let (difference, borrow) = dividend[position + divisor.count].subtractingReportingOverflow(carry)
        dividend[position + divisor.count] = difference
        return borrow
    }

    private static func addBack(_ divisor: [UInt64], to dividend: inout [UInt64], at position: Int) {
        var carry: UInt128 = 0
        for (index, limb) in divisor.enumerated() {
            carry += UInt128(dividend[position + index]) + UInt128(limb)
            dividend[position + index] = UInt64(truncatingIfNeeded: carry)
            carry >>= 64
        }
        dividend[position + divisor.count] &+= UInt64(truncatingIfNeeded: carry)
    }

    private static func shifted(_ limbs: [UInt64], right bits: Int) -> [UInt64] {
        guard bits > 0 else { return limbs }
        return limbs.indices.map { index in
            let above = index + 1 < limbs.count ? limbs[index + 1] << (64 - bits) : 0
            return limbs[index] >> bits | above
        }
    }

    /// Returns the quotient by a divisor above 0 that leaves no remainder.
    func divided(exactlyBy divisor: Self) -> Self { divisor.isOne ? self : dividing(by: divisor)?.quotient ?? self }

    /// Returns the greatest common divisor. Uses Euclid's algorithm until one number is a word, then the version for
    /// words.
    static func greatestCommonDivisor(_ left: Self, _ right: Self) -> Self {
        var (larger, smaller) = left < right ? (right, left) : (left, right)
        while smaller.limbs.count > 1, let (_, remainder) = larger.dividing(by: smaller) {
            (larger, smaller) = (smaller, remainder)
        }
        guard let word = smaller.limbs.first else { return larger }
        let rest = larger.dividing(byLimb: word).remainder.limbs.first ?? 0
        return Magnitude(UInt128(Exact.greatestCommonDivisor(rest, word)))
    }

    /// Returns a power of ten.
    static func powerOfTen(_ exponent: Int) -> Self {
        var power = Magnitude(1)
        for _ in 0..<exponent { power = power * Magnitude(10) }
        return power
    }

    /// Decimal digits, without leading zeros; `0` for zero.
    var decimalText: String {
        if isZero { return "0" }
        var chunks: [String] = []
        var rest = self
        let billions: UInt64 = 1_000_000_000_000_000_000
        while !rest.isZero {
            let (quotient, remainder) = rest.dividing(byLimb: billions)
            let digits = String(remainder.limbs.first ?? 0)
            chunks.append(quotient.isZero ? digits : String(repeating: "0", count: 18 - digits.count) + digits)
            rest = quotient
        }
        return chunks.reversed().joined()
    }

    /// Reads decimal digits.
    init?(decimalText text: some StringProtocol) {
        guard !text.isEmpty else { return nil }
        var value = Magnitude(0)
        for byte in text.utf8 {
            guard byte &- 0x30 <= 9 else { return nil }
            value = value * Magnitude(10) + Magnitude(UInt128(byte - 0x30))
        }
        self = value
    }
}
