/// How much a line of the log matters.
public enum LogLevel: String, Sendable, CaseIterable, Comparable {
    /// Details for finding a fault.
    case debug
    /// The ordinary course of things.
    case info
    /// Something to look at soon; everything goes on.
    case warning
    /// Something failed that should not have.
    case error

    /// The less important one is the smaller one.
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

/// What a field of a log line says. There is no way to make one of a password or a token: those show nothing of
/// themselves as text.
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
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .flag(value) }
    /// Whatever describes itself, as text.
    public init(_ value: some CustomStringConvertible) { self = .text(value.description) }
}

/// Writes lines of a level and above, each a message with fields. A value: a part of the program gets its own,
/// with fields that all its lines carry.
///
/// ```swift
/// let log = Log(level: .info, output: .standardError)
/// log.info("listening", ["host": .text(host), "port": .integer(port)])
/// ```
public struct Log: Sendable {
    private let level: LogLevel
    private let output: LogOutput
    private let fields: [LogField]

    /// A log that writes lines of `level` and above to `output`.
    public init(level: LogLevel, output: LogOutput) {
        self.init(level: level, output: output, fields: [])
    }

    private init(level: LogLevel, output: LogOutput, fields: [LogField]) {
        self.level = level
        self.output = output
        self.fields = fields
    }

    /// The same log with fields that every line carries.
    public func with(_ fields: KeyValuePairs<String, LogValue>) -> Log {
        Log(level: level, output: output, fields: self.fields + fields.map { LogField(name: $0.key, value: $0.value) })
    }

    /// Writes a line if its level is logged. The message of any other line is not built.
    public func write(
        _ level: LogLevel, _ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, LogValue> = [:]
    ) {
        guard level >= self.level else { return }
        let own = fields.map { LogField(name: $0.key, value: $0.value) }
        output.write(LogLine(level: level, message: message(), fields: self.fields + own))
    }

    /// Writes details for finding a fault.
    public func debug(_ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, LogValue> = [:]) {
        write(.debug, message(), fields)
    }

    /// A line about the ordinary course of things.
    public func info(_ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, LogValue> = [:]) {
        write(.info, message(), fields)
    }

    /// A line about something to look at soon.
    public func warning(_ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, LogValue> = [:]) {
        write(.warning, message(), fields)
    }

    /// A line about something that failed and should not have.
    public func error(_ message: @autoclosure () -> String, _ fields: KeyValuePairs<String, LogValue> = [:]) {
        write(.error, message(), fields)
    }
}
