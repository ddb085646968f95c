import Glibc
import GradingKit

/// The frames on descriptor 3: a length in four bytes, most significant first, then that many bytes of JSON.
enum FrameChannel {
    private static let descriptor: Int32 = 3

    /// Whether descriptor 3 is a socket, as the server provides it.
    static var isConnected: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// Reads the next frame; `nil` when the other end has closed, or has sent an invalid frame.
    static func read() -> [UInt8]? {
        guard let head = read(4) else { return nil }
        let length = head.reduce(0) { $0 << 8 | Int($1) }
        return length <= SchemeWire.longestFrame ? read(length) : nil
    }

    /// Writes a frame; returns `false` when the other end has closed.
    static func write(_ bytes: [UInt8]) -> Bool {
        guard let length = UInt32(exactly: bytes.count) else { return false }
        let frame = stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: length >> UInt32($0)) } + bytes
        var sent = 0
        while sent < frame.count {
            let count = frame[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    private static func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let received = bytes[filled...].withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if received < 0, errno == EINTR { continue }
            guard received > 0 else { return nil }
            filled += received
        }
        return bytes
    }

    static func complain(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
