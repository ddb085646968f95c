public import Cryptography
public import DataStore
import Database
import PostgreSQL
import RelationalStore
import Shared

/// The location of a store in a database of PostgreSQL. Opens the store, and performs operations on a store that is not
/// open.
public struct PostgresStores: DataStoreFactory {
    /// What an operator is told who asks for a copy or a restoration.
    private static let copying = """
        a database of PostgreSQL is copied and restored with its own tools: pg_dump and pg_restore, or pg_basebackup
        """

    let options: PostgresStoreOptions

    /// Creates the location of a database.
    public init(_ options: PostgresStoreOptions) { self.options = options }

    /// The server and the database.
    public var place: String {
        let settings = options.settings
        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        return "\(settings.database) at \(host):\(settings.port)"
    }

    /// Whether the database has a store. A server that cannot be reached counts as one that has.
    public var exists: Bool {
        do {
            return try !Migrator().isEmpty(Connection(try options.connect()))
        } catch {
            return true
        }
    }

    /// Whether another program is serving the store now.
    public var isServed: Bool {
        (try? options.connect().isLocked(.serving)) ?? false
    }

    /// Opens the store.
    public func open(
        mayBeGuest: Bool, observer: @escaping Commit.Observer, gathering: @escaping Commit.Gathering
    ) throws -> DataStore {
        DataStore(
            try PostgresStore.open(options, mayBeGuest: mayBeGuest, observer: observer, gathering: gathering),
            copies: nil)
    }

    /// Makes the tables in an empty database, or brings an older schema up to date.
    public func migrate() throws -> [String] {
        do {
            let connection = try options.connectForLongWork()
            let database = Connection(connection)
            if try !Migrator().isEmpty(database), try Migrator().isUpToDate(database) { return [] }
            // Servers of the former schema may go on beside a step that only expands it.
            let lock: AdvisoryLock = try Migrator().expands(database) ? .migrating : .serving
            guard try connection.waitForLock(lock, atMost: options.servingPatience) else {
                throw StoreError.unavailable(PostgresWriter.otherServer)
            }
            // The database lets go of it later otherwise, when it has noticed the end of the connection.
            defer { try? connection.unlock(lock) }
            return try Migrator().bringUpToDate(database)
        } catch {
            throw options.explaining(error)
        }
    }

    /// Connects, and compares the schema with this program's.
    public func check() throws { try reading { try Migrator().checkIsServable($0) } }

    /// Says which tool copies a database.
    ///
    /// - Throws: ``StoreError/unavailable(_:)``, always.
    public func backUp(to destination: String, replaces: Bool, progress: @escaping CopyProgress) throws {
        throw StoreError.unavailable(Self.copying)
    }

    /// Says which tool restores a database.
    ///
    /// - Throws: ``StoreError/unavailable(_:)``, always.
    public func restore(from backup: String, progress: @escaping CopyProgress) throws {
        throw StoreError.unavailable(Self.copying)
    }

    /// Examines every audit trail and the search index. PostgreSQL examines its files itself, with pg_amcheck.
    public func examine() throws -> Diagnosis {
        try reading { connection in
            try Migrator().check(connection)
            var doctor = Doctor(connection: connection)
            return try doctor.examine(faults: [])
        }
    }

    /// Counts the stored passwords that need a pepper, and those that need a different one than the given one.
    public func passwords(pepper: Pepper?) throws -> PasswordCensus {
        try reading { connection in
            try Migrator().check(connection)
            return try connection.passwordCensus(pepper: pepper)
        }
    }

    /// Runs what a server does at its start while no other server does.
    public func inTurn(_ body: () async throws -> Void) async throws {
        let connection: PostgreSQLConnection
        do {
            connection = try options.connectForLongWork()
            guard try connection.waitForLock(.starting, atMost: Self.longestStart) else {
                throw StoreError.unavailable("another server has been starting for more than a minute")
            }
        } catch {
            throw options.explaining(error)
        }
        // The database lets go of it later otherwise, when it has noticed the end of the connection.
        defer { try? connection.unlock(.starting) }
        try await body()
    }

    private static let longestStart = Duration.seconds(60)

    /// Returns whether the store has the check value of a key file, which all its servers must share.
    public func hasKeyCheck() throws -> Bool { try reading { try $0.keyCheck() != nil } }

    /// Compares the check value of this program's key file with the stored one, which it becomes if there is none; returns
    /// whether it is the same.
    public func admit(keyCheck: [UInt8]) throws -> Bool {
        try reading { connection in
            try connection.run(
                "INSERT INTO node_keys (name, digest) VALUES ('pepper', ?) ON CONFLICT DO NOTHING", .blob(keyCheck))
            return try connection.keyCheck() == keyCheck
        }
    }

    /// Returns an institution by its identifier or a short name that it has or had.
    public func institution(named name: String) throws -> StoredInstitution? {
        try reading { try Migrator().isEmpty($0) ? nil : $0.storedInstitution(named: name) }
    }

    /// Returns the census of scheme executables.
    public func builds() throws -> (any BuildCensus)? { try reading { try StoredBuilds(on: $0) } }

    /// The census of entries that stand for rows of classes.
    public func links() throws -> any LinkCensus { try reading { StoredLinks(on: $0) } }

    private func reading<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        do {
            return try body(Connection(try options.connect()))
        } catch {
            throw options.explaining(error)
        }
    }
}

extension Connection {
    fileprivate func keyCheck() throws -> [UInt8]? {
        try first("SELECT digest FROM node_keys WHERE name = 'pepper'") { $0.bytes(0) }
    }
}
