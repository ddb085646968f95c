import Configuration

extension ServerConfiguration {
    /// Refuses addresses at which passwords would travel in the clear.
    func checkAddress(isInsecure: Bool) throws(Failure) {
        guard isLoopback || isInsecure || isSecure else {
            throw Failure(
                """
                Refusing to serve plain HTTP on \(host), where others can reach it: passwords would travel in the \
                clear. Name a certificate and its key in listen.tls, listen on 127.0.0.1 behind a reverse proxy named \
                in listen.proxies, or start with --insecure.
                """)
        }
    }
}
