import CLinux
import Glibc

/// Namespaces of one's own, as many as the system allows.
struct Namespaces {
    /// What could not be had, in words for the log.
    private(set) var missing: [String] = []
    /// Whether children are in a namespace of processes of their own.
    private(set) var hasProcesses = false
    /// Whether the process is in a namespace of users of its own.
    private(set) var hasUsers = false

    private static let kinds = [
        (clinux_new_network, "own network"), (clinux_new_processes, "own processes"), (clinux_new_ipc, "own IPC"),
        (clinux_new_names, "own host name"),
    ]

    /// Leaves the namespaces of the server; the process must not have a second thread.
    init() {
        let all = Self.kinds.reduce(0) { $0 | $1.0 }
        if clinux_unshare(all) == 0 {
            hasProcesses = true
            return
        }
        // Who may not make the others may still make one of users, and within it the others.
        let (user, group) = (getuid(), getgid())
        if user != 0, clinux_unshare(clinux_new_user) == 0 { hasUsers = Self.map(user, group) }
        for (kind, name) in Self.kinds {
            let isMade = clinux_unshare(kind) == 0
            if !isMade { missing.append(name) }
            if isMade, kind == clinux_new_processes { hasProcesses = true }
        }
    }

    /// Lets the user and group mean themselves inside.
    private static func map(_ user: uid_t, _ group: gid_t) -> Bool {
        TextFile.write("deny", to: "/proc/self/setgroups")
            && TextFile.write("\(group) \(group) 1", to: "/proc/self/gid_map")
            && TextFile.write("\(user) \(user) 1", to: "/proc/self/uid_map")
    }
}

/// Small files of the kernel.
enum TextFile {
    static func write(_ text: String, to path: String) -> Bool {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        return Array(text.utf8).withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) } == text.utf8.count
    }

    static func read(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = Glibc.read(file, &buffer, buffer.count)
        return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
    }
}
