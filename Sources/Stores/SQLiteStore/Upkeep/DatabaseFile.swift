import Database
import Glibc
import RelationalStore
import SQLite
import Shared

/// File operations of the store other than reading and writing databases.
enum DatabaseFile {
    /// Returns whether something exists at `path`.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0
    }

    /// Returns the number of bytes of the file at `path`: 0 if there is none.
    static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Creates a store in a file beside `path` and moves it there when it is complete, unless a file exists already.
    ///
    /// - Throws: ``StoreError/incompatible(_:)`` for an empty file. The store never leaves one, so it must be what
    ///   remains of a store, and a new store in its place would hide the loss.
    static func makeIfMissing(_ path: String, options: SQLiteStoreOptions) throws {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_size > 0 || stat(path + "-wal", &status) == 0 else {
                throw StoreError.incompatible(Migrator.isEmpty)
            }
            return
        }
        let draft = path + ".new"
        remove(draft)
        try makePrivate(draft)
        do {
            try make(draft, options: options)
            remove(path)
            try replace(path, with: draft)
        } catch {
            remove(draft)
            throw error
        }
    }

    private static func make(_ path: String, options: SQLiteStoreOptions) throws {
        do {
            let connection = try SQLiteConnection.writer(path: path, options: options)
            try Migrator().bringUpToDate(Connection(connection))
            _ = try StoreIdentity.establish(on: Connection(connection))
            try connection.checkpoint(.truncate)
        }
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
    }

    /// Creates the file if it is missing, readable only by its owner; SQLite gives its companion files the same mode.
    static func makePrivate(_ path: String) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("open \(path)") }
        close(descriptor)
    }

    /// Throws ``StoreError/unavailable(_:)`` if something exists at `path`.
    static func checkFree(_ path: String) throws {
        var status = stat()
        guard lstat(path, &status) != 0 else { throw StoreError.unavailable("the file is there already") }
    }

    /// Moves `new` to an unused path, durably; throws if something has appeared there.
    static func put(_ new: String, at path: String) throws {
        if link(new, path) == 0 {
            unlink(new)
        } else {
            // Some file systems have no links; there, check whether something has appeared.
            try checkFree(path)
        }
        var status = stat()
        if stat(new, &status) == 0 { try replace(path, with: new) } else { try keepNames(besides: path) }
    }

    /// Replaces `old` with `new`, durably: after a crash the path has one of them.
    static func replace(_ old: String, with new: String) throws {
        guard rename(new, old) == 0 else { throw failure("rename \(new)") }
        try keepNames(besides: old)
    }

    /// Syncs the folder of a file, so that its names survive a power loss.
    private static func keepNames(besides old: String) throws {
        let directory = old.lastIndex(of: "/").map { String(old[...$0]) } ?? "."
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open \(directory)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("sync \(directory)") }
    }

    /// Moves everything in a database's log into its main file and deletes the log, because a log must never be applied
    /// to another file.
    ///
    /// If the file is not a sound database, its log is deleted all the same, because the file is about to be replaced.
    static func settleLog(of path: String) throws {
        do throws(SQLiteError) {
            try SQLiteConnection(path: path, access: .write).checkpoint(.truncate)
        } catch {
            switch error.code {
            case .notADatabase, .corrupt, .cannotOpen: break
            case .busy: throw StoreError.unavailable("another program is reading \(path)")
            default: throw StoreError.translating(error)
            }
        }
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
    }

    /// Free space that a copy leaves for writers, in bytes.
    private static let reserve = 64 << 20

    /// Throws ``StoreError/full`` if a copy beside the file would leave too little room for writers.
    static func checkRoom(forCopyOf path: String) throws {
        var needed = reserve
        for suffix in ["", "-wal"] {
            var status = stat()
            if stat(path + suffix, &status) == 0 { needed += status.st_size }
        }
        var volume = statvfs()
        guard statvfs(path, &volume) == 0 else { throw failure("look at the disk of \(path)") }
        let (free, isBeyond) = volume.f_bavail.multipliedReportingOverflow(by: volume.f_frsize)
        guard isBeyond || free >= needed else { throw StoreError.full }
    }

    /// Deletes a database and its companion files, if they exist.
    static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }

    private static func failure(_ action: String) -> StoreError {
        .unavailable(SystemError(number: errno, action: action).description)
    }
}
