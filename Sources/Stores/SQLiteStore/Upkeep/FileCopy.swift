import Glibc
public import Shared
import Threads

extension SQLiteStore: CopyableStore {
    /// Makes a copy and deletes its name before returning it, so that the disk space is freed even if the reader or
    /// this process fails.
    public func copy() async throws -> any StoreCopy {
        guard let lease = copies.take() else { throw StoreError.unavailable("another copy is under way") }
        let name = Self.copyName(of: path)
        try DatabaseFile.checkRoom(forCopyOf: path)
        try await backUp(to: name)
        return try FileCopy(takingAway: name, lease: lease, readBy: upkeepWorkers)
    }

    /// Returns the path at which a copy is made.
    private static func copyName(of path: String) -> String { "\(path).copy" }

    /// Deletes what a killed process left of a copy.
    static func removeCopies(of path: String) {
        for name in [copyName(of: path), "\(copyName(of: path)).partial"] { DatabaseFile.remove(name) }
    }
}

/// A file that is read once and then disappears.
private final class FileCopy: StoreCopy {
    private static let pieceSize = 262_144

    let size: Int
    private let descriptor: Int32
    private let lease: CopyLease.Taken
    private let workers: WorkerPool

    /// Opens a file and deletes its name.
    init(takingAway path: String, lease: CopyLease.Taken, readBy workers: WorkerPool) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        let problem = SystemError(number: errno, action: "open \(path)")
        DatabaseFile.remove(path)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            if descriptor >= 0 { close(descriptor) }
            throw StoreError.unavailable(problem.description)
        }
        self.descriptor = descriptor
        self.lease = lease
        self.workers = workers
        size = status.st_size
    }

    deinit { close(descriptor) }

    func read(_ done: @escaping @Sendable (Result<[UInt8], any Error>) -> Void) {
        if !workers.submit({ done(self.next()) }) {
            done(.failure(StoreError.unavailable("too much upkeep waits, or closing")))
        }
    }

    private func next() -> Result<[UInt8], any Error> {
        var refusal: SystemError?
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
            // The kernel writes at most the requested capacity, and returns how much it wrote.
            count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0 {
                refusal = SystemError(number: errno, action: "read the copy")
                count = 0
            }
        }
        if let refusal { return .failure(StoreError.unavailable(refusal.description)) }
        return .success(bytes)
    }
}
