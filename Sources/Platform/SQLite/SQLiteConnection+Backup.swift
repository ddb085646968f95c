import CSQLite

extension SQLiteConnection {
    /// Copies the whole database into `destination`, page by page, as it is when the copy begins.
    ///
    /// One read transaction spans the copy, so writers on other connections need not wait, and their changes are not
    /// copied. The destination is replaced; it is complete and durable when this returns.
    ///
    /// - Parameters:
    ///   - pagesPerStep: pages copied between two calls of `progress`.
    ///   - progress: called with the pages copied and the pages in all; an error that it throws ends the copy.
    public func backUp(
        into destination: SQLiteConnection, pagesPerStep: Int32 = 1_024,
        progress: (_ copied: Int, _ total: Int) throws -> Void = { _, _ in }
    ) throws {
        try withTransaction(.deferred) {
            // The first read pins the snapshot; without it, a write elsewhere would restart the copy.
            _ = try first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) }
            guard let copy = sqlite3_backup_init(destination.handle, "main", handle, "main") else {
                try SQLiteError.check(sqlite3_extended_errcode(destination.handle), on: destination.handle)
                return
            }
            do {
                var isDone = false
                while !isDone {
                    let result = sqlite3_backup_step(copy, pagesPerStep)
                    isDone = result == SQLITE_DONE
                    try SQLiteError.check(result, on: nil)
                    let total = Int(sqlite3_backup_pagecount(copy))
                    try progress(total - Int(sqlite3_backup_remaining(copy)), total)
                }
            } catch {
                sqlite3_backup_finish(copy)
                throw error
            }
            try SQLiteError.check(sqlite3_backup_finish(copy), on: destination.handle)
        }
    }
}
