import Glibc

/// A file beside the tests, line by line.
struct DataFile {
    struct Missing: Error {
        let path: String
    }

    let lines: [Substring]

    init(_ name: String) throws(Missing) {
        let folder = String(#filePath).split(separator: "/").dropLast(2).joined(separator: "/")
        let path = "/\(folder)/Data/\(name)"
        guard let file = fopen(path, "r") else { throw Missing(path: path) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }
}
