internal import CLinux
internal import Glibc
internal import Synchronization

/// A PostgreSQL server of a test's own, in a temporary folder, which ends and is removed with the last reference.
///
/// It listens on a Unix socket in that folder. As root it runs as the user `postgres` of Debian's package. If the test's
/// process dies, a second process ends the server and removes the folder.
public final class PostgreSQLCluster: Sendable {
    /// How a cluster is made.
    public struct Options: Sendable {
        /// Whether commits wait for the disk. Without that, a crash of the machine may lose them, but not one of the
        /// server.
        public var isDurable = false
        /// Whether it also listens on 127.0.0.1.
        public var usesTCP = false
        /// What it shows over TCP; `nil` for no TLS.
        public var certificate: TestCertificate?
        /// Further settings by their names.
        public var settings: [String: String] = [:]
        /// Whether signing in needs the password; otherwise everyone is let in.
        public var asksForPassword = false
        /// The size in bytes of a file system in memory at ``PostgreSQLCluster/smallDisk``, which only root can ask for.
        public var smallDisk: Int?

        /// Creates the options of a cluster without TCP, which does not wait for the disk.
        public init() {}
    }

    /// Why there is no cluster.
    public struct Failure: Error, CustomStringConvertible {
        /// What failed, with the end of the server's log.
        public let description: String
    }

    /// The user that the cluster belongs to.
    public let user = "gradecast"
    /// The password of that user.
    public let password = "a secret, söe ? $1"
    /// The folder of the Unix socket.
    public let folder: String
    /// The port, also in the name of the Unix socket.
    public let port: Int
    /// Whether this process may ask for a small disk.
    public static let canLimitDisk = getuid() == 0

    /// The file of the certificate that the server shows.
    public var certificate: String { "\(folder)/certificate.pem" }
    /// The folder for a tablespace on the small disk.
    public var smallDisk: String { "\(folder)/small" }

    private let options: Options
    private let programs: String
    private let server = Mutex<ChildProcess?>(nil)
    private let cleaner: ChildProcess
    /// The cleaner waits until the other end of this pipe is closed.
    private let lifeline: Int32

    /// Makes a cluster and starts its server.
    public init(_ options: Options = Options()) throws {
        // The files of the certificate are copied, and may go.
        var kept = options
        kept.certificate = nil
        self.options = kept
        programs = try Self.findPrograms()
        folder = try Self.makeFolder()
        port = options.usesTCP ? try Self.freePort() : 5_432
        (cleaner, lifeline) = try Self.startCleaner(of: folder)
        try prepare(options.certificate)
        try start()
    }

    deinit {
        kill()
        close(lifeline)
        // It removes the folder.
        cleaner.awaitEnd()
    }

    /// Starts the server, and waits until it lets clients in. After ``kill()`` it first recovers.
    ///
    /// - Parameter settings: settings for this start, by their names.
    public func start(_ settings: [String: String] = [:]) throws {
        let ready = try ReadySocket(path: "\(folder)/ready")
        let all = self.settings.merging(settings) { $1 }
        let arguments = all.sorted { $0.key < $1.key }.flatMap { ["-c", "\($0.key)=\($0.value)"] }
        var command = Self.asServer(["\(programs)/postgres", "-D", "\(folder)/data"] + arguments)
        if let size = options.smallDisk {
            // In a name space of its own, so that the mount ends with the server.
            let mount = "mount -t tmpfs -o size=\(size),uid=$(id -u postgres) tmpfs \"$0\" && exec \"$@\""
            command = ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", mount, smallDisk] + command
        }
        let child = try ChildProcess(command, environment: ["NOTIFY_SOCKET=\(ready.path)"], log: "\(folder)/log")
        guard ready.wait(orEndOf: child) else {
            child.signal(SIGKILL)
            child.awaitEnd()
            throw failure("the server did not start")
        }
        server.withLock { $0 = child }
    }

