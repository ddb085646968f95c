import Glibc
import PostgreSQL
import Synchronization
import TestKit

/// Stands between servers and their database, and has what they send wait for each other as a seed says.
///
/// Each statement, or each few that are sent together, goes at once or after the next one of another, unless none comes: who
/// waits for a lock of another sends nothing.
final class Interleaver: Sendable {
    struct Failure: Error {}

    /// How the database is reached through it.
    let settings: PostgreSQLSettings
    private let folder: TemporaryDirectory
    private let listener: Int32
    private let order: Mutex<(chance: Chance, passed: Int)>
    /// How many looks, and the nanoseconds between two: longer than another's statement takes.
    private static let patience = (looks: 20, pause: 100_000)

    init(_ database: PostgreSQLSettings, seed: UInt64) throws {
        folder = try TemporaryDirectory()
        var settings = database
        settings.host = folder.path
        self.settings = settings
        order = Mutex((Chance(seed: seed), 0))
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard Self.withAddress(settings, { bind(listener, $0, $1) }) == 0, listen(listener, 64) == 0 else {
            close(listener)
            throw Failure()
        }
        // It ends with the listener.
        _ = try BackgroundWork { [listener, database, weak self] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                guard let self else { break }
                _ = try BackgroundWork { self.relay(client, database) }
            }
            close(listener)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private func relay(_ client: Int32, _ database: PostgreSQLSettings) {
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer {
            close(client)
            close(server)
        }
        guard Self.withAddress(database, { connect(server, $0, $1) }) == 0 else { return }
        var ends = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while poll(&ends, 2, -1) > 0 || errno == EINTR {
            for (from, to) in [(0, 1), (1, 0)] where ends[from].revents != 0 {
                let count = read(ends[from].fd, &bytes, bytes.count)
                guard count > 0 else { return }
                if from == 0 { waitForTurn() }
                guard Self.send(bytes[..<count], to: ends[to].fd) else { return }
            }
        }
    }

    private func waitForTurn() {
        let turn = order.withLock { $0.passed + Int($0.chance.next() >> 63) }
        for _ in 0..<Self.patience.looks {
            if order.withLock({ $0.passed >= turn }) { break }
            var pause = timespec(tv_sec: 0, tv_nsec: Self.patience.pause)
            nanosleep(&pause, nil)
        }
        order.withLock { $0.passed += 1 }
    }

    private static func send(_ bytes: ArraySlice<UInt8>, to end: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(end, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Calls something with the address of the socket of a database's server.
    private static func withAddress(
        _ settings: PostgreSQLSettings, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = "\(settings.host)/.s.PGSQL.\(settings.port)"
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// Numbers that follow from a seed.
struct Chance: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        // The constants are Knuth's; the upper bits are the better ones.
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state
    }
}
