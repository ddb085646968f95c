import Configuration
import Cryptography
import Glibc
import GradingKit

extension ServerConfiguration {
    /// The usage text of the options that all commands on the server's data share.
    static let optionsUsage = """
          --config FILE   the configuration (default: config.json, if there is one)
          --data DIR      keep the database in this folder
        """

    /// Reads the configuration file, and lets the environment and then the flags override it.
    ///
    /// - Throws: every fault, with its key path, what is wrong, and what would be right.
    static func load(_ arguments: inout Arguments) throws -> ServerConfiguration {
        var findings: [String] = []
        let configuration = try load(&arguments, noting: &findings)
        guard findings.isEmpty else { throw Failure(findings.joined(separator: "\n")) }
        return configuration
    }

    /// Reads what is valid, and adds everything that is wrong to `findings`; throws only for a wrong command line.
    static func load(_ arguments: inout Arguments, noting findings: inout [String]) throws -> ServerConfiguration {
        let path = try arguments.option("--config")
        let folder = try arguments.option("--data")
        let port = try arguments.option("--port")
        var configuration = ServerConfiguration()
        do {
            if let bytes = try Files.contents(of: path ?? "config.json", isRequired: path != nil) {
                configuration = read(bytes, named: path ?? "config.json", noting: &findings)
            }
        } catch {
            findings.append("\(error)")
        }
        do {
            try configuration.override(with: Files.environment)
        } catch {
            findings.append(explain(error, in: "the environment"))
        }
        if let folder { configuration.keepData(in: folder) }
        if let port {
            guard let number = Int(port), (0...65_535).contains(number) else {
                throw UsageError("--port takes a number from 0 to 65535.")
            }
            configuration.port = number
        }
        return configuration
    }

    private static func read(
        _ bytes: [UInt8], named name: String, noting findings: inout [String]
    ) -> ServerConfiguration {
        do throws(JSONSyntaxError) {
            let json = try JSON.parse(bytes)
            var faults = FaultList()
            let configuration = ServerConfiguration(json, knowing: Installation.vocabulary, noting: &faults)
            if !faults.faults.isEmpty { findings.append(explain(faults, in: name)) }
            return configuration
        } catch {
            let place = TextPlace(of: error.offset, in: bytes)
            findings.append("\(name) is not JSON: \(error.reason.rawValue) at \(place)")
            return ServerConfiguration()
        }
    }

    private static func explain(_ faults: FaultList, in source: String) -> String {
        let lines = faults.faults.map { fault in
            let place = fault.path.isEmpty ? "(the whole)" : fault.path
            return "  \(place): \(MessageCatalog.configuration.message(fault, in: .english))"
        }
        return "\(source) has \(lines.count == 1 ? "a fault" : "\(lines.count) faults"):\n"
            + lines.joined(separator: "\n")
    }
}

/// Files and environment variables, as the commands need them.
enum Files {
    /// The environment's variables.
    static var environment: [String: String] {
        var variables: [String: String] = [:]
        var place = environ
        while let entry = place.pointee {
            let text = String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            place += 1
        }
        return variables
    }

    /// Returns a small file's bytes; `nil` if a file that is not required does not exist.
    static func contents(of path: String, isRequired: Bool) throws -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if !isRequired, errno == ENOENT { return nil }
            throw Failure("\(path): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= 1 << 20 else { throw Failure("\(path) is larger than 1 MiB.") }
        }
    }

    /// Returns the bytes of a key file, which only its owner may read; `nil` if there is none.
    static func privateContents(of path: String) throws -> [UInt8]? {
        guard let bytes = try contents(of: path, isRequired: false) else { return nil }
        guard !isReadableByOthers(path) else { throw Failure("\(path) is readable by others; chmod 600 it.") }
        return bytes
    }

    /// Writes a file that only its owner can read, whole or not at all. When this returns, the file survives a power
    /// loss.
    static func writePrivately(_ bytes: [UInt8], to path: String) throws {
        let draft = path + ".new"
        unlink(draft)
        try fill(draft, with: bytes)
        guard rename(draft, path) == 0, keepsNames(of: parent(of: path)) else {
            throw Failure("\(path): \(String(cString: strerror(errno)))")
        }
    }

    /// Writes such a file unless it is there already, whichever process of whichever machine writes it.
    static func createPrivately(_ bytes: [UInt8], at path: String) throws {
        let draft = path + "." + Base64.url.encode(RandomSource.system.bytes(9)) + ".new"
        try fill(draft, with: bytes)
        defer { unlink(draft) }
        if link(draft, path) != 0 {
            if errno == EEXIST { return }
            // A file system without links; servers do not share those.
            guard [EPERM, ENOTSUP, ENOSYS].contains(errno), rename(draft, path) == 0 else {
                throw Failure("\(path): \(String(cString: strerror(errno)))")
            }
        }
        guard keepsNames(of: parent(of: path)) else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
    }

    /// Writes a new file that only its owner can read.
    private static func fill(_ path: String, with bytes: [UInt8]) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        let isWritten = count == bytes.count && fsync(descriptor) == 0
        let fault = errno
        close(descriptor)
        guard isWritten else {
            unlink(path)
            throw Failure("\(path): \(String(cString: strerror(fault)))")
        }
    }

    /// Returns the folder of a path.
    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Makes the names in a folder survive a power loss; returns whether that worked. A file system without this
    /// guarantee counts as a success.
    private static func keepsNames(of folder: String) -> Bool {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0 || errno == EINVAL
    }

    /// Writes a file that everyone may read; throws if it exists already.
    static func write(_ bytes: [UInt8], to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard close(descriptor) == 0, count == bytes.count else {
            throw Failure("\(path): \(String(cString: strerror(errno)))")
        }
    }

    /// Creates a folder and its parents, for the owner alone.
    static func makeFolder(_ path: String) throws {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += (made.isEmpty || made == "/" ? "" : "/") + part
            if mkdir(made, 0o700) == 0 {
                _ = keepsNames(of: parent(of: made))
            } else if errno != EEXIST {
                throw Failure("\(made): \(String(cString: strerror(errno)))")
            }
        }
    }

    /// Returns whether anyone besides the owner can read a file.
    ///
    /// Credentials from the service manager are in a folder that only the service can read. Their mode only seems to
    /// let a group read them, because it shows the mask of their access list.
    static func isReadableByOthers(_ path: String) -> Bool {
        if let folder = environment["CREDENTIALS_DIRECTORY"], !folder.isEmpty, path.hasPrefix(folder + "/"),
            !path.contains("/../")
        {
            return false
        }
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & 0o077 != 0
    }

    /// Returns the absolute path without links; `nil` if nothing is there.
    static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// The folder of the running program.
    static var programFolder: String {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { return "." }
        let path = String(decoding: buffer[..<count], as: UTF8.self)
        return String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    }
}
