import Glibc
import Shared
import Synchronization

/// A claim on a database file. One program at a time serves the file; others may write beside it as guests, see
/// ``Notice``.
///
/// A claim is a `flock` on a file beside the database, so it ends with the process, however the process ends.
final class FileLock: Sendable {
    /// The kind of claim.
    enum Claim {
        /// To be the one program that serves the database.
        case owner
        /// To write beside the owner; any number of programs may.
        case guest
        /// To have no guests, so that the file may be replaced.
        case noGuests

        fileprivate var suffix: String { self == .owner ? ".lock" : ".guests.lock" }
        fileprivate var operation: Int32 { self == .guest ? LOCK_SH : LOCK_EX }
    }

    private let descriptor: Mutex<Int32>

    /// Claims the database at `path`.
    ///
    /// - Throws: ``StoreError/unavailable(_:)`` when another program's claim conflicts.
    convenience init(database path: String, as claim: Claim = .owner) throws {
        guard let lock = try FileLock(ifFree: path, as: claim) else {
            throw StoreError.unavailable("another program is using \(path)")
        }
        self.init(descriptor: lock.take())
    }

    /// Claims the database at `path`; `nil` when another program's claim conflicts.
    convenience init?(ifFree path: String, as claim: Claim = .owner) throws {
        let name = path + claim.suffix
        let descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StoreError.unavailable(SystemError(number: errno, action: "open \(name)").description)
        }
        Self.giveToOwner(of: path, descriptor)
        guard flock(descriptor, claim.operation | LOCK_NB) == 0 else {
            Glibc.close(descriptor)
            return nil
        }
        self.init(descriptor: descriptor)
    }

    /// Gives a lock file created by root to the owner of the database, as SQLite does with its own files, so that the
    /// server can open it later.
    private static func giveToOwner(of path: String, _ descriptor: Int32) {
        var status = stat()
        guard geteuid() == 0, stat(path, &status) == 0 else { return }
        // If this fails, the process that needs the file fails to open it and reports that.
        _ = fchown(descriptor, status.st_uid, status.st_gid)
    }

    private init(descriptor: Int32) { self.descriptor = Mutex(descriptor) }

    deinit { release() }

    private func take() -> Int32 {
        descriptor.withLock { descriptor in
            defer { descriptor = -1 }
            return descriptor
        }
    }

    /// Releases the claim.
    func release() {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { Glibc.close(descriptor) }
            descriptor = -1
        }
    }
}
