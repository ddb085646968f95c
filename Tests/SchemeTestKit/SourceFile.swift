import Glibc

/// A file of the repository, named from its root.
public struct SourceFile {
    /// There is no such file, or it cannot be read.
    public struct Missing: Error {
        /// Where it was looked for.
        public let path: String
    }

    /// What the file holds.
    public let text: String

    /// Reads a file.
    public init(_ name: String) throws(Missing) {
        let root = String(#filePath).split(separator: "/").dropLast(3).joined(separator: "/")
        let path = "/\(root)/\(name)"
        guard let file = fopen(path, "r") else { throw Missing(path: path) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// Its lines, without the empty ones.
    public var lines: [Substring] { text.split(separator: "\n") }
}
