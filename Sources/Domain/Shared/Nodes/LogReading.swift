/// How far a node has followed the log of a store that several nodes share, and until when it may trust what it keeps in
/// memory of sessions, memberships and tokens.
///
/// The log holds what takes permissions away, written in the transaction of the change. A node reads it a few times a
/// second, and at once when it is woken:
///
///     following ──read to its end──▶ following     trusts its memory until `trust` after the read began
///     following ──no read for `trust`──▶ blind      trusts nothing: each request asks the store
///     any ──no read for `longestAbsence`──▶ lost          entries may have been deleted: everything counts as changed
public struct LogReading: Sendable {
    /// The longest time between two reads.
    public static let interval = Duration.milliseconds(250)
    /// How long what was read is trusted, from the moment at which the read began.
    public static let trust = Duration.seconds(2)
    /// How long a node may stay away and still find every entry.
    public static let longestAbsence = Duration.seconds(300)
    /// How long entries are kept at least, in seconds: longer than ``longestAbsence``, by the time that clocks may stray.
    public static let kept: Int64 = 900
    /// The greatest number of entries that one read takes.
    public static let slice = 500

    /// What a read means for this node.
    public struct Outcome: Sendable, Equatable {
        /// Until when what is kept in memory may be trusted; `nil` if it may not be yet, because more is to be read.
        public let trustedUntil: ContinuousClock.Instant?
        /// Whether entries may have been missed, so that everything counts as changed.
        public let isLost: Bool
    }

    /// The number of the last entry that was taken in.
    public private(set) var place: Int
    private var reachedEnd: ContinuousClock.Instant

    /// Begins at a place that was read at a moment.
    public init(at place: Int, readAt moment: ContinuousClock.Instant) {
        self.place = place
        reachedEnd = moment
    }

    /// Takes note of a read that has been taken in.
    ///
    /// - Parameters:
    ///   - numbers: the numbers of the entries that were found after ``place``, rising.
    ///   - moment: when the read began.
    public mutating func note(_ numbers: [Int], readAt moment: ContinuousClock.Instant) -> Outcome {
        let isLost = moment - reachedEnd > Self.longestAbsence
        place = max(place, numbers.last ?? place)
        guard numbers.count < Self.slice else { return Outcome(trustedUntil: nil, isLost: isLost) }
        reachedEnd = max(reachedEnd, moment)
        return Outcome(trustedUntil: reachedEnd + Self.trust, isLost: isLost)
    }
}
