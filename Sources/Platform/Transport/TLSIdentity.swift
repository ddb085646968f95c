internal import Synchronization

/// The certificate and key that a server presents. Both can be replaced while it runs: existing connections keep what
/// they began with, and new ones get the new certificate.
public final class TLSIdentity: Sendable {
    private let certificate: String
    private let key: String
    private let context: Mutex<TLSContext>

    /// Reads the files.
    ///
    /// - Parameters:
    ///   - certificate: a PEM file with the server's certificate, followed by its intermediate certificates.
    ///   - key: a PEM file with the certificate's private key, without a passphrase.
    /// - Throws: `TLSError` if a file cannot be read or is of another kind, or if the two do not belong together.
    public init(certificate: String, key: String) throws(TLSError) {
        self.certificate = certificate
        self.key = key
        context = Mutex(try TLSContext(certificate: certificate, key: key))
    }

    /// Reads the files again. If they are not usable, the previous ones stay in use.
    public func reload() throws(TLSError) {
        let fresh = try TLSContext(certificate: certificate, key: key)
        context.withLock { $0 = fresh }
    }

    /// The second since 1970 at which the certificate for new connections ends; `nil` if it does not say.
    public var certificateEnd: Int? { context.withLock(\.certificateEnd) }

    /// Returns the server's end of TLS on a connected socket, and takes over its descriptor.
    func secure(_ descriptor: Int32) throws(TransportError) -> TLSSocket {
        try TLSSocket(descriptor: descriptor, context: context.withLock { $0 })
    }
}
