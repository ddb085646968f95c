/// The options of a store in a SQLite file. The defaults performed well in measurements.
public struct SQLiteStoreOptions: Sendable {
    /// Number of read connections, each with its own thread.
    public var readers = 2
    /// Number of changes that may wait for the writer; more are refused.
    public var waitingWrites = 4_096
    /// Number of reads that may wait for a connection; more are refused.
    public var waitingReads = 4_096
    /// The greatest number of changes in one transaction.
    public var batchChanges = 64
    /// The time spent on changes after which a transaction takes no more.
    public var batchWork = Duration.milliseconds(4)
    /// The page size of a new file, in bytes.
    public var pageSize = 8_192
    /// The size of the writer's page cache, in KiB.
    public var writerCacheKiB = 65_536
    /// Bytes of documents cached in memory: those of the records read or written most recently.
    public var recentBytes = 16 << 20
    /// The greatest number of pages in the file; `nil` for no limit but the disk's.
    public var maximumPages: Int?

    /// Creates the default options.
    public init() {}
}
