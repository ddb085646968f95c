import Glibc
import SQLite
import Shared

/// What the store does to files besides reading and writing databases.
enum DatabaseFile {
    /// Whether there is something at `path`.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0
    }

    /// Makes a store in a file beside `path` and puts it there when it is whole, unless a file is there already.
    ///
    /// - Throws: ``StoreError/incompatible(_:)`` for a file without content: nothing here leaves one, so that it is
    ///   what is left of a store, and an empty one in its place would hide the loss.
    static func makeIfMissing(_ path: String, options: SQLiteStoreOptions) throws {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_size > 0 || stat(path + "-wal", &status) == 0 else {
                throw StoreError.incompatible(isEmpty)
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

    /// What is wrong with a file of no bytes, in words for an operator.
    static let isEmpty = """
        the file is empty: it is no database. Put a backup in its place with gradecast restore, or remove the file to \
        begin with an empty store
        """

    private static func make(_ path: String, options: SQLiteStoreOptions) throws {
        do {
            let connection = try Connection.writer(path: path, options: options)
            try Migrator(migrations: Schema.migrations).bringUpToDate(connection)
            _ = try StoreIdentity.establish(on: connection)
            try connection.checkpoint(.truncate)
        }
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
    }

    /// Makes the file if it is missing, for the owner's eyes only; SQLite gives its companions the same mode.
    static func makePrivate(_ path: String) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("open \(path)") }
        close(descriptor)
    }

    /// Throws ``StoreError/unavailable(_:)`` when there is something at `path`.
    static func checkFree(_ path: String) throws {
        var status = stat()
        guard lstat(path, &status) != 0 else { throw StoreError.unavailable("the file is there already") }
    }

    /// Puts `new` where nothing is, durably; throws if something has come there meanwhile.
    static func put(_ new: String, at path: String) throws {
        if link(new, path) == 0 {
            unlink(new)
        } else {
            // Not every file system has links; there, what came meanwhile is found by looking.
            try checkFree(path)
        }
        var status = stat()
        if stat(new, &status) == 0 { try replace(path, with: new) } else { try keepNames(besides: path) }
    }

    /// Puts `new` in the place of `old`, durably: after a crash there is one or the other.
    static func replace(_ old: String, with new: String) throws {
        guard rename(new, old) == 0 else { throw failure("rename \(new)") }
        try keepNames(besides: old)
    }

    /// Has the names in the folder of a file survive a power loss.
    private static func keepNames(besides old: String) throws {
        let directory = old.lastIndex(of: "/").map { String(old[...$0]) } ?? "."
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open \(directory)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("sync \(directory)") }
    }

    /// Brings everything of a database into its main file and removes its log, which must never meet another file.
    ///
    /// A file that is no sound database is about to be replaced; its log goes all the same.
    static func settleLog(of path: String) throws {
        do throws(SQLiteError) {
            try Connection(path: path, access: .write).checkpoint(.truncate)
        } catch {
            switch error.code {
            case .notADatabase, .corrupt, .cannotOpen: break
            case .busy: throw StoreError.unavailable("another program is reading \(path)")
            default: throw StoreError(error)
            }
        }
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
    }

    /// What a copy leaves free for those who write meanwhile.
    private static let reserve = 64 << 20

    /// Throws ``StoreError/full`` when a copy beside the file would leave no room for its writers.
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

    /// Removes a database and its companions, as far as they are there.
    static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }

    private static func failure(_ action: String) -> StoreError {
        .unavailable(SystemError(number: errno, action: action).description)
    }
}
