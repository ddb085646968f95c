private import COpenSSL

/// A public key as OpenSSL holds it, for the duration of one check. It never leaves the call that made it.
struct VerificationKey: ~Copyable {
    private let key: OpaquePointer

    /// Loads a key; `nil` if it is not valid, such as a point off its curve.
    init?(_ material: PublicKey.Material) {
        // The counts of an RSA key fit, because `PublicKey` limits them. A refused key leaves errors in this thread's
        // queue, which the TLS of the same thread would read.
        defer { ERR_clear_error() }
        let made: OpaquePointer? =
            switch material {
            case .rsa(let modulus, let exponent):
                copenssl_rsa_key(modulus, Int32(modulus.count), exponent, Int32(exponent.count))
            case .p256(let point): copenssl_p256_key(point, point.count)
            case .ed25519(let bytes): EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, bytes.count)
            }
        guard let made else { return nil }
        key = made
    }

    deinit { EVP_PKEY_free(key) }

    /// Returns whether the signature is this key's. The algorithm must fit the key, and an ECDSA signature must be in
    /// DER.
    borrowing func isValid(_ signature: [UInt8], for message: [UInt8], by algorithm: SignatureAlgorithm) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer {
            EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        let digest = algorithm == .edDSA ? nil : EVP_sha256()
        var parameters: OpaquePointer?  // belongs to the context
        guard EVP_DigestVerifyInit(context, &parameters, digest, nil, key) == 1 else { return false }
        if algorithm == .ps256 {
            guard EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1,
                EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_DIGEST) == 1,
                EVP_PKEY_CTX_set_rsa_mgf1_md(parameters, digest) == 1
            else { return false }
        }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
