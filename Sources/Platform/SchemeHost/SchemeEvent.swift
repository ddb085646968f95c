public import GradingKit

/// What happens to a scheme's process, for the log.
public enum SchemeEvent: Sendable, Equatable {
    /// It was started; these parts of its confinement could not be had. Told when it first starts, and when the parts
    /// are others than before.
    case started(missing: [String])
    /// It wrote a line to its standard error: escaped, and of bounded length and number.
    case complained(String)
    /// It failed.
    case failed(SchemeFailure)
}
