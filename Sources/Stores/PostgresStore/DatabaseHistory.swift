import Database
import RelationalStore
import Shared

/// The history of changes that a database holds, named by its cluster and its timeline. Promoting a standby, recovering a
/// backup to a point in time, and restoring a dump into another cluster each begin a new history. The new history may lack
/// a version that a client has read, and later give its number to another document.
enum DatabaseHistory {
    /// Why a server ends that has served another history.
    static let isAnother = "the database was replaced meanwhile, or recovered"

    private static let place = """
        ((SELECT system_identifier FROM pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8))
        """

    /// Begins a new epoch if the database tells another history than when it was last looked at. Of servers that notice
    /// at once, one does.
    static func settle(on connection: Connection) throws {
        try connection.withTransaction(for: .writing) {
            try connection.run(
                """
                INSERT INTO database_history (number, place) VALUES (1, \(place)) ON CONFLICT (number) DO NOTHING
                """)
            let isAnother = try connection.first(
                "UPDATE database_history SET place = \(place) WHERE place <> \(place) RETURNING true"
            ) { $0.boolean(0) }
            if isAnother == true { try StoreIdentity.rotateEpoch(on: connection) }
        }
    }

    /// Returns whether the database still tells the history that is served.
    static func isServed(as epoch: Epoch, on connection: Connection) throws -> Bool {
        try settle(on: connection)
        return try StoreIdentity.read(from: connection) == epoch
    }
}
