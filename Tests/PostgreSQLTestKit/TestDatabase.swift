public import PostgreSQL
public import TestKit

/// A schema of one test on the server that all tests of a process share, with the connections to it.
public struct TestDatabase {
    /// The server.
    public let cluster: PostgreSQLCluster
    private let schema: String

    /// Makes an empty schema.
    public init() throws {
        cluster = try PostgreSQLCluster.shared.get()
        let connection = try PostgreSQLConnection(cluster.settings)
        let number = try connection.first("SELECT pg_current_xact_id()") { $0.integer(0) } ?? 0
        schema = "test\(number)"
        try connection.execute("CREATE SCHEMA \(schema)")
    }

    /// Connects; names without a schema are in this test's own.
    public func connect(_ change: (inout PostgreSQLSettings) -> Void = { _ in }) throws -> PostgreSQLConnection {
        var settings = cluster.settings
        change(&settings)
        let connection = try PostgreSQLConnection(settings)
        try connection.execute("SET search_path TO \(schema)")
        return connection
    }
}

extension PostgreSQLCluster {
    /// The server that all tests of a process share. The process's end ends it.
    public static let shared = Result { try PostgreSQLCluster() }

    /// How its owner connects to it by its Unix socket; a busy machine has time to answer.
    public var settings: PostgreSQLSettings {
        var settings = PostgreSQLSettings(host: folder, database: "postgres", user: user, tls: .disable)
        settings.port = port
        settings.password = Array(password.utf8)
        settings.connectTimeout = .seconds(Patience.seconds)
        settings.answerTimeout = .seconds(Patience.seconds)
        settings.statementTimeout = .zero
        settings.lockTimeout = .zero
        settings.idleTransactionTimeout = .zero
        return settings
    }
}
