/// The difference between this machine's clock and the store's, which all nodes go by.
public struct ClockOffset: Sendable, Equatable {
    /// What to add to this machine's clock, in microseconds.
    public private(set) var microseconds: Int64

    /// Creates an offset.
    public init(microseconds: Int64 = 0) { self.microseconds = microseconds }

    /// Takes in the store's time, asked for and answered at moments of this machine's clock. What is within the error of
    /// the measurement changes nothing, so that a clock that agrees is left alone.
    public mutating func measure(_ store: Timestamp, askedAt asked: Timestamp, answeredAt answered: Timestamp) {
        let error = max(0, answered.microseconds &- asked.microseconds) / 2
        let measured = store.microseconds &- (asked.microseconds &+ error)
        let difference = measured &- microseconds
        if difference.magnitude > UInt64(error) + 1_000 { microseconds = measured }
    }
}
