import Glibc
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

    /// Removes a database and its companions, as far as they are there.
    static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }

    private static func failure(_ action: String) -> StoreError {
        .unavailable(SystemError(number: errno, action: action).description)
    }
}
