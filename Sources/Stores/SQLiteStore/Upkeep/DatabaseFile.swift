import Glibc
import SQLite
import Storage

/// What the store does to files besides reading and writing databases.
enum DatabaseFile {
    /// Makes the file if it is missing, for the owner's eyes only; SQLite gives its companions the same mode.
    static func makePrivate(_ path: String) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("open \(path)") }
        close(descriptor)
    }

    /// Puts `new` in the place of `old`, durably: after a crash there is one or the other.
    static func replace(_ old: String, with new: String) throws {
        guard rename(new, old) == 0 else { throw failure("rename \(new)") }
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
