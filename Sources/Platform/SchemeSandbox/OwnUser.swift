import CLinux
import Glibc

/// A user without a name, files or other processes, for a scheme of a server that runs as root.
enum OwnUser {
    /// The range from which systemd takes the users of `DynamicUser=`: free on every distribution, and mapped in most
    /// containers.
    private static let range: ClosedRange<uid_t> = 61_184...65_519

    /// Returns a user that has neither a name nor a process; `nil` if none is found.
    static func unused() -> uid_t? {
        let busy = Set(
            ReadableFiles.names(in: "/proc").compactMap { name -> uid_t? in
                var status = stat()
                return Int(name) != nil && stat("/proc/" + name, &status) == 0 ? status.st_uid : nil
            })
        return (0..<64).lazy.map { _ in uid_t.random(in: range) }.first { !busy.contains($0) && getpwuid($0) == nil }
    }

    /// Makes the calling process run as this user, without further groups; returns whether that worked.
    static func become(_ user: uid_t) -> Bool {
        let isAlone = clinux_drop_groups() == 0
        return isAlone && clinux_become(user) == 0
    }
}
