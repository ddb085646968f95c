import CLinux
import Glibc

/// Landlock rules: files below a few paths can be read and mapped; nothing can be written or created, no port can be
/// reached, and no process outside can be signalled.
struct Landlock {
    private static let execute: UInt64 = 1 << 0
    private static let readFile: UInt64 = 1 << 2
    private static let readFolder: UInt64 = 1 << 3

    private let rules: Int32

    /// Creates rules that permit reading these files; `nil` if the kernel has no Landlock.
    init?(reading files: [String]) {
        let version = clinux_landlock_version()
        guard version > 0 else { return nil }
        // Every right that the kernel knows is denied by default; versions 1, 2, 3 and 5 brought new rights.
        let rights = [13, 14, 15, 15, 16]
        let handled = (UInt64(1) << UInt64(rights[Int(min(version, 5)) - 1])) - 1
        let size: UInt = version < 4 ? 8 : version < 6 ? 16 : 24
        rules = clinux_landlock_create(handled, version < 4 ? 0 : 3, version < 6 ? 0 : 3, size)
        guard rules >= 0 else { return nil }
        for file in files { allow(file) }
    }

    private func allow(_ path: String) {
        let file = open(path, clinux_path_alone | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        _ = clinux_landlock_allow(rules, file, Self.execute | Self.readFile | (isFolder ? Self.readFolder : 0))
    }

    /// Confines the calling process, which must have given up new privileges; returns whether that worked.
    func restrict() -> Bool { clinux_landlock_restrict(rules) == 0 }
}
