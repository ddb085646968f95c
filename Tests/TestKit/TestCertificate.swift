internal import COpenSSL

/// A key and the certificate it signs for itself, in two files of a folder of their own.
public final class TestCertificate: Sendable {
    /// The kinds of keys.
    public enum Kind: Sendable {
        /// Ed25519.
        case ed25519
        /// An elliptic curve, P-256. libpq 15 cannot bind a password to a certificate of the other kind.
        case p256
    }

    /// OpenSSL would not.
    public struct Failure: Error {}

    private let directory: TemporaryDirectory

    /// The certificate's file.
    public var certificate: String { directory.file("certificate.pem") }
    /// The key's file.
    public var key: String { directory.file("key.pem") }

    /// Makes both, for `localhost` and a day, which for an expired one is over.
    public init(serial: Int = 1, kind: Kind = .ed25519, isExpired: Bool = false) throws {
        directory = try TemporaryDirectory()
        try write(serial: serial, kind: kind, isExpired: isExpired)
    }

    /// Puts another key and certificate into the files.
    public func write(serial: Int, passphrase: String? = nil, kind: Kind = .ed25519, isExpired: Bool = false) throws {
        let generator = EVP_PKEY_CTX_new_id(kind == .p256 ? EVP_PKEY_EC : EVP_PKEY_ED25519, nil)
        var made: OpaquePointer?
        defer {
            EVP_PKEY_CTX_free(generator)
            EVP_PKEY_free(made)
        }
        EVP_PKEY_keygen_init(generator)
        if kind == .p256 { EVP_PKEY_CTX_set_ec_paramgen_curve_nid(generator, NID_X9_62_prime256v1) }
        EVP_PKEY_keygen(generator, &made)
        guard let pair = made, let certificate = X509_new() else { throw Failure() }
        defer { X509_free(certificate) }
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial)
        X509_gmtime_adj(X509_getm_notBefore(certificate), isExpired ? -172_800 : -3600)
        X509_gmtime_adj(X509_getm_notAfter(certificate), isExpired ? -86_400 : 86_400)
        X509_set_pubkey(certificate, pair)
        X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC, "localhost", -1, -1, 0)
        X509_set_issuer_name(certificate, X509_get_subject_name(certificate))
        guard X509_sign(certificate, pair, kind == .p256 ? EVP_sha256() : nil) > 0 else { throw Failure() }
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
