/// A number as people write it: perhaps with a decimal comma, full-width digits, a true minus sign or grouped
/// thousands.
public enum WrittenNumber: Equatable, Sendable {
    /// A text with only one reading, as a plain decimal such as `-1234.5`.
    case plain(String)
    /// A text with two readings: `1,000` is one with three decimals, or a thousand.
    case ambiguous(small: String, great: String)
    /// A text that is not a number.
    case none

    /// Reads a text of at most 256 bytes.
    ///
    /// - Parameters:
    ///   - allowsComma: whether a comma may be the decimal separator.
    ///   - pointGroups: whether a point before three digits groups thousands, because the writer uses a decimal comma.
    public init(_ text: some StringProtocol, allowsComma: Bool, pointGroups: Bool = false) {
        guard text.utf8.count <= DecimalText.greatestLength else {
            self = .none
            return
        }
        var body = Substring(String(String.UnicodeScalarView(text.unicodeScalars.map(Self.plain))))
        let isNegative = body.first == "-"
        if isNegative { body = body.dropFirst() }
        let reading = Self.unsigned(body, allowsComma: allowsComma, pointGroups: pointGroups)
        self = isNegative ? reading.negated : reading
    }

    private var negated: WrittenNumber {
        switch self {
        case .plain(let text): .plain("-" + text)
        case .ambiguous(let small, let great): .ambiguous(small: "-" + small, great: "-" + great)
        case .none: .none
        }
    }

    /// Returns the plain character with the same meaning; other characters are unchanged.
    private static func plain(_ sign: Unicode.Scalar) -> Unicode.Scalar {
        switch sign.value {
        case 0xFF10...0xFF19: Unicode.Scalar(UInt8(sign.value - 0xFF10) + 0x30)
        case 0x2010...0x2013, 0x2212, 0xFE63, 0xFF0D: "-"
        case 0xFF0C: ","
        case 0xFF0E: "."
        case 0x2019, 0xFF07: "'"
        case 0x00A0, 0x2009, 0x202F: " "
        default: sign
        }
    }

    private static func unsigned(_ text: Substring, allowsComma: Bool, pointGroups: Bool) -> WrittenNumber {
        var marks: [Character] = []
        for sign in text where !sign.isDecimalDigit {
            guard ".,' ".contains(sign) else { return .none }
            if !marks.contains(sign) { marks.append(sign) }
        }
        switch (marks.first, marks.count) {
        case (nil, _): return text.isEmpty ? .none : .plain(String(text))
        case (let mark?, 1): return withOne(mark, in: text, allowsComma: allowsComma, pointGroups: pointGroups)
        case (_, 2): return withTwo(marks, in: text)
        default: return .none
        }
    }

    private static func withOne(
        _ mark: Character, in text: Substring, allowsComma: Bool, pointGroups: Bool
    ) -> WrittenNumber {
        let parts = text.split(separator: mark, omittingEmptySubsequences: false)
        let groups = ungrouped(parts)
        guard parts.count == 2, mark == "." || mark == "," else { return groups.map { .plain($0) } ?? .none }
        guard let (whole, fraction) = decimals(parts) else { return .none }
        if mark == "." { return .plain(pointGroups ? groups ?? "\(whole).\(fraction)" : "\(whole).\(fraction)") }
        // Three digits after a comma may be decimals or thousands: always where decimals have no comma, otherwise only
        // if the last one is a zero that a decimal would not need.
        if let groups, !allowsComma || fraction.last == "0" {
            return .ambiguous(small: shortened(whole, fraction), great: groups)
        }
        return allowsComma ? .plain("\(whole).\(fraction)") : .none
    }

    /// Reads a text with two different marks: the last one starts the decimals, and the other one groups thousands.
    private static func withTwo(_ marks: [Character], in text: Substring) -> WrittenNumber {
        let (other, last) = (marks[0], marks[1])
        let parts = text.split(separator: last, omittingEmptySubsequences: false)
        guard last == "." || last == ",", parts.count == 2, let (whole, fraction) = decimals(parts),
            let groups = ungrouped(whole.split(separator: other, omittingEmptySubsequences: false))
        else { return .none }
        return .plain("\(groups).\(fraction)")
    }

    private static func decimals(_ parts: [Substring]) -> (whole: Substring, fraction: Substring)? {
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, parts[1].allSatisfy(\.isDecimalDigit) else {
            return nil
        }
        return (parts[0], parts[1])
    }

    /// Joins groups of thousands: three digits in each group but the first, which does not begin with a zero.
    private static func ungrouped(_ groups: [Substring]) -> String? {
        guard let first = groups.first, (1...3).contains(first.count), first.first != "0", groups.count > 1,
            first.allSatisfy(\.isDecimalDigit),
            groups.dropFirst().allSatisfy({ $0.count == 3 && $0.allSatisfy(\.isDecimalDigit) })
        else { return nil }
        return groups.joined()
    }

    private static func shortened(_ whole: Substring, _ fraction: Substring) -> String {
        let digits = String(fraction.reversed().drop { $0 == "0" }.reversed())
        return digits.isEmpty ? String(whole) : "\(whole).\(digits)"
    }
}

extension Character {
    fileprivate var isDecimalDigit: Bool { ("0"..."9").contains(self) && isASCII }
}
