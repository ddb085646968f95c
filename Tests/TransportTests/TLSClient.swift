import COpenSSL
import Glibc

@testable import Transport

/// A blocking TLS client that trusts everybody.
final class TLSClient: @unchecked Sendable {
    // @unchecked: used by one test, one call after the other.
    private let context: OpaquePointer
    private let session: OpaquePointer
    private let descriptor: Int32

    /// Owns the descriptor from now on.
    init(_ descriptor: Int32, versions: ClosedRange<Int32> = TLS1_2_VERSION...TLS1_3_VERSION, alpn: [UInt8] = []) throws
    {
        guard let context = SSL_CTX_new(TLS_client_method()), let session = SSL_new(context) else {
            throw TLSError("client")
        }
        self.context = context
        self.session = session
        self.descriptor = descriptor
        // Security level 0: the client would take versions that the server must refuse.
        SSL_set_security_level(session, 0)
        SSL_ctrl(session, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(versions.lowerBound), nil)
        SSL_ctrl(session, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(versions.upperBound), nil)
        SSL_set_alpn_protos(session, alpn, UInt32(alpn.count))
        SSL_set_fd(session, descriptor)
    }

    deinit {
        SSL_free(session)
        SSL_CTX_free(context)
        close(descriptor)
    }

    /// Whether the handshake is done.
    func connect() -> Bool {
        ERR_clear_error()
        return SSL_connect(session) == 1
    }

    func send(_ bytes: [UInt8]) -> Bool {
        var count = 0
        return SSL_write_ex(session, bytes, bytes.count, &count) == 1 && count == bytes.count
    }

    /// The next bytes; none at an end with a good-bye, `nil` at one without.
    func receive() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var count = 0
        ERR_clear_error()
        let result = SSL_read_ex(session, &bytes, bytes.count, &count)
        if result == 1 { return Array(bytes[..<count]) }
        return SSL_get_error(session, result) == SSL_ERROR_ZERO_RETURN ? [] : nil
    }

    /// Exactly so many bytes, or what came before the end.
    func receive(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count, let more = receive(), !more.isEmpty { bytes += more }
        return bytes
    }

    func sayGoodbye() { SSL_shutdown(session) }

    var version: String { String(cString: SSL_get_version(session)) }

    var chosenProtocol: String {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(session, &name, &length)
        return String(decoding: UnsafeBufferPointer(start: name, count: Int(length)), as: UTF8.self)
    }

    /// The serial number of the certificate that the server has shown.
    var serial: Int {
        guard let certificate = SSL_get1_peer_certificate(session) else { return -1 }
        defer { X509_free(certificate) }
        return ASN1_INTEGER_get(X509_get_serialNumber(certificate))
    }
}
