import Glibc

/// Two connected sockets; those that are not taken are closed.
final class SocketPair {
    private var ends: [Int32] = [-1, -1]

    /// Creates sockets that a child process does not inherit unless they are passed to it.
    init(_ kind: __socket_type) throws(ChildFailure) {
        guard socketpair(AF_UNIX, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw ChildFailure(code: errno)
        }
    }

    deinit { for end in ends where end >= 0 { close(end) } }

    /// Returns this process's socket of the pair, which the caller must close.
    func takeOwn() -> Int32 {
        defer { ends[0] = -1 }
        return ends[0]
    }

    /// Returns the child's socket, which the caller must close. Its number is above those at which a child finds its
    /// sockets.
    func takeOther() throws(ChildFailure) -> Int32 {
        let end = fcntl(ends[1], F_DUPFD_CLOEXEC, 5)
        guard end >= 0 else { throw ChildFailure(code: errno) }
        return end
    }
}
