import SQLite
import Shared

extension SQLiteConnection {
    /// Opens the one connection that writes.
    ///
    /// - `synchronous=FULL` syncs the log at every commit, so that acknowledged changes survive a power loss.
    /// - `secure_delete` overwrites deleted content, so that erased means erased.
    /// - `temp_store=MEMORY` keeps the page images of savepoints out of the file system.
    /// - Automatic checkpoints are off: the writer decides, see ``CheckpointPlan``.
    /// - Memory mapping is off: a file that shrinks or cannot be read would end the process instead of one query.
    static func writer(path: String, options: SQLiteStoreOptions) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, access: .create)
        try connection.execute("PRAGMA page_size = \(options.pageSize)")
        let mode = try connection.first("PRAGMA journal_mode = WAL") { $0.text(0) }
        guard mode == "wal" else {
            throw StoreError.incompatible("the file system cannot share memory between connections (no WAL)")
        }
        try connection.execute(
            """
            PRAGMA synchronous = FULL;
            PRAGMA foreign_keys = ON;
            PRAGMA secure_delete = ON;
            PRAGMA trusted_schema = OFF;
            PRAGMA temp_store = MEMORY;
            PRAGMA mmap_size = 0;
            PRAGMA cache_size = -\(options.writerCacheKiB);
            PRAGMA wal_autocheckpoint = 0;
            PRAGMA journal_size_limit = 67108864;
            """)
        if let pages = options.maximumPages { try connection.execute("PRAGMA max_page_count = \(pages)") }
        return connection
    }

    /// Opens a connection that only reads.
    static func reader(path: String, cacheKiB: Int = 8_192) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, access: .read)
        try connection.execute(
            """
            PRAGMA query_only = ON;
            PRAGMA trusted_schema = OFF;
            PRAGMA mmap_size = 0;
            PRAGMA cache_size = -\(cacheKiB);
            """)
        return connection
    }
}