    /// Stops the server: clients are disconnected, and everything is written.
    public func stop() {
        guard let child = server.withLock({ $0.take() }) else { return }
        child.signal(SIGINT)
        if !child.awaitEnd() { child.kill() }
    }

    /// Kills all processes of the server at once.
    public func kill() { server.withLock { $0.take() }?.kill() }

    /// Stops the server and starts it again.
    public func restart() throws {
        stop()
        try start()
    }

    /// Stops the server and starts it again with another certificate.
    public func restart(showing certificate: TestCertificate) throws {
        stop()
        try place(certificate)
        try start()
    }

    /// Dumps a database and restores the dump as another one, with the server's own programs.
    public func copy(_ database: String, as name: String) throws {
        let script = """
            set -e
            of="-h $1 -p $2 -U $3"
            "$0/createdb" $of -T template0 "$5"
            "$0/pg_dump" $of -Fc -f "$1/$5.dump" "$4"
            "$0/pg_restore" $of --exit-on-error -d "$5" "$1/$5.dump"
            """
        let copying = try ChildProcess(
            ["/bin/sh", "-c", script, programs, folder, String(port), user, database, name],
            log: "\(folder)/copies")
        guard copying.awaitEnd(), copying.status == 0 else {
            copying.kill()
            throw Failure(description: "no copy of \(database): \(readFile("\(folder)/copies"))")
        }
    }

    /// Halts all processes of the server; its sockets stay open.
    public func pause() { server.withLock { $0?.pause() } }

    /// Lets halted processes go on.
    public func resume() { server.withLock { $0?.resume() } }

    /// The end of what the server has logged.
    public var log: String { String(readFile("\(folder)/log").suffix(4_000)) }

    // MARK: - Making

    private var settings: [String: String] {
        var settings = [
            "unix_socket_directories": folder, "port": String(port), "listen_addresses": "", "shared_buffers": "16MB",
            "max_connections": "400", "fsync": options.isDurable ? "on" : "off", "logging_collector": "off",
            "restart_after_crash": "off", "dynamic_shared_memory_type": "mmap", "max_wal_size": "256MB",
            // English, so that a message in a failing test can be read.
            "lc_messages": "C",
        ]
        if options.usesTCP { settings["listen_addresses"] = "127.0.0.1" }
        if access(certificate, F_OK) == 0 {
            settings["ssl"] = "on"
            settings["ssl_cert_file"] = certificate
            settings["ssl_key_file"] = "\(folder)/key.pem"
        }
        return settings.merging(options.settings) { $1 }
    }

    private func prepare(_ certificate: TestCertificate?) throws {
        if options.smallDisk != nil { mkdir(smallDisk, 0o777) }
        try place("password", Array(password.utf8))
        if let certificate { try place(certificate) }
        let initialise = try ChildProcess(
            Self.asServer([
                "\(programs)/initdb", "-D", "\(folder)/data", "-U", user, "-E", "UTF8", "--locale=C.UTF-8", "--no-sync",
                "--no-instructions", "-A", options.asksForPassword ? "scram-sha-256" : "trust", "--pwfile",
                "\(folder)/password",
            ]), log: "\(folder)/log")
        guard initialise.awaitEnd(), initialise.status == 0 else {
            initialise.kill()
            throw failure("initdb failed")
        }
    }

    private func place(_ certificate: TestCertificate) throws {
        try place("certificate.pem", Array(readFile(certificate.certificate).utf8))
        try place("key.pem", Array(readFile(certificate.key).utf8))
    }

