import Database
import RelationalStore
import Shared

/// The history of changes that a database holds, named by its cluster and its timeline, and by the database and its tables
/// there. Promoting a standby, recovering a backup to a point in time, and restoring a dump each begin a new history. The
/// new history may lack a version that a client has read, and later give its number to another document.
enum DatabaseHistory {
    /// Why a server ends that has served another history.
    static let isAnother = "the database was replaced meanwhile, or recovered"

    /// What names a history of the server. A standby that takes over, and a recovery to a point in time, begin another.
    private static let timeline = """
        ((SELECT system_identifier FROM pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8))
        """
    /// What names the tables. Restoring a dump makes new ones, in whichever database.
    private static let tables = """
        ((SELECT oid FROM pg_database WHERE datname = current_database()) || '/' || 'store'::regclass::oid)
        """

    /// Begins a new epoch if the database tells another history than when it was last looked at. Of servers that notice
    /// at once, one does.
    static func settle(on connection: Connection) throws {
        try connection.withTransaction(for: .writing) {
            let isRecovered = try isAnother(timeline, at: 1, on: connection)
            let isRestored = try isAnother(tables, at: 2, on: connection)
            if isRecovered || isRestored { try StoreIdentity.rotateEpoch(on: connection) }
            // People stay signed in when a standby takes over. A dump may be of any age.
            if isRestored { try connection.endCredentials() }
        }
    }

    /// Notes what names a part of the history, in a row of its own; returns whether that was another one before.
    private static func isAnother(_ place: String, at number: Int64, on connection: Connection) throws -> Bool {
        try connection.run(
            "INSERT INTO database_history (number, place) VALUES (?, \(place)) ON CONFLICT (number) DO NOTHING",
            .integer(number))
        return try connection.first(
            "UPDATE database_history SET place = \(place) WHERE number = ? AND place <> \(place) RETURNING true",
            .integer(number)
        ) { $0.boolean(0) } == true
    }

    /// Returns whether the database still tells the history that is served.
    static func isServed(as epoch: Epoch, on connection: Connection) throws -> Bool {
        try settle(on: connection)
        return try StoreIdentity.read(from: connection) == epoch
    }
}
