package import Database
import PostgreSQL
import RelationalStore
import Shared

extension PostgresStores: TransferableStores {
    /// Lends a connection to the database as it is at one moment.
    package func withSource<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        try claiming { connection in
            try connection.withTransaction(for: .reading) { try body(connection) }
        }
    }

    /// Lends a connection to the database in a transaction, which is committed when `body` returns.
    package func withTarget<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        try claiming { connection in
            do {
                return try connection.withTransaction(for: .writing) { try body(connection) }
            } catch let error as PostgreSQLError where error.isOutcomeUnknown {
                throw StoreError.unavailable(
                    "the connection ended while the copy was committed, so it is there as a whole or not at all. Copy "
                        + "again: a database that has it is refused as not empty")
            }
        }
    }

    /// Connects, and keeps every other program from changing the database.
    private func claiming<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        do {
            let connection = try options.connectForLongWork()
            guard try connection.waitForLock(.serving, atMost: options.servingPatience) else {
                throw StoreError.unavailable(PostgresWriter.otherServer)
            }
            // As after migrating: the next server is not to wait until the database notices the end of the connection.
            defer { try? connection.unlock(.serving) }
            guard try connection.waitForLock(.writing, atMost: options.servingPatience) else {
                throw StoreError.unavailable("another program is changing the database")
            }
            return try body(Connection(connection))
        } catch {
            throw options.explaining(error)
        }
    }
}
