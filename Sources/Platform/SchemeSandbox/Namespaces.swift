import CLinux
import Glibc

/// Namespaces of the process's own, as many as the system permits.
struct Namespaces {
    /// The namespaces that could not be made, in words for the log.
    private(set) var missing: [String] = []
    /// Whether children are in a process namespace of their own.
    private(set) var hasProcesses = false
    /// Whether the process is in a user namespace of its own.
    private(set) var hasUsers = false

    private static let kinds = [
        (clinux_new_network, "own network"), (clinux_new_processes, "own processes"), (clinux_new_ipc, "own IPC"),
        (clinux_new_names, "own host name"),
    ]

    /// Leaves the server's namespaces; the process must not have a second thread.
    init() {
        let all = Self.kinds.reduce(0) { $0 | $1.0 }
        if clinux_unshare(all) == 0 {
            hasProcesses = true
            return
        }
        // A user who may not make the others may still make a user namespace, and the others inside it.
        let (user, group) = (getuid(), getgid())
        if user != 0, clinux_unshare(clinux_new_user) == 0 { hasUsers = Self.map(user, group) }
        for (kind, name) in Self.kinds {
            let isMade = clinux_unshare(kind) == 0
            if !isMade { missing.append(name) }
            if isMade, kind == clinux_new_processes { hasProcesses = true }
        }
    }

    /// Maps the user and the group to themselves inside the user namespace.
    private static func map(_ user: uid_t, _ group: gid_t) -> Bool {
        TextFile.write("deny", to: "/proc/self/setgroups")
            && TextFile.write("\(group) \(group) 1", to: "/proc/self/gid_map")
            && TextFile.write("\(user) \(user) 1", to: "/proc/self/uid_map")
    }
}

/// Reads and writes small files of the kernel.
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
