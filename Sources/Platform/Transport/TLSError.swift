internal import COpenSSL
internal import Glibc

/// The reason why a certificate and its key cannot be used.
public struct TLSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file, or the step that failed.
    public let subject: String
    /// The reason, in the words of OpenSSL or the system.
    public let reason: String

    /// Takes the first error that OpenSSL reported on this thread; the others follow from it.
    init(_ subject: String) {
        self.subject = subject
        let code = ERR_peek_error()
        // The texts last as long as the process, or until the thread asks for another.
        if ERR_GET_LIB(code) == ERR_LIB_SYS {
            reason = String(cString: strerror(ERR_GET_REASON(code)))
        } else {
            reason = ERR_reason_error_string(code).map { String(cString: $0) } ?? "refused"
        }
    }

    init(_ subject: String, reason: String) {
        self.subject = subject
        self.reason = reason
    }

    /// `cert.pem: no start line`
    public var description: String { "\(subject): \(reason)" }
}

/// Throws the error that OpenSSL's result indicates, unless it is 1 for success.
func checkOpenSSL(_ result: Int32, _ subject: String) throws(TLSError) {
    guard result == 1 else { throw TLSError(subject) }
}
