public import GradingKit

/// What happens to a scheme's process, for the log.
public enum SchemeEvent: Sendable, Equatable {
    /// The process started without these parts of its confinement. Reported at the first start and whenever the list
    /// changes.
    case started(missing: [String])
    /// It wrote a line to its standard error: escaped, and of bounded length and number.
    case complained(String)
    /// It failed.
    case failed(SchemeFailure)
}
