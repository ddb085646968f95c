import CSQLite

extension SQLiteConnection {
    /// How far a checkpoint goes.
    public enum Checkpoint: Sendable {
        /// Copies what readers do not hold back, without waiting.
        case passive
        /// Waits for readers (up to the busy timeout), copies everything and truncates the log to length 0.
        case truncate
    }

    /// The frames in the write-ahead log, and how many of them are copied into the database.
    public struct LogSize: Sendable, Equatable {
        /// Pages in the log.
        public let frames: Int
        /// Pages of the log that are in the database too; the log starts over when all are and no reader needs it.
        public let copied: Int
    }

    /// Copies the write-ahead log into the database.
    ///
    /// - Throws: ``SQLiteError`` with code `busy` if a reader prevented `truncate`.
    @discardableResult
    public func checkpoint(_ kind: Checkpoint) throws(SQLiteError) -> LogSize {
        var frames: Int32 = 0
        var copied: Int32 = 0
        let mode = kind == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
        try SQLiteError.check(sqlite3_wal_checkpoint_v2(handle, nil, mode, &frames, &copied), on: handle)
        return LogSize(frames: Int(frames), copied: Int(copied))
    }

    /// Returns how many pages this connection has written since the last call; in WAL mode each is one frame of the
    /// log.
    public func takePagesWritten() -> Int { pagesWritten(resetting: true) }

    /// How many pages this connection has written since they were last taken.
    public var pagesWritten: Int { pagesWritten(resetting: false) }

    private func pagesWritten(resetting: Bool) -> Int {
        var current: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_WRITE, &current, &highest, resetting ? 1 : 0)
        return Int(current)
    }
}
