/// The severity of a log line.
public enum LogLevel: String, Sendable, CaseIterable, Comparable {
    /// Details for finding a fault.
    case debug
    /// Normal operation.
    case info
    /// Something to look at soon; the service continues.
    case warning
    /// Something failed that should not have.
    case error

    /// Returns whether the left level is less severe.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }
}

/// The value of a field of a log line. Secrets cannot get into one by accident: passwords and tokens reveal nothing as
/// text.
public enum LogValue: Sendable, Equatable, ExpressibleByStringLiteral, ExpressibleByStringInterpolation,
    ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
    case text(String)
    case integer(Int)
    case flag(Bool)

    /// Text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A Boolean.
    public init(booleanLiteral value: Bool) { self = .flag(value) }
    /// The description of a value, as text.
    public init(_ value: some CustomStringConvertible) { self = .text(value.description) }
}

/// Writes log lines of a level and above, each a message with fields. It is a value: a part of the program gets its
/// own, with fields that are in all of its lines.
///
/// ```swift
/// let log = Log(level: .info, output: .standardError)
/// log.info("listening", ["host": .text(host), "port": .integer(port)])
/// ```
public struct Log: Sendable {
    private let level: LogLevel
    private let output: LogOutput
    private let fields: [LogField]

    /// Creates a log that writes lines of `level` and above to `output`.
    public init(level: LogLevel, output: LogOutput) {
        self.init(level: level, output: output, fields: [])
    }

    private init(level: LogLevel, output: LogOutput, fields: [LogField]) {
        self.level = level
        self.output = output
        self.fields = fields
    }

    /// Returns the same log with fields that are added to every line.
    public func with(_ fields: KeyValuePairs<String, LogValue>) -> Log {
        Log(level: level, output: output, fields: self.fields + fields.map { LogField(name: $0.key, value: $0.value) })
    }

    /// Writes a line if its level is logged; otherwise the message is not even built.
    public func write(
        _ level: LogLevel, _ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, LogValue> = [:]
    ) {
        guard level >= self.level else { return }
        let own = fields.map { LogField(name: $0.key, value: $0.value) }
        output.write(LogLine(level: level, message: message(), fields: self.fields + own))
    }

    /// Writes a line with fields that depend on what is known.
    public func write(_ level: LogLevel, _ message: @autoclosure () -> String, _ fields: [(String, LogValue)]) {
        guard level >= self.level else { return }
        let own = fields.map { LogField(name: $0.0, value: $0.1) }
        output.write(LogLine(level: level, message: message(), fields: self.fields + own))
    }

    /// Writes details for finding a fault.
    public func debug(_ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, LogValue> = [:]) {
        write(.debug, message(), fields)
    }

    /// Writes a line about normal operation.
    public func info(_ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, LogValue> = [:]) {
        write(.info, message(), fields)
    }

    /// Writes a line about something to look at soon.
    public func warning(_ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, LogValue> = [:]) {
        write(.warning, message(), fields)
    }

    /// Writes a line about something that failed and should not have.
    public func error(_ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, LogValue> = [:]) {
        write(.error, message(), fields)
    }
}
