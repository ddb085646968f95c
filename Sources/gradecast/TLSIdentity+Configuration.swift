import Configuration
import Transport

extension TLSIdentity {
    /// Loads the certificate and key that the configuration names; `nil` if it names none.
    convenience init?(_ configuration: ServerConfiguration) throws {
        guard let tls = configuration.tls else { return nil }
        try tls.checkKey()
        do throws(TLSError) {
            try self.init(certificate: tls.certificate, key: tls.key)
        } catch {
            throw Failure("\(error)")
        }
    }
}

extension ServerConfiguration.TLS {
    /// Throws if others can read the key, because they could pass for this server.
    func checkKey() throws(Failure) {
        guard !Files.isReadableByOthers(key) else { throw Failure("\(key) is readable by others; chmod 600 it.") }
    }
}
