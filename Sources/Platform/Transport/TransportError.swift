internal import Glibc

/// A system call that failed, and with what.
public struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call's name.
    public let call: String
    /// The number the kernel gave, as in `errno`.
    public let code: Int32

    /// A failure of `call`.
    public init(_ call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    /// The call and the kernel's words for the failure.
    public var description: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard strerror_r(code, &buffer, buffer.count) == 0 else { return "\(call): error \(code)" }
        return "\(call): " + String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// Turns a C result below zero into the error it stands for.
@discardableResult
func check(_ result: Int32, _ call: String) throws(TransportError) -> Int32 {
    guard result >= 0 else { throw TransportError(call, code: errno) }
    return result
}
