import Shared

/// The inbound rate of one connection: a bucket kept as the single moment at which it will be full again.
struct MessageRate {
    enum Verdict: Equatable {
        /// The message is welcome.
        case pass
        /// The message is dropped and the client told, once: it may send again after so many milliseconds.
        case warn(after: Int64)
        /// The message is dropped; the client has been told.
        case drop
        /// The client stayed over its rate for too long.
        case close
    }

    private var fullAt = Timestamp(microseconds: .min)
    /// When the client went over its rate; `.max` while it is within.
    private var overSince = Timestamp(microseconds: .max)

    /// Counts a message. A client counts as over its rate until it has let a second's worth of room come back, so
    /// that the few messages that pass meanwhile do not reset the five seconds.
    mutating func count(at now: Timestamp, limits: LiveLimits) -> Verdict {
        let cost = 1_000_000 / Int64(max(1, limits.messagesPerSecond))
        let room = cost * Int64(max(1, limits.messageBurst))
        let backlog = max(0, fullAt.microseconds(since: now))
        let isOver = overSince.microseconds != .max
        if backlog + cost <= room {
            if isOver, backlog + 1_000_000 <= room { overSince = Timestamp(microseconds: .max) }
            fullAt = Timestamp(microseconds: max(fullAt.microseconds, now.microseconds) + cost)
            return .pass
        }
        guard isOver else {
            overSince = now
            return .warn(after: (backlog + cost - room + 999) / 1_000)
        }
        return now.microseconds(since: overSince) >= limits.overRateTime.microseconds ? .close : .drop
    }
}
