extension Exact: CustomStringConvertible {
    /// `577/40`, or `85` for a whole number: the form of the member `exact` in JSON.
    public var description: String {
        if case .small(let numerator, let denominator) = reduced.form {
            return denominator == 1 ? String(numerator) : String(numerator) + "/" + String(denominator)
        }
        let (isNegative, numerator, denominator) = limbs
        let sign = isNegative ? "-" : ""
        let top = sign + numerator.decimalText
        return denominator.isOne ? top : "\(top)/\(denominator.decimalText)"
    }

    /// Reads the form of `description`; the terms need not be lowest.
    public init?(ratio text: String) {
        let isNegative = text.hasPrefix("-")
        let parts = text.dropFirst(isNegative ? 1 : 0).split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.allSatisfy({ $0.utf8.count <= 4096 }), let first = parts.first,
            let numerator = Magnitude(decimalText: first)
        else { return nil }
        guard parts.count == 2 else {
            self.init(isNegative: isNegative && !numerator.isZero, numerator, over: Magnitude(1))
            return
        }
        guard let denominator = Magnitude(decimalText: parts[1]), !denominator.isZero else { return nil }
        self.init(isNegative: isNegative && !numerator.isZero, numerator, over: denominator)
    }

    /// The value as a decimal without exponent or trailing zeros, such as `13.17`; `nil` when no finite decimal equals
    /// it.
    public var decimalText: String? {
        if let short = shortDecimal {
            return Self.decimal(short.digits, scale: short.scale, isNegative: isNegative)
        }
        var (scale, rest) = (0, reduced.limbs.denominator)
        for prime in [Magnitude(2), Magnitude(5)] {
            var power = 0
            while let (quotient, remainder) = rest.dividing(by: prime), remainder.isZero {
                rest = quotient
                power += 1
            }
            scale = max(scale, power)
        }
        guard rest.isOne else { return nil }
        return Rounding.truncate.text(self, scale: scale)
    }
}

extension Exact {
    /// The decimal digits of an ordinary grade: up to four decimals and within a machine word; `nil` for other values.
    private var shortDecimal: (digits: UInt64, scale: Int)? {
        guard case .small(let numerator, let denominator) = form else { return nil }
        var (scale, power) = (0, Int64(1))
        while power % denominator != 0 {
            guard scale < 4 else { return nil }
            scale += 1
            power *= 10
        }
        var (digits, overflow) = numerator.magnitude.multipliedReportingOverflow(by: (power / denominator).magnitude)
        if overflow { return nil }
        while scale > 0, digits % 10 == 0 {
            digits /= 10
            scale -= 1
        }
        return (digits, scale)
    }

    /// Writes the value as a string in the form of `description`, in lowest terms. Avoids the allocation of a `String`
    /// for small values.
    func write(to writer: inout JSONWriter) {
        guard case .small(let numerator, let denominator) = form else { return writer.string(description) }
        writer.quoted {
            $0.decimal(numerator.magnitude, scale: 0, isNegative: numerator < 0)
            guard denominator != 1 else { return }
            $0.part("/")
            $0.decimal(denominator.magnitude, scale: 0, isNegative: false)
        }
    }

    /// Writes the value as a decimal number; `null` when no finite decimal equals it.
    func writeDecimal(to writer: inout JSONWriter) {
        if let short = shortDecimal {
            writer.decimal(short.digits, scale: short.scale, isNegative: isNegative)
        } else {
            writer.raw((decimalText ?? "null").utf8)
        }
    }

    /// Returns digits with a point before the last `scale` of them, padded with zeros.
    static func decimal(_ digits: UInt64, scale: Int, isNegative: Bool) -> String {
        var (count, rest) = (1, digits / 10)
        while rest > 0 || count <= scale {
            count += 1
            rest /= 10
        }
        let length = count + (scale > 0 ? 1 : 0) + (isNegative ? 1 : 0)
        return String(unsafeUninitializedCapacity: length) { buffer in
            var rest = digits
            // Backwards from the last of `length` bytes; the count above covers every place.
            for place in 0..<(length - (isNegative ? 1 : 0)) {
                if place == scale, scale > 0 {
                    buffer[length - 1 - place] = UInt8(ascii: ".")
                } else {
                    buffer[length - 1 - place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                    rest /= 10
                }
            }
            if isNegative { buffer[0] = UInt8(ascii: "-") }
            return length
        }
    }
}

/// A decimal as it was written, with its number of digits.
public struct DecimalText: Sendable, Equatable {
    /// The value.
    public let value: Exact
    /// Number of digits from the first to the last non-zero one; a whole number's trailing zeros count.
    public let significantDigits: Int
    /// Number of decimals without trailing zeros.
    public let decimals: Int

    /// The greatest exponent that may be written; `1e999` is not a grade.
    static let greatestExponent = 18

    /// The greatest length of a text, in bytes; longer ones are refused without parsing.
    static let greatestLength = 256

