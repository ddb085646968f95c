import Glibc

/// A directory of one test, removed with everything in it when the last reference goes.
public final class TemporaryDirectory: Sendable {
    /// Where it is.
    public let path: String

    /// Makes a new directory below the system's place for temporary files.
    ///
    /// - Throws: the system's error number, as ``TemporaryDirectory/Failure``.
    public init() throws(Failure) {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/gradecast-test.XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            // The buffer is this function's own, ends in NUL, and is only written by `mkdtemp`.
            buffer.baseAddress.flatMap { mkdtemp($0) } != nil
        }
        guard made else { throw Failure(number: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    /// The path of a file in the directory.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Why no directory could be made.
    public struct Failure: Error, Equatable {
        /// `errno`.
        public let number: Int32
    }

    private static func remove(_ directory: String) {
        guard let stream = opendir(directory) else { return }
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name != ".", name != ".." else { continue }
            let item = "\(directory)/\(name)"
            if unlink(item) != 0 { remove(item) }
        }
        closedir(stream)
        rmdir(directory)
    }
}
