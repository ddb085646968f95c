internal import Glibc

/// A system call that failed, with its error.
public struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call's name.
    public let call: String
    /// The error number, as in `errno`.
    public let code: Int32

    /// Creates the error of a failed `call`.
    public init(_ call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    /// The call and the system's words for the failure.
    public var description: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard strerror_r(code, &buffer, buffer.count) == 0 else { return "\(call): error \(code)" }
        return "\(call): " + String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// Throws the error that a C result below zero indicates, and returns any other result.
@discardableResult
func check(_ result: Int32, _ call: String) throws(TransportError) -> Int32 {
    guard result >= 0 else { throw TransportError(call, code: errno) }
    return result
}