    /// Writes a file that the server alone may read.
    private func place(_ name: String, _ bytes: [UInt8]) throws {
        let file = open("\(folder)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(file) }
        guard file >= 0, write(file, bytes, bytes.count) == bytes.count else { throw failure("no file \(name)") }
        try Self.give("\(folder)/\(name)")
    }

    private func failure(_ what: String) -> Failure { Failure(description: "\(what): \(log)") }

    /// The folder of the newest server's programs.
    private static func findPrograms() throws -> String {
        let root = "/usr/lib/postgresql"
        let versions = entries(of: root).compactMap { Int($0) }.filter { access("\(root)/\($0)/bin/initdb", X_OK) == 0 }
        guard let newest = versions.max() else { throw Failure(description: "PostgreSQL is not installed") }
        return "\(root)/\(newest)/bin"
    }

    /// A folder with a short path: a socket's path has at most 107 bytes.
    private static func makeFolder() throws -> String {
        let wanted = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(wanted.utf8.count < 60 ? wanted : "/tmp")/gc-pg.XXXXXX".utf8CString)
        let isMade = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } != nil }
        guard isMade else { throw Failure(description: "no temporary folder: error \(errno)") }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try give(path)
        return path
    }

    /// The user of Debian's package if this process is root, because the server refuses to run as root; else `nil`.
    private static func account() throws -> (user: uid_t, group: gid_t)? {
        guard getuid() == 0 else { return nil }
        var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
        var memory = [CChar](repeating: 0, count: 4_096)
        guard getpwnam_r("postgres", &entry, &memory, memory.count, &found) == 0, found != nil else {
            throw Failure(description: "there is no user postgres")
        }
        return (entry.pw_uid, entry.pw_gid)
    }

    private static func give(_ path: String) throws {
        guard let account = try account() else { return }
        guard chown(path, account.user, account.group) == 0 else { throw Failure(description: "chown \(path)") }
    }

    private static func asServer(_ command: [String]) -> [String] {
        guard getuid() == 0 else { return command }
        return ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"] + command
    }

    private static func freePort() throws -> Int {
        let probe = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(probe) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(probe, $0, length) == 0 && getsockname(probe, $0, &length) == 0
            }
        }
        guard isBound else { throw Failure(description: "no free port") }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Starts the process that cleans up once this one has ended: it waits for the end of its input.
    private static func startCleaner(of folder: String) throws -> (ChildProcess, Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(description: "no pipe") }
        _ = fcntl(ends[1], F_SETFD, FD_CLOEXEC)
        defer { close(ends[0]) }
        let script = """
            read -r _
            process=$(head -n 1 "$0/data/postmaster.pid" 2>/dev/null)
            if [ -n "$process" ] && [ "$(readlink "/proc/$process/cwd")" = "$0/data" ]; then
                kill -CONT "$process"
                kill -QUIT "$process"
                while [ -e "/proc/$process" ]; do sleep 0.1; done
            fi
            rm -rf "$0"
            """
        return (try ChildProcess(["/bin/sh", "-c", script, folder], input: ends[0], log: "/dev/null"), ends[1])
    }
}

/// Where a server says that it is ready, by systemd's protocol, which Debian's PostgreSQL speaks.
private final class ReadySocket {
    let path: String
    private let descriptor: Int32

    init(path: String) throws {
        self.path = path
        unlink(path)
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        let isBound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound, chmod(path, 0o777) == 0 else {
            throw PostgreSQLCluster.Failure(description: "no socket at \(path)")
        }
    }

    deinit { close(descriptor) }

    /// Waits until the server is ready; `false` if it ended or took too long.
    func wait(orEndOf child: ChildProcess) -> Bool {
        var message = [UInt8](repeating: 0, count: 4_096)
        let deadline = ContinuousClock.now + .seconds(Patience.seconds)
        while ContinuousClock.now < deadline {
            var watched = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: child.watch, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&watched, 2, Int32(Patience.seconds) * 1_000) > 0 else { continue }
            guard watched[0].revents != 0 else { return false }
            let count = recv(descriptor, &message, message.count, 0)
            if String(decoding: message[..<max(0, count)], as: UTF8.self).contains("READY=1") { return true }
        }
        return false
    }
}
