public import GradingKit

/// An event of a scheme's process, for the log.
public enum SchemeEvent: Sendable, Equatable {
    /// The process started without these parts of its confinement. Reported at the first start and whenever the list
    /// changes.
    case started(missing: [String])
    /// It wrote a line to its standard error. The line is escaped; the length and number of lines are limited.
    case complained(String)
    /// It failed.
    case failed(SchemeFailure)
}
