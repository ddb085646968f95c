private import CProfiler
internal import Glibc
internal import Synchronization

/// Samples the stacks of this process's threads, a hundred times per second of processor time.
public enum CPUProfiler {
    /// Why there is no profile.
    public enum Failure: Error, Equatable {
        /// Another profile is being taken; the process has one clock for them.
        case isBusy
        /// The system refuses a file in memory or the clock.
        case isUnavailable
    }

    /// The largest profile, in bytes: more than a minute of 64 busy cores produces.
    static let longest = 64 << 20

    private static let isTaken = Atomic(false)

    /// Takes samples for a while.
    ///
    /// - Returns: the profile in the format of gperftools, which `pprof` reads: addresses, and the map of the process
    ///   that tells which program and library they belong to.
    public static func profile(lasting duration: Duration) async throws(Failure) -> [UInt8] {
        guard !isTaken.exchange(true, ordering: .acquiring) else { throw .isBusy }
        defer { isTaken.store(false, ordering: .releasing) }
        let file = cprofiler_memory_file()
        guard file >= 0 else { throw .isUnavailable }
        defer { close(file) }
        // The profiler opens its file by name.
        guard ProfilerStart("/proc/self/fd/\(file)") != 0 else { throw .isUnavailable }
        // If the task is cancelled, the profile ends early with the samples so far.
        try? await Task.sleep(for: duration)
        ProfilerStop()
        return try contents(of: file)
    }

    private static func contents(of file: Int32) throws(Failure) -> [UInt8] {
        let size = lseek(file, 0, SEEK_END)
        guard (1...longest).contains(size) else { throw .isUnavailable }
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = max(0, pread(file, buffer.baseAddress, size, 0))
        }
        guard bytes.count == size else { throw .isUnavailable }
        return bytes
    }
}
