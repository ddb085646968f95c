private import Glibc

extension Metrics {
    /// Registers the size of a database file, and the free space where it is.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - companions: the suffixes of the names of the files beside it, which count too.
    public func registerStore(file path: String, companions: [String]) {
        gauge("gradecast_store_bytes", "Size of the database with its log, in bytes") {
            ([""] + companions).reduce(0) { sum, suffix in
                var status = stat()
                return stat(path + suffix, &status) == 0 ? sum + Double(status.st_size) : sum
            }
        }
        gauge("gradecast_store_free_bytes", "Free space where the database is, in bytes") {
            var volume = statvfs()
            guard statvfs(path, &volume) == 0 else { return .nan }
            return Double(volume.f_bavail) * Double(volume.f_frsize)
        }
    }
}
