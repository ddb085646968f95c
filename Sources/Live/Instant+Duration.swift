import Storage

extension Instant {
    /// The moment that much later; what does not fit is the end of time.
    func advanced(by duration: Duration) -> Instant {
        let (sum, overflow) = microseconds.addingReportingOverflow(duration.microseconds)
        return Instant(microseconds: overflow ? .max : sum)
    }

    /// How much later than `earlier` this is.
    func microseconds(since earlier: Instant) -> Int64 {
        let (difference, overflow) = microseconds.subtractingReportingOverflow(earlier.microseconds)
        return overflow ? .max : difference
    }

    /// The moment in RFC 3339, UTC, with milliseconds.
    var text: String {
        let milliseconds = floored(microseconds, 1_000)
        let seconds = floored(milliseconds.quotient, 1_000)
        let days = floored(seconds.quotient, 86_400)
        let date = civilDate(days.quotient)
        let time = days.remainder
        return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
            + "T\(padded(time / 3_600, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))"
            + ".\(padded(seconds.remainder, 3))Z"
    }
}

extension Duration {
    /// The duration in microseconds, as much as fits.
    var microseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, tooMuch) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        return tooMuch ? (seconds < 0 ? .min : .max) : sum
    }
}

private func floored(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}

/// The Gregorian date of a day counted from 1970-01-01, by eras of 400 years that begin on 1 March.
private func civilDate(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floored(day + 719_468, 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
}

private func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
