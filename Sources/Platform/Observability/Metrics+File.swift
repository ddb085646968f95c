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

    /// Registers the time of the last change of the file at `path`, in seconds since 1970; 0 if there is none.
    public func registerTime(of path: String, as name: String, _ help: String) {
        gauge(name, help) {
            var status = stat()
            guard stat(path, &status) == 0 else { return 0 }
            return Double(status.st_mtim.tv_sec)
        }
    }
}
