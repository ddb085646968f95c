internal import Synchronization

/// The certificate and key that a server shows. Both can be replaced while it runs: who is connected keeps what the
/// connection began with, who comes next sees the new one.
public final class TLSIdentity: Sendable {
    private let certificate: String
    private let key: String
    private let context: Mutex<TLSContext>

    /// Reads the files.
    ///
    /// - Parameters:
    ///   - certificate: a PEM file: the server's certificate, then those between it and a root that clients know.
    ///   - key: a PEM file: the certificate's private key, without a passphrase.
    /// - Throws: `TLSError` when a file cannot be read, is none of the kind, or they do not belong together.
    public init(certificate: String, key: String) throws(TLSError) {
        self.certificate = certificate
        self.key = key
        context = Mutex(try TLSContext(certificate: certificate, key: key))
    }

    /// Reads the files again. If they are no good, what was there stays.
    public func reload() throws(TLSError) {
        let fresh = try TLSContext(certificate: certificate, key: key)
        context.withLock { $0 = fresh }
    }

    /// The server's end of TLS on a connected socket, whose descriptor is the result's from now on.
    func secure(_ descriptor: Int32) throws(TransportError) -> TLSSocket {
        try TLSSocket(descriptor: descriptor, context: context.withLock { $0 })
    }
}
