import Glibc

/// Why a file could not be copied.
public struct CopyFailure: Error {
    /// `errno`.
    public let number: Int32
}

/// Copies a file's bytes as they are at this moment.
public func copyFile(_ source: String, to destination: String) throws(CopyFailure) {
    try write(try bytes(of: source), to: destination)
}

/// Returns a file's bytes.
public func bytes(of path: String) throws(CopyFailure) -> [UInt8] {
    guard let file = fopen(path, "r") else { throw CopyFailure(number: errno) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return bytes
}

/// Makes a file of some bytes, or replaces it.
public func write(_ bytes: [UInt8], to path: String) throws(CopyFailure) {
    guard let file = fopen(path, "w") else { throw CopyFailure(number: errno) }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw CopyFailure(number: errno) }
}

/// Returns a file's text; empty if it cannot be read.
func readFile(_ path: String) -> String { String(decoding: (try? bytes(of: path)) ?? [], as: UTF8.self) }

/// Returns the names in a folder, without the folder itself and the one above it; none if it cannot be read.
func entries(of folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names
}
