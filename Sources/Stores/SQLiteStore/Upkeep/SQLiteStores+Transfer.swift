package import Database
import Glibc
import RelationalStore
import SQLite
import Shared

extension SQLiteStores: TransferableStores {
    /// Lends a connection to the file, which must exist.
    package func withSource<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        do {
            guard exists else { throw StoreError.unavailable("there is no file \(place)") }
            return try holdingLocks {
                let connection = Connection(try SQLiteConnection.reader(path: place))
                return try connection.withTransaction(for: .reading) { try body(connection) }
            }
        } catch {
            throw StoreError.translating(error)
        }
    }

    /// Lends a connection to a new file, which appears at its place when it is complete and durable.
    package func withTarget<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        let partial = "\(place).partial"
        do {
            try DatabaseFile.checkFree(place)
            return try holdingLocks {
                DatabaseFile.remove(partial)
                try DatabaseFile.makePrivate(partial)
                let value = try fill(partial, body)
                for suffix in ["-wal", "-shm"] { unlink(partial + suffix) }
                try DatabaseFile.put(partial, at: place)
                return value
            }
        } catch {
            DatabaseFile.remove(partial)
            throw StoreError.translating(error)
        }
    }

    private func fill<Value>(_ file: String, _ body: (Connection) throws -> Value) throws -> Value {
        let driver = try SQLiteConnection.writer(path: file, options: options)
        let connection = Connection(driver)
        try Migrator().bringUpToDate(connection)
        let value = try connection.withTransaction(for: .writing) { try body(connection) }
        let faults = try driver.integrityFaults()
        guard faults.isEmpty else { throw StoreError.incompatible(faults.joined(separator: "; ")) }
        try driver.checkpoint(.truncate)
        return value
    }

    private func holdingLocks<Value>(_ body: () throws -> Value) throws -> Value {
        let locks = [try FileLock(database: place), try FileLock(database: place, as: .noGuests)]
        defer { for lock in locks { lock.release() } }
        return try body()
    }
}
