internal import COpenSSL
internal import Glibc

/// Why a certificate and its key cannot be used.
public struct TLSError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file, or what was to be done.
    public let subject: String
    /// OpenSSL's or the system's words for it.
    public let reason: String

    /// The first of what OpenSSL complained about on this thread; the others follow from it.
    init(_ subject: String) {
        self.subject = subject
        let code = ERR_peek_error()
        // Texts that last as long as the process, or as the thread asks for no other.
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

/// Turns OpenSSL's 1 for success into nothing, and anything else into the error it stands for.
func checkOpenSSL(_ result: Int32, _ subject: String) throws(TLSError) {
    guard result == 1 else { throw TLSError(subject) }
}
