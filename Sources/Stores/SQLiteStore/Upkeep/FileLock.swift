import Glibc
import Storage
import Synchronization

/// A claim on a database file: the claimed file has one writing program at a time.
///
/// The claim is a `flock` on a file beside the database, so it ends with the process, however that ends.
final class FileLock: Sendable {
    private let descriptor: Mutex<Int32>

    /// Claims the database at `path`.
    ///
    /// - Throws: ``StoreError/unavailable(_:)`` when another program has it.
    init(database path: String) throws {
        let name = "\(path).lock"
        let descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StoreError.unavailable(SystemError(number: errno, action: "open \(name)").description)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            Glibc.close(descriptor)
            throw StoreError.unavailable("another program is using \(path)")
        }
        self.descriptor = Mutex(descriptor)
    }

    deinit { release() }

    /// Gives the claim up.
    func release() {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { Glibc.close(descriptor) }
            descriptor = -1
        }
    }
}
