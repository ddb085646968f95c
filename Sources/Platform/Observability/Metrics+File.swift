private import Glibc

extension Metrics {
    /// Registers the free space where the database file at `path` is.
    public func registerFreeSpace(beside path: String) {
        gauge("gradecast_store_free_bytes", "Free space where the database is, in bytes") {
            var volume = statvfs()
            guard statvfs(path, &volume) == 0 else { return .nan }
            return Double(volume.f_bavail) * Double(volume.f_frsize)
        }
    }
}
