internal import CPostgreSQL

/// An error of the server, of the connection to it, or of a call that the driver refuses.
///
/// It holds neither the values of parameters nor a password.
public struct PostgreSQLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What failed, in the classes that callers tell apart.
    public enum Kind: Hashable, Sendable {
        /// A row with the same unique value or primary key exists already.
        case duplicate
        /// Another constraint of the schema is violated.
        case constraint
        /// A serialization failure or a deadlock; the whole transaction may succeed when it is repeated.
        case conflict
        /// A lock was not granted within the lock timeout.
        case lockTimeout
        /// The statement was stopped: it ran longer than the statement timeout, or was cancelled.
        case statementTimeout
        /// The server's disk is full.
        case diskFull
        /// The server lacks memory, connections or another resource.
        case shortage
        /// The server is shutting down, starting, or has restarted after a crash.
        case shutdown
        /// The connection could not be made, broke, or the server was silent for too long.
        case connectionLost
        /// The server refused the password, or does not let this user in.
        case refusedCredentials
        /// The server has no such database.
        case unknownDatabase
        /// A table, column, function or schema does not exist, so the schema is probably an older one.
        case unknownObject
        /// The server is read-only: a standby, or the transaction was begun as read-only.
        case readOnly
        /// An earlier statement failed, and the transaction must be rolled back.
        case failedTransaction
        /// The caller made a mistake, and the driver sent nothing or cannot read the rows.
        case misuse
        /// Any other error of the server.
        case other
    }

    /// What failed.
    public let kind: Kind
    /// The server's code, five characters; `nil` if the server did not report the error.
    public let state: String?
    /// The server's message in its language, or the driver's own.
    public let message: String
    /// The SQL text that failed; `nil` if the error belongs to no statement.
    public internal(set) var statement: String?
    /// The name of the constraint that is violated.
    public internal(set) var constraint: String?
    /// The name of the table that the error concerns.
    public internal(set) var table: String?
    /// Whether the statement was queued, so that it failed before the call that throws this error.
    public internal(set) var wasQueued = false
    /// Whether the connection can no longer be used.
    public internal(set) var endsConnection = false
    /// Whether the connection ended during a commit, so that the change may or may not be durable.
    ///
    /// Ask ``PostgreSQLConnection/status(of:)`` on a new connection.
    public internal(set) var isOutcomeUnknown = false

    /// Creates an error of the server from its code.
    init(state: String, message: String) {
        kind = Kind(state: state)
        self.state = state
        self.message = message
    }

    /// Creates an error that the server did not report.
    init(_ kind: Kind, _ message: String, statement: String? = nil) {
        self.kind = kind
        state = nil
        self.message = message
        self.statement = statement
        endsConnection = kind == .connectionLost
    }

    /// Creates the error of a call on a connection that has ended already.
    init(afterEnd end: PostgreSQLError) {
        kind = end.kind
        state = end.state
        message = "the connection has ended: \(end.message)"
        endsConnection = true
    }

    /// Whether a row with the same unique value or primary key exists already.
    public var isDuplicate: Bool { kind == .duplicate }

    /// Whether the same transaction may succeed when it is repeated at once.
    public var isRetryable: Bool { kind == .conflict }

    /// The message, the server's code and the statement.
    public var description: String {
        let code = state.map { " (PostgreSQL \($0))" } ?? ""
        return "\(message)\(code)\(statement.map { " in: \($0)" } ?? "")"
    }
}

extension PostgreSQLError.Kind {
    /// Classifies a code by PostgreSQL's table of error codes: five characters, the first two of them the class.
    init(state: String) {
        switch state {
        case "23505": self = .duplicate
        case "40001", "40P01": self = .conflict
        case "55P03": self = .lockTimeout
        case "57014": self = .statementTimeout
        case "53100": self = .diskFull
        case "3D000": self = .unknownDatabase
        case "42P01", "42703", "42883", "3F000": self = .unknownObject
        case "25006": self = .readOnly
        case "25P02": self = .failedTransaction
        // A timeout ended the session or the idle transaction.
        case "25P03", "57P05": self = .connectionLost
        default:
            switch state.prefix(2) {
            case "08": self = .connectionLost
            case "23": self = .constraint
            case "28": self = .refusedCredentials
            case "53": self = .shortage
            case "57": self = state.dropFirst(2).hasPrefix("P0") ? .shutdown : .other
            default: self = .other
            }
        }
    }
}

extension PostgreSQLError {
    /// Reads the error that a result carries; `nil` if the server sent no code, because the connection broke.
    init?(result: OpaquePointer) {
        guard let state = Self.field(cpostgresql_state, of: result) else { return nil }
        self.init(state: state, message: Self.field(cpostgresql_message, of: result) ?? "no message")
        constraint = Self.field(cpostgresql_constraint, of: result)
        table = Self.field(cpostgresql_table, of: result)
        let severity = Self.field(cpostgresql_severity, of: result)
        endsConnection = severity == "FATAL" || severity == "PANIC"
    }

    private static func field(_ name: Int32, of result: OpaquePointer) -> String? {
        PQresultErrorField(result, name).map { String(cString: $0) }
    }

    /// Reads what libpq says about a connection that could not be made.
    ///
    /// libpq 15 gives the server's code of such an error only in its text, and only in the verbose form:
    /// `connection to server … failed: FATAL:  28P01: password authentication failed …`, then lines about the source.
    static func connecting(_ text: String) -> PostgreSQLError {
        let line = text.split(separator: "\n").last { $0.contains(":  ") && !$0.hasPrefix("LOCATION:") }
        if let line, let mark = line.firstRange(of: ":  ") {
            let rest = line[mark.upperBound...]
            let state = rest.prefix { $0.isASCII && ($0.isUppercase || $0.isNumber) }
            if state.count == 5, rest.dropFirst(5).hasPrefix(": ") {
                var error = PostgreSQLError(state: String(state), message: String(rest.dropFirst(7)))
                error.endsConnection = true
                return error
            }
        }
        let message = text.split(separator: "\n").joined(separator: " ")
        return PostgreSQLError(.connectionLost, message.isEmpty ? "the connection could not be made" : message)
    }
}
