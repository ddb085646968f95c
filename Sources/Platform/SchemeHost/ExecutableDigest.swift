import Cryptography
import Glibc

/// The digest that identifies an executable: SHA-256 of its file, with links followed.
///
/// For a script only the script itself is digested, neither its interpreter nor what it loads.
public struct ExecutableDigest {
    /// 64 hexadecimal digits.
    public let text: String

    /// Digests a file.
    ///
    /// - Throws: ``ChildFailure`` if there is no such file, or if it cannot be read.
    init(of path: String) throws(ChildFailure) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw ChildFailure(code: errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ChildFailure(code: 0, "it is not a file")
        }
        var hash = SHA256()
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        // At most what the file held when it was opened: a file that keeps growing is not an executable.
        var rest = Int(status.st_size)
        while rest > 0 {
            let count = read(file, &buffer, min(buffer.count, rest))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ChildFailure(code: errno) }
            if count == 0 { break }
            hash.update(buffer[..<count])
            rest -= count
        }
        let digits = Array("0123456789abcdef".utf8)
        text = String(
            decoding: hash.finalize().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Returns the digest of a file; `nil` if it cannot be read.
    public static func ofFile(_ path: String) -> String? { try? ExecutableDigest(of: path).text }
}
