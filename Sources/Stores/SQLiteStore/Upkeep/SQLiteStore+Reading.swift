public import Cryptography
public import DataStore
import Database
import RelationalStore
import SQLite
import Shared

// What is read of a store that need not be open; another program may be using it.
extension SQLiteStore {
    /// Examines the store at `path`: the file, every audit trail by recomputing its chain, and the search index. It is
    /// read in slices.
    ///
    /// - Throws: ``StoreError`` when the file cannot be read at all.
    public static func examine(_ path: String) throws -> Diagnosis {
        try reading(path) { connection, file in
            try Migrator().check(connection)
            var doctor = Doctor(connection: connection)
            return try doctor.examine(faults: try file.integrityFaults())
        }
    }

    /// Checks that the schema of the store at `path` is none that this program does not know.
    static func check(_ path: String) throws {
        try reading(path) { connection, _ in _ = try Migrator().check(connection) }
    }

    /// Counts the passwords in the store at `path` that need a pepper, and those that need a different one than the
    /// given one; `nil` for none.
    ///
    /// - Throws: ``StoreError`` when the file cannot be read.
    public static func passwords(in path: String, pepper: Pepper?) throws -> PasswordCensus {
        try reading(path) { connection, _ in
            try Migrator().check(connection)
            return try connection.passwordCensus(pepper: pepper)
        }
    }

    /// Returns an institution of the store at `path`, by its identifier or a short name that it has or had.
    static func institution(named name: String, in path: String) throws -> StoredInstitution? {
        try reading(path) { connection, _ in try connection.storedInstitution(named: name) }
    }

    /// Returns the census of builds in the store at `path`; `nil` for an older schema, which has no information about
    /// executables.
    static func builds(in path: String) throws -> (any BuildCensus)? {
        try reading(path) { connection, _ in try StoredBuilds(on: connection) }
    }

    /// Returns the census of entries that stand for rows of classes in the store at `path`.
    static func links(in path: String) throws -> any LinkCensus {
        try reading(path) { connection, _ in StoredLinks(on: connection) }
    }

    private static func reading<Value>(
        _ path: String, _ body: (Connection, SQLiteConnection) throws -> Value
    ) throws -> Value {
        do {
            let file = try SQLiteConnection.reader(path: path)
            return try body(Connection(file), file)
        } catch {
            throw StoreError.translating(error)
        }
    }
}
