import SQLite

/// Decides when the write-ahead log is copied into the database.
///
/// A log that is copied often costs syncs; one that is copied rarely slows every read and the next start. Idle
/// moments are used first; under steady load the log may grow four times as long. When a long read keeps the log
/// from starting over, it is cut at the first chance once it is really large.
struct CheckpointPlan {
    private static let idleFrames = 1_000
    private static let busyFrames = 4_000
    private static let largeLog = 65_536

    private var uncopied = 0
    private var frames = 0

    /// Pages were written to the log.
    mutating func note(pages: Int) {
        uncopied += pages
        frames += pages
    }

    /// What to do now.
    func due(isIdle: Bool) -> Connection.Checkpoint? {
        guard uncopied >= (isIdle ? Self.idleFrames : Self.busyFrames) else { return nil }
        return frames >= Self.largeLog ? .truncate : .passive
    }

    /// A checkpoint went as far as the readers let it.
    mutating func done(_ size: Connection.LogSize) {
        uncopied = 0
        // All copied: the next write restarts the log unless a reader still uses it.
        frames = size.frames
    }

    /// A checkpoint could not be made; the next one is tried after as much writing again.
    mutating func refused() { uncopied = 0 }
}
