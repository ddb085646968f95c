import CLinux
import Glibc

/// The files that a scheme may read. Landlock can only add rights, so if a folder contains a secret, its other children
/// are granted one by one.
struct ReadableFiles {
    /// The largest number of names that are looked at; a scheme's folder should not contain more.
    static let mostNames = 20_000

    /// Programs and libraries of the system, and what a runtime reads at its start.
    static var system: [String] {
        let folders = ["/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/nix/store"]
        let files = ["/etc/ld.so.cache", "/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"]
        let python = names(in: "/etc").filter { $0.hasPrefix("python") }.map { "/etc/" + $0 }
        return folders + files + python + runtime
    }

    /// The folder of the Swift runtime, unless this program contains its own: schemes in Swift are linked in the same
    /// way.
    private static var runtime: [String] {
        guard let symbol = dlsym(nil, "swift_retain"), let name = clinux_file_of(symbol) else { return [] }
        let file = String(cString: name)
        guard file.hasSuffix(".so"), let end = file.lastIndex(of: "/"), end > file.startIndex else { return [] }
        return [String(file[..<end])]
    }

    private let secret: [String]
    private var seen = 0
    private(set) var granted: [String] = []
    /// Whether there were too many names to look at all of them.
    var isIncomplete: Bool { seen > Self.mostNames }

    /// Finds the files and folders below `roots`, without the secret ones and what is in them.
    init(below roots: [String], without secret: [String]) {
        self.secret = secret.map(Self.resolved)
        for root in Set(roots.map(Self.resolved)).sorted() { visit(root) }
    }

    private mutating func visit(_ path: String) {
        seen += 1
        guard seen <= Self.mostNames, !secret.contains(where: { Self.lies(path, in: $0) }) else { return }
        guard secret.contains(where: { Self.lies($0, in: path) }) else { return granted.append(path) }
        for name in Self.names(in: path) {
            let child = path == "/" ? path + name : path + "/" + name
            var status = stat()
            // The target of a link counts at the place where it is.
            guard lstat(child, &status) == 0, status.st_mode & S_IFMT != S_IFLNK else { continue }
            visit(child)
        }
    }

    private static func lies(_ path: String, in folder: String) -> Bool {
        path == folder || path.hasPrefix(folder == "/" ? folder : folder + "/")
    }

    /// Returns a path from the root without links; the part that does not exist yet stays as written.
    static func resolved(_ path: String) -> String {
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard let name = parts.last else { return path }
        let parent = (path.hasPrefix("/") ? "/" : "") + parts.dropLast().joined(separator: "/")
        let folder = resolved(parent.isEmpty ? "." : parent)
        return folder == "/" ? folder + name : folder + "/" + name
    }

    static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count <= mostNames, let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
