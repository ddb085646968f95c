public import PostgreSQL
import Shared

/// Where a store in a database of PostgreSQL is, and its options.
public struct PostgresStoreOptions: Sendable {
    /// News of the writer's connection.
    public enum News: Sendable {
        /// The database cannot be reached; with the reason. Changes are refused until it can.
        case lost(String)
        /// The database takes changes again.
        case back
        /// This program cannot serve the store any more, and must be started again; with the reason.
        case ended(String)
    }

    /// The server, the database, and who signs in. The password is asked of ``password``.
    public var settings: PostgreSQLSettings
    /// The pooler that reads go through; `nil` if they go to the server. What writes holds locks of its session, and so
    /// never goes through a pooler.
    public var pooler: PostgreSQLSettings?
    /// Returns the password; asked for each new connection, so that it may change.
    public var password: @Sendable () throws -> [UInt8]
    /// Number of connections for single reads, each with its own thread.
    public var readers = 4
    /// Number of changes that may wait for the writer; more are refused.
    public var waitingWrites = 4_096
    /// Number of reads that may wait for a connection; more are refused.
    public var waitingReads = 4_096
    /// The greatest number of changes in one transaction.
    public var groupChanges = 64
    /// How long to wait after a failed attempt to connect before the next one; changes are refused meanwhile.
    public var reconnectDelay = Duration.milliseconds(500)
    /// How long a transaction that writes may wait for this program between two statements. After that the server ends
    /// it, so that a node that hangs does not keep the others from writing.
    public var writingPatience = Duration.seconds(5)
    /// How long a start waits for the right to serve, which a program that migrates or copies keeps.
    public var servingPatience = Duration.seconds(5)
    /// Called with news of the database, on the threads that notice; it must be quick.
    public var report: @Sendable (News) -> Void = { _ in }

    /// Creates the default options, with the password of the settings.
    public init(_ settings: PostgreSQLSettings) {
        self.settings = settings
        password = { [password = settings.password] in password }
    }

    /// Connects to the server and signs in.
    func connect() throws -> PostgreSQLConnection { try connect(to: settings) }

    /// Connects to where reads go, and signs in.
    func connectToRead() throws -> PostgreSQLConnection { try connect(to: pooler ?? settings) }

    private func connect(to settings: PostgreSQLSettings) throws -> PostgreSQLConnection {
        var settings = settings
        settings.password = try password()
        return try PostgreSQLConnection(settings)
    }

    /// Connects to the server for the writer, whose transactions the other nodes wait for.
    func connectToWrite() throws -> PostgreSQLConnection {
        var options = self
        options.settings.idleTransactionTimeout = writingPatience
        return try options.connect()
    }

    /// Connects to the server for short statements that need not be durable.
    func connectToListen() throws -> PostgreSQLConnection {
        var options = self
        options.settings.statementTimeout = LogReading.trust
        options.settings.answerTimeout = LogReading.trust * 2
        let connection = try options.connect()
        try connection.run("SET synchronous_commit = off")
        return connection
    }

    /// Connects to the server for statements that may take as long as they need.
    func connectForLongWork() throws -> PostgreSQLConnection {
        var patient = self
        patient.settings.statementTimeout = .zero
        patient.settings.idleTransactionTimeout = .zero
        patient.settings.answerTimeout = .seconds(86_400)
        return try patient.connect()
    }
}
