import Glibc

/// Why a file could not be copied.
public struct CopyFailure: Error {
    /// `errno`.
    public let number: Int32
}

/// Copies a file's bytes as they are at this moment.
public func copyFile(_ source: String, to destination: String) throws(CopyFailure) {
    guard let input = fopen(source, "r") else { throw CopyFailure(number: errno) }
    defer { fclose(input) }
    guard let output = fopen(destination, "w") else { throw CopyFailure(number: errno) }
    defer { fclose(output) }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, input), count > 0 {
        guard fwrite(chunk, 1, count, output) == count else { throw CopyFailure(number: errno) }
    }
}
