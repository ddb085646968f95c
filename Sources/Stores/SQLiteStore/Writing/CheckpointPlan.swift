import SQLite

/// The plan of when to copy the write-ahead log into the database.
///
/// Frequent checkpoints cost syncs; rare ones slow every read and the next start. The plan prefers idle moments; under
/// steady load the log may grow four times as long. If a long read keeps the log from restarting, the log is truncated
/// at the first opportunity once it is very large.
struct CheckpointPlan {
    private static let idleFrames = 1_000
    private static let busyFrames = 4_000
    private static let largeLog = 65_536

    private var uncopied = 0
    private var frames = 0

    /// Counts pages written to the log.
    mutating func note(pages: Int) {
        uncopied += pages
        frames += pages
    }

    /// Returns the checkpoint to make now; `nil` for none.
    func due(isIdle: Bool) -> SQLiteConnection.Checkpoint? {
        guard uncopied >= (isIdle ? Self.idleFrames : Self.busyFrames) else { return nil }
        return frames >= Self.largeLog ? .truncate : .passive
    }

    /// Notes that a checkpoint went as far as readers allowed.
    mutating func done(_ size: SQLiteConnection.LogSize) {
        uncopied = 0
        // If everything was copied, the next write restarts the log unless a reader still uses it.
        frames = size.frames
    }

    /// Notes that a checkpoint failed; the next attempt follows after the same amount of writing.
    mutating func refused() { uncopied = 0 }
}
