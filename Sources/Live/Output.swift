import Storage

/// Whether a reader can be written to.
enum Output: Equatable {
    case clear
    /// Something sent has not been written since then.
    case blocked(since: Instant)

    mutating func block(at now: Instant) {
        if self == .clear { self = .blocked(since: now) }
    }

    /// When what is unwritten has been so for too long.
    func deadline(limits: LiveLimits) -> Instant? {
        switch self {
        case .clear: nil
        case .blocked(let since): since.advanced(by: limits.stallTime)
        }
    }
}
