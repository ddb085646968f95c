import Glibc

/// Reports the program's state to the service manager that started it, as `sd_notify(3)` describes: each time as a
/// datagram to the socket that the environment names.
final class ServiceManager: Sendable {
    /// The states that are reported to the service manager.
    enum State: Equatable {
        /// Requests are answered, for the first time or again after a reload.
        case ready(String)
        /// The configuration is being reloaded.
        case reloading
        /// The server is stopping, and lets its clients leave.
        case stopping
        /// The server is working; sent at least once in each watchdog interval.
        case alive

        /// Returns the assignments to send, one per line.
        func text(at now: UInt64) -> String {
            switch self {
            case .ready(let status): "READY=1\nSTATUS=\(status)"
            case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(now)\nSTATUS=Reloading"
            case .stopping: "STOPPING=1\nSTATUS=Letting clients leave"
            case .alive: "WATCHDOG=1"
            }
        }
    }

    /// How long the manager waits for a sign of life before it ends the program; `nil` if it does not watch.
    let watchdogInterval: Duration?
    private let socket: Int32
    private let address: sockaddr_un
    private let length: socklen_t

    /// Reads `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`; `nil` if there is no socket.
    init?(environment: [String: String] = Files.environment) {
        guard let path = environment["NOTIFY_SOCKET"], let (address, length) = Self.address(of: path) else {
            return nil
        }
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        socket = descriptor
        self.address = address
        self.length = length
        let isForMe = environment["WATCHDOG_PID"].map { $0 == String(getpid()) } ?? true
        watchdogInterval =
            environment["WATCHDOG_USEC"].flatMap { Int64($0) }
            .flatMap { isForMe && $0 > 0 ? .microseconds($0) : nil }
    }

    deinit { close(socket) }

    /// Reads a path or, after `@`, an abstract name without a file; `nil` for anything else.
    private static func address(of path: String) -> (sockaddr_un, socklen_t)? {
        var bytes = Array(path.utf8)
        var address = sockaddr_un()
        guard let first = bytes.first, bytes.count > 1, bytes.count < MemoryLayout.size(ofValue: address.sun_path),
            first == UInt8(ascii: "/") || first == UInt8(ascii: "@")
        else { return nil }
        if first == UInt8(ascii: "@") { bytes[0] = 0 }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        return (address, socklen_t(offset + bytes.count))
    }

    /// Sends a state, and ignores failures: a manager that does not listen is no reason to stop serving, and a slow one
    /// is no reason to wait.
    func tell(_ state: State) {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let text = Array(state.text(at: UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000).utf8)
        withUnsafePointer(to: address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(socket, text, text.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), address, length)
            }
        }
    }

    /// Sends signs of life while `isWell` returns `true`, until the task is cancelled; does nothing if the manager does
    /// not watch. A server that hangs sends none and is restarted.
    func keepTelling(whileWell isWell: @Sendable () async -> Bool) async {
        guard let watchdogInterval else { return }
        while !Task.isCancelled {
            if await isWell() { tell(.alive) }
            try? await Task.sleep(for: watchdogInterval / 3)
        }
    }
}