    /// Reads a plain decimal: optional sign `-`, digits, point, digits.
    ///
    /// Refuses, with `nil`, `NaN`, `Infinity`, a leading `+`, grouping, white space, a bare point, more than 256 bytes,
    /// a decimal comma unless `allowsComma`, and an exponent, which JSON numbers may have, unless `allowsExponent`.
    public init?(_ text: some StringProtocol, allowsComma: Bool = false, allowsExponent: Bool = false) {
        if let short = DecimalText(short: text.utf8) {
            self = short
            return
        }
        guard text.utf8.count <= Self.greatestLength else { return nil }
        var parser = DecimalParser(text: Array(text.utf8), allowsComma: allowsComma, allowsExponent: allowsExponent)
        guard let result = parser.parse() else { return nil }
        self = result
    }

    /// Reads the common form: at most 16 characters, digits with at most one point between them. Other forms give `nil`
    /// and need the full parser.
    init?(short text: some Collection<UInt8>) {
        guard text.count <= 16 else { return nil }
        var (value, significant, places, power) = (0, 0, -1, 1)
        var (isEmpty, trailing) = (true, 0)
        for byte in text {
            if byte == UInt8(ascii: "."), places < 0, !isEmpty {
                places = 0
                isEmpty = true
                continue
            }
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            isEmpty = false
            value = value &* 10 &+ Int(digit)
            if value > 0 { significant += 1 }
            guard places >= 0 else { continue }
            places += 1
            power &*= 10
            trailing = digit == 0 ? trailing + 1 : 0
        }
        guard !isEmpty else { return nil }
        // Trailing zeros of the decimals do not count.
        self.init(
            value: Exact(small: Int64(value), over: Int64(power)),
            significantDigits: max(0, significant - trailing), decimals: max(0, places - trailing))
    }

    /// Returns why a text that is not a `DecimalText` was refused: too many digits, or not a number at all.
    static func refusal(of text: some StringProtocol) -> FaultCode {
        let isDigits = text.utf8.count > greatestLength && text.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 == 0x2E }
        return isDigits ? .tooPrecise : .notANumber
    }

    fileprivate init(value: Exact, significantDigits: Int, decimals: Int) {
        self.value = value
        self.significantDigits = significantDigits
        self.decimals = decimals
    }
}

private struct DecimalParser {
    let text: [UInt8]
    let allowsComma: Bool
    let allowsExponent: Bool
    var position = 0
    var digits: [UInt8] = []
    var scale = 0

    init(text: [UInt8], allowsComma: Bool, allowsExponent: Bool) {
        self.text = text
        self.allowsComma = allowsComma
        self.allowsExponent = allowsExponent
    }

    mutating func parse() -> DecimalText? {
        let isNegative = accept("-")
        guard readDigits() > 0 else { return nil }
        if accept(".") || (allowsComma && accept(",")) {
            scale = readDigits()
            guard scale > 0 else { return nil }
        }
        if allowsExponent, accept("e") || accept("E") {
            guard let exponent = readExponent() else { return nil }
            scale -= exponent
        }
        guard position == text.count else { return nil }
        return result(isNegative: isNegative)
    }

    private mutating func accept(_ character: Unicode.Scalar) -> Bool {
        guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func readDigits() -> Int {
        let start = position
        while position < text.count, text[position] &- UInt8(ascii: "0") <= 9 {
            digits.append(text[position])
            position += 1
        }
        return position - start
    }

    private mutating func readExponent() -> Int? {
        let isNegative = accept("-")
        if !isNegative { _ = accept("+") }
        var value = 0
        let start = position
        while position < text.count, text[position] &- UInt8(ascii: "0") <= 9 {
            value = value * 10 + Int(text[position] - UInt8(ascii: "0"))
            guard value <= DecimalText.greatestExponent else { return nil }
            position += 1
        }
        guard position > start else { return nil }
        return isNegative ? -value : value
    }

    private mutating func result(isNegative: Bool) -> DecimalText? {
        while scale > 0, digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            scale -= 1
        }
        while scale < 0 {
            digits.append(UInt8(ascii: "0"))
            scale += 1
        }
        let significant = digits.drop { $0 == UInt8(ascii: "0") }
        let value = significant.count <= 18 && scale <= 18 ? small(significant) : wide(significant)
        return DecimalText(
            value: isNegative ? -value : value, significantDigits: significant.count, decimals: max(scale, 0))
    }

    private func small(_ digits: ArraySlice<UInt8>) -> Exact {
        let numerator = digits.reduce(Int128(0)) { $0 * 10 + Int128($1 - UInt8(ascii: "0")) }
        let denominator = (0..<max(scale, 0)).reduce(Int128(1)) { power, _ in power * 10 }
        return Exact(ratio: numerator, over: denominator)
    }

    private func wide(_ digits: ArraySlice<UInt8>) -> Exact {
        let numerator = Magnitude(decimalText: String(decoding: digits, as: UTF8.self)) ?? Magnitude(0)
        return Exact(isNegative: false, numerator, over: Magnitude.powerOfTen(max(scale, 0)))
    }
}
