internal import COpenSSL
internal import Glibc

/// What all connections that are secured with one certificate share: the certificate, its key and the rules.
///
/// TLS 1.2 and 1.3, only with forward secrecy and authenticated encryption; no compression, no renegotiation; HTTP/1.1.
final class TLSContext: @unchecked Sendable {
    // @unchecked: nothing is changed after `init`; OpenSSL locks what it counts and caches in it.
    private let context: OpaquePointer

    /// The longest record that is sent, in bytes; so a connection that is sending needs no larger buffer.
    static let recordLength = 2048

    /// The ciphers for TLS 1.2; all ciphers of TLS 1.3 are good.
    private static let ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20"

    /// Reads a certificate with its chain, and the key that belongs to it, both PEM.
    init(certificate: String, key: String) throws(TLSError) {
        for file in [certificate, key] { try TLSContext.checkFile(file) }
        ERR_clear_error()
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw TLSError("TLS") }
        self.context = context
        try checkOpenSSL(copenssl_set_least_version(context), "TLS 1.2")
        try checkOpenSSL(SSL_CTX_set_cipher_list(context, TLSContext.ciphers), TLSContext.ciphers)
        try checkOpenSSL(copenssl_set_record_length(context, TLSContext.recordLength), "record length")
        copenssl_forbid_weaknesses(context)
        copenssl_set_modes(context)
        copenssl_read_ahead(context)
        copenssl_keep_no_sessions(context)
        SSL_CTX_set_num_tickets(context, 1)
        SSL_CTX_set_alpn_select_cb(context, TLSContext.chooseProtocol, nil)
        // A key with a passphrase is refused; by default OpenSSL would ask the terminal.
        SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in 0 }
        try checkOpenSSL(SSL_CTX_use_certificate_chain_file(context, certificate), certificate)
        try checkOpenSSL(SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM), key)
        try checkOpenSSL(SSL_CTX_check_private_key(context), key)
    }

    deinit { SSL_CTX_free(context) }

    /// Refuses a path that is not a regular file. With a pipe, OpenSSL would wait for a writer, and signals would wait
    /// with it.
    private static func checkFile(_ path: String) throws(TLSError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw TLSError(path, reason: String(cString: strerror(errno))) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw TLSError(path, reason: "not a regular file") }
    }

    /// The second since 1970 at which the server's certificate ends.
    var certificateEnd: Int? {
        var parts = tm()
        guard let certificate = SSL_CTX_get0_certificate(context), let end = X509_get0_notAfter(certificate),
            ASN1_TIME_to_tm(end, &parts) == 1
        else { return nil }
        return timegm(&parts)
    }

    /// Returns the server's end of a new connection, which keeps the context alive.
    func makeSession() -> OpaquePointer? { SSL_new(context) }

    /// Chooses HTTP/1.1 if the client offers it; a client that offers only other protocols is refused (RFC 7301).
    private static let chooseProtocol: SSL_CTX_alpn_select_cb_func = { _, chosen, chosenLength, offered, length, _ in
        guard let chosen, let chosenLength, let offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        let wanted = Array("http/1.1".utf8)
        // A list of names, each after its length. OpenSSL has checked its form, and it outlives the call.
        let list = UnsafeBufferPointer(start: offered, count: Int(length))
        var start = 0
        while start < list.count {
            let name = list[start...].dropFirst().prefix(Int(list[start]))
            if name.elementsEqual(wanted) {
                chosen.pointee = offered + name.startIndex
                chosenLength.pointee = UInt8(truncatingIfNeeded: name.count)
                return SSL_TLSEXT_ERR_OK
            }
            start = name.endIndex
        }
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }
}
