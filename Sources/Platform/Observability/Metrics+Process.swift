private import Glibc

extension Metrics {
    /// Registers what the kernel reports about this process, under the names that dashboards expect.
    public func registerProcess() {
        counter("process_cpu_seconds_total", "Processor time, user and system.") {
            var usage = rusage()
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
        }
        gauge("process_resident_memory_bytes", "Memory in use.") {
            let pages = Metrics.words(of: "/proc/self/statm").dropFirst().first.flatMap { Double($0) } ?? 0
            return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
        }
        let start = Metrics.startTime
        gauge("process_start_time_seconds", "When the process started, in seconds since 1970.") { start }
        gauge("process_virtual_memory_bytes", "Address space in use.") {
            let pages = Metrics.words(of: "/proc/self/statm").first.flatMap { Double($0) } ?? 0
            return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
        }
        gauge("process_max_fds", "The greatest number of open descriptors.") {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            return Double(limit.rlim_cur)
        }
        gauge("process_open_fds", "Open descriptors.") { Double(Metrics.entries(of: "/proc/self/fd")) }
    }

    /// When this process started, in seconds since 1970, to the precision of the kernel's clock ticks.
    private static var startTime: Double {
        // The program's name is in parentheses and may contain spaces; field 22 is the start, in ticks since boot.
        let fields = words(of: "/proc/self/stat").drop { !$0.hasSuffix(")") }.dropFirst()
        let boot = words(of: "/proc/uptime").first.flatMap { Double($0) } ?? 0
        guard let ticks = fields.dropFirst(19).first.flatMap({ Double($0) }) else { return 0 }
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 - boot + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    private static func words(of path: String) -> [Substring] {
        guard let file = fopen(path, "re") else { return [] }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 512)
        let count = fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: " ")
    }

    /// Returns how many entries a directory has, without `.`, `..` and the descriptor opened to count them.
    private static func entries(of path: String) -> Int {
        guard let directory = opendir(path) else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        return max(0, count - 3)
    }
}
