import Configuration
import Transport

extension TLSIdentity {
    /// The certificate and key that the configuration names; `nil` when it names none.
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
    /// A reader of the key could pass for this server.
    func checkKey() throws(Failure) {
        guard !Files.isReadableByOthers(key) else { throw Failure("\(key) is readable by others; chmod 600 it.") }
    }
}
