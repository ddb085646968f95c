/// How a store in a file is kept. The defaults are what was measured to be good.
public struct SQLiteStoreOptions: Sendable {
    /// Connections for reading, each with a thread.
    public var readers = 2
    /// Changes that may wait for the writer; one more is refused.
    public var waitingWrites = 4_096
    /// Reads that may wait for a connection; one more is refused.
    public var waitingReads = 4_096
    /// The most changes in one transaction.
    public var batchChanges = 64
    /// The work after which a transaction takes no more changes.
    public var batchWork = Duration.milliseconds(4)
    /// Bytes in a page of a new file.
    public var pageSize = 8_192
    /// The writer's page cache, in KiB.
    public var writerCacheKiB = 65_536
    /// Bytes of documents that are kept in memory, of the records that were read or written last.
    public var recentBytes = 16 << 20
    /// The most pages the file may have; `nil` for as many as the disk holds.
    public var maximumPages: Int?

    /// The defaults.
    public init() {}
}
