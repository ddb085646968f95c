import Glibc

/// Where control groups for schemes may be made: below the server's own.
public enum ControlGroups {
    /// Folders in which a scheme's group is made, one per hierarchy; empty if the system permits none.
    ///
    /// In the unified hierarchy, a group that has members cannot limit its children. So the server first moves into a
    /// child of its own group, which systemd permits for units with `Delegate=`.
    public static let available: [String] = {
        let folders = unified().map { [$0] } ?? separate()
        for folder in folders { removeLeftovers(in: folder) }
        return folders
    }()

    private static let root = "/sys/fs/cgroup"
    private static let prefix = "gradecast-scheme-"

    /// Returns the name of a scheme's group, which contains the server's process identifier.
    static func name(server: pid_t, launcher: pid_t) -> String { "\(prefix)\(server)-\(launcher)" }

    /// The process's group in each hierarchy, as the kernel lists it: `id:controllers:/path`.
    private static var own: [(controllers: Substring, path: Substring)] {
        (TextFile.read("/proc/self/cgroup") ?? "").split(separator: "\n").compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            return parts.count == 3 ? (parts[1], parts[2] == "/" ? "" : parts[2]) : nil
        }
    }

    private static func unified() -> String? {
        guard access(root + "/cgroup.controllers", F_OK) == 0,
            let path = own.first(where: { $0.controllers.isEmpty })?.path
        else { return nil }
        let folder = root + path
        let control = folder + "/cgroup.subtree_control"
        if enable(control) { return folder }
        // A group with members refuses; this process may be the only one, so it moves into a child.
        let leaf = folder + "/server"
        guard mkdir(leaf, 0o755) == 0 || errno == EEXIST, TextFile.write("\(getpid())", to: leaf + "/cgroup.procs")
        else { return folder }
        if !enable(control) {
            _ = TextFile.write("\(getpid())", to: folder + "/cgroup.procs")
            rmdir(leaf)
        }
        return folder
    }

    private static func enable(_ control: String) -> Bool { TextFile.write("+cpu +memory +pids", to: control) }

    private static func separate() -> [String] {
        ["pids", "memory", "cpu"].compactMap { controller in
            let path = own.first { $0.controllers.split(separator: ",").contains(Substring(controller)) }?.path
            return path.map { "\(root)/\(controller)\($0)" }
        }
    }

    /// Removes the groups of servers that were killed.
    private static func removeLeftovers(in folder: String) {
        for name in ReadableFiles.names(in: folder) where name.hasPrefix(prefix) {
            let server = name.dropFirst(prefix.count).split(separator: "-").first.flatMap { pid_t($0) }
            if let server, kill(server, 0) == -1, errno == ESRCH { rmdir(folder + "/" + name) }
        }
    }
}

/// The control group of one scheme, in every hierarchy.
struct SchemeGroup {
    /// The largest number of threads of a scheme.
    static let threads = 128

    private let folders: [String]
    private let members: [Int32]
    /// The limits that could not be set, in words for the log.
    let missing: [String]

    /// Makes the group and sets its limits: threads, memory, and the time of one processor.
    init(in folders: [String], memory: Int) {
        let name = ControlGroups.name(server: getppid(), launcher: getpid())
        let own = folders.map { $0 + "/" + name }.filter { mkdir($0, 0o755) == 0 || errno == EEXIST }
        func set(_ values: [(file: String, value: String)]) -> Bool {
            values.contains { pair in own.contains { TextFile.write(pair.value, to: "\($0)/\(pair.file)") } }
        }
        var missing: [String] = []
        if !set([("pids.max", "\(Self.threads)")]) { missing.append("cgroup of threads") }
        if memory != .max, !set([("memory.max", "\(memory)"), ("memory.limit_in_bytes", "\(memory)")]) {
            missing.append("cgroup of memory")
        }
        _ = set([("memory.swap.max", "0")])
        if !set([("cpu.max", "100000 100000"), ("cpu.cfs_quota_us", "100000")]) {
            missing.append("cgroup of CPU time")
        }
        self.folders = own
        self.missing = missing
        members = own.map { open($0 + "/cgroup.procs", O_WRONLY | O_CLOEXEC) }.filter { $0 >= 0 }
    }

    /// Moves the calling process into the group.
    func enter() {
        for file in members { _ = "0".withCString { write(file, $0, 1) } }
    }

    /// Removes the group, which must be empty.
    func remove() { for folder in folders { rmdir(folder) } }
}
