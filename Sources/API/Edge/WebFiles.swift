import Cryptography
import Glibc
import HTTP

/// The web client's files, read once at start, so that later changes on disk do not affect what is served.
///
/// A file `NAME.gz` is the compressed form of `NAME` for clients that take it. The names of files in `app/built` change
/// with their contents, so that clients keep them without asking again.
public struct WebFiles: Sendable {
    private struct Form: Sendable {
        let bytes: [UInt8]
        let tag: String
    }

    private struct File: Sendable {
        let type: String
        let plain: Form
        var compressed: Form?
    }

    /// The error for a folder or file that cannot be read.
    public struct Unreadable: Error, Sendable {
        /// The path.
        public let path: String
    }

    private static let greatestSize = 8 << 20
    private var files: [String: File] = [:]

    /// Creates an empty set, for a server without pages.
    public init() {}

    /// Reads every file below a folder, which must contain `index.html`.
    public init(folder: String) throws(Unreadable) {
        guard let names = Self.names(in: folder), names.contains("index.html") else { throw Unreadable(path: folder) }
        try collect(folder, into: "")
    }

    private mutating func collect(_ folder: String, into prefix: String) throws(Unreadable) {
        guard let names = Self.names(in: folder) else { throw Unreadable(path: folder) }
        for name in names {
            let path = folder + "/" + name
            if Self.names(in: path) != nil {
                try collect(path, into: prefix + name + "/")
            } else if let type = Self.mediaType(of: name) {
                let compressed = names.contains(name + ".gz") ? try Self.form(at: path + ".gz") : nil
                files[prefix + name] = File(type: type, plain: try Self.form(at: path), compressed: compressed)
            }
        }
    }

    private static func form(at path: String) throws(Unreadable) -> Form {
        guard let bytes = contents(of: path) else { throw Unreadable(path: path) }
        return Form(bytes: bytes, tag: tag(of: bytes))
    }

    /// Returns the file at a path, or `index.html` for an address inside the client; `nil` if there is neither.
    func response(to request: Request) -> Response? {
        guard request.method == .get || request.method == .head else { return nil }
        let path = request.target.segments.joined(separator: "/")
        // An address inside the client is a page for browsers only, which accept HTML.
        let isAddress = path.isEmpty || request.headers["Accept"]?.contains("text/html") == true && !path.contains(".")
        let name = files[path] == nil && isAddress ? "index.html" : path
        guard let file = files[name] else { return nil }
        let compressed = request.headers.hasToken("gzip", in: "Accept-Encoding") ? file.compressed : nil
        let form = compressed ?? file.plain
        var response: Response
        if request.headers["If-None-Match"] == form.tag {
            response = Response(.notModified)
        } else {
            response = Response(.ok, type: file.type, body: form.bytes)
            response.isBodyKept = true
            if compressed != nil { response.headers.set("Content-Encoding", "gzip") }
        }
        if file.compressed != nil { response.headers.set("Vary", "Accept-Encoding") }
        response.headers.set("ETag", form.tag)
        response.headers.set("Cache-Control", name.hasPrefix(Self.built) ? "max-age=31536000, immutable" : "no-cache")
        response.headers.set("Content-Security-Policy", Self.policy)
        return response
    }

    private static let built = "app/built/"

    /// The policy of pages: they load the server's own files alone, run nothing inline, and no page may frame them.
    private static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:", "font-src 'self'",
        "connect-src 'self'", "manifest-src 'self'", "worker-src 'self'", "frame-ancestors 'none'", "base-uri 'none'",
        "form-action 'self'",
    ].joined(separator: "; ")

    private static func mediaType(of name: String) -> String? {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "json": "application/json"
        case "webmanifest": "application/manifest+json"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "woff2": "font/woff2"
        case "txt", "ts": "text/plain; charset=utf-8"
        default: nil
        }
    }

    private static func tag(of bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let text = SHA256.hash(bytes).prefix(12).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return "\"\(String(decoding: text, as: UTF8.self))\""
    }

    /// Returns the names in a folder, sorted and without hidden files; `nil` if it is not a folder.
    private static func names(in folder: String) -> [String]? {
        guard let directory = opendir(folder) else { return nil }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            // `d_name` is a NUL-terminated array inside the entry, which lives until the next `readdir`.
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private static func contents(of path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while bytes.count <= greatestSize {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
        return nil
    }
}
