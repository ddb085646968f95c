internal import COpenSSL

/// A key and the certificate it signs for itself, in two files of a folder of their own.
public final class TestCertificate: Sendable {
    /// OpenSSL would not.
    public struct Failure: Error {}

    private let directory: TemporaryDirectory

    /// The certificate's file.
    public var certificate: String { directory.file("certificate.pem") }
    /// The key's file.
    public var key: String { directory.file("key.pem") }

    /// Makes both, for `localhost` and a day.
    public init(serial: Int = 1) throws {
        directory = try TemporaryDirectory()
        try write(serial: serial)
    }

    /// Puts another key and certificate into the files.
    public func write(serial: Int, passphrase: String? = nil) throws {
        let generator = EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nil)
        var made: OpaquePointer?
        defer {
            EVP_PKEY_CTX_free(generator)
            EVP_PKEY_free(made)
        }
        EVP_PKEY_keygen_init(generator)
        EVP_PKEY_keygen(generator, &made)
        guard let pair = made, let certificate = X509_new() else { throw Failure() }
        defer { X509_free(certificate) }
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial)
        X509_gmtime_adj(X509_getm_notBefore(certificate), -3600)
        X509_gmtime_adj(X509_getm_notAfter(certificate), 86_400)
        X509_set_pubkey(certificate, pair)
        X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC, "localhost", -1, -1, 0)
        X509_set_issuer_name(certificate, X509_get_subject_name(certificate))
        guard X509_sign(certificate, pair, nil) > 0 else { throw Failure() }
        try file(self.certificate) { PEM_write_bio_X509($0, certificate) }
        try file(key) { file in
            guard let passphrase else { return PEM_write_bio_PrivateKey(file, pair, nil, nil, 0, nil, nil) }
            let bytes = Array(passphrase.utf8)
            return PEM_write_bio_PrivateKey(file, pair, EVP_aes_128_cbc(), bytes, Int32(bytes.count), nil, nil)
        }
    }

    private func file(_ path: String, _ write: (OpaquePointer?) -> Int32) throws(Failure) {
        let file = BIO_new_file(path, "w")
        defer { BIO_free(file) }
        guard write(file) == 1 else { throw Failure() }
    }
}
