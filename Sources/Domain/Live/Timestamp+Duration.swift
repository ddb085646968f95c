import Shared

extension Timestamp {
    /// The moment that much later, as much as fits.
    func advanced(by duration: Duration) -> Timestamp {
        let (sum, overflow) = microseconds.addingReportingOverflow(duration.microseconds)
        return Timestamp(microseconds: overflow ? (microseconds < 0 ? .min : .max) : sum)
    }

    /// How much later than `earlier` this is, as much as fits.
    func microseconds(since earlier: Timestamp) -> Int64 {
        let (difference, overflow) = microseconds.subtractingReportingOverflow(earlier.microseconds)
        return overflow ? (self < earlier ? .min : .max) : difference
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
