public import DataStore
import Database
import Glibc
import RelationalStore
import SQLite
import Shared
import Threads

extension SQLiteStore {
    /// Copies the store's current state into one file, while the store is in use. Closing the store cancels the copy.
    ///
    /// - Throws: ``StoreError``; `destination` is then unchanged.
    public func backUp(to destination: String, progress: @escaping CopyProgress = { _, _ in }) async throws {
        do {
            try await upkeepWorkers.run { [path, closing] in
                try Self.backUp(path, to: destination, progress: progress) { closing.isUnderWay }
            }
        } catch is WorkRefused {
            throw StoreError.unavailable("too much upkeep waits, or closing")
        }
    }

    /// Copies the store at `path` into one file; another program may be using the store.
    ///
    /// The copy is written beside `destination`, and moved there when it is complete, checked and durable.
    ///
    /// - Parameters:
    ///   - replaces: whether an existing file at `destination` may be replaced; otherwise it is an error.
    ///   - isOver: whether to give up with `unavailable`; called often, on the calling thread.
    /// - Throws: ``StoreError``.
    public static func backUp(
        _ path: String, to destination: String, replaces: Bool = true, progress: CopyProgress = { _, _ in },
        unless isOver: @escaping @Sendable () -> Bool = { false }
    ) throws {
        let partial = "\(destination).partial"
        if !replaces { try DatabaseFile.checkFree(destination) }
        do {
            DatabaseFile.remove(partial)
            try DatabaseFile.makePrivate(partial)
            let source = try SQLiteConnection.reader(path: path)
            try Migrator().check(Connection(source))
            try copy(source, into: partial, progress: progress, unless: isOver) { _ in }
            if replaces {
                try DatabaseFile.replace(destination, with: partial)
            } else {
                try DatabaseFile.put(partial, at: destination)
            }
        } catch {
            DatabaseFile.remove(partial)
            throw StoreError.translating(error)
        }
    }

    /// Replaces the store at `path` with a backup under a new epoch, so that every client treats its content as new.
    ///
    /// The store must not be in use. If anything fails, the store at `path` is unchanged.
    ///
    /// - Throws: ``StoreError/incompatible(_:)`` when the backup is damaged, is not a store or has a newer schema;
    ///   ``StoreError/unavailable(_:)`` when a program uses the store.
    public static func restore(from backup: String, to path: String, progress: CopyProgress = { _, _ in }) throws {
        let partial = "\(path).restore"
        do {
            let locks = [try FileLock(database: path), try FileLock(database: path, as: .noGuests)]
            defer { for lock in locks { lock.release() } }
            DatabaseFile.remove(partial)
            try DatabaseFile.makePrivate(partial)
            let source = try SQLiteConnection.reader(path: backup)
            try Migrator().check(Connection(source))
            try copy(source, into: partial, progress: progress) { copy in
                try copy.withTransaction(.immediate) {
                    try StoreIdentity.rotateEpoch(on: Connection(copy))
                    try Connection(copy).endCredentials()
                }
            }
            try DatabaseFile.settleLog(of: path)
            try DatabaseFile.replace(path, with: partial)
        } catch {
            DatabaseFile.remove(partial)
            throw StoreError.translating(error)
        }
    }

    private static func copy(
        _ source: SQLiteConnection, into file: String, progress: CopyProgress,
        unless isOver: @escaping @Sendable () -> Bool = { false }, then finish: (SQLiteConnection) throws -> Void
    ) throws {
        let copy = try SQLiteConnection(path: file, access: .write)
        try copy.execute("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON")
        try source.backUp(into: copy) { copied, total in
            progress(copied, total)
            if isOver() { throw closed }
        }
        // Without write-ahead logging the copy is a single file that can be moved around.
        _ = try copy.first("PRAGMA journal_mode = DELETE") { $0.text(0) }
        let faults = try check(copy, unless: isOver)
        guard faults.isEmpty else { throw StoreError.incompatible(faults.joined(separator: "; ")) }
        try finish(copy)
    }

    /// Returns the faults of a copy. This takes as long as making the copy.
    private static func check(_ copy: SQLiteConnection, unless isOver: @escaping @Sendable () -> Bool) throws
        -> [String]
    {
        do {
            return try copy.stopping(when: isOver) { try copy.integrityFaults() }
        } catch let error as SQLiteError where error.code == .interrupted {
            throw closed
        }
    }

    private static let closed = StoreError.unavailable("the store is being closed")
}
