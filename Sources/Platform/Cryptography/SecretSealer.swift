private import COpenSSL

/// Encrypts small secrets that the server itself has to read again (AES-256-GCM), under a key that is not in the store,
/// so that a stolen store alone does not reveal them.
public struct SecretSealer: Sendable {
    /// The error for a secret that is too long, or a library that refuses or has no memory.
    public struct Failure: Error {}

    private static let nonceSize = 12
    private static let tagSize = 16
    private static let longest = 4_096
    private let key: [UInt8]

    /// Makes seals that can be opened as long as the pepper stays the same.
    public init(pepper: Pepper) { key = pepper.key(for: "gradecast sealed secrets") }

    /// Makes seals that only this value can open.
    public init(random: RandomSource = .system) { key = random.bytes(32) }

    /// Seals up to 4 KiB. A seal opens only with the same `context`, so one that was copied to another row cannot be
    /// opened.
    public func seal(
        _ secret: [UInt8], for context: String, random: RandomSource = .system
    ) throws(Failure) -> [UInt8] {
        let nonce = random.bytes(Self.nonceSize)
        let context = Array(context.utf8)
        guard secret.count <= Self.longest, context.count <= Self.longest, let cipher = EVP_CIPHER_CTX_new() else {
            throw Failure()
        }
        defer { EVP_CIPHER_CTX_free(cipher) }
        var sealed = [UInt8](repeating: 0, count: secret.count)
        var (tag, end) = ([UInt8](repeating: 0, count: Self.tagSize), [UInt8](repeating: 0, count: Self.tagSize))
        var length: Int32 = 0
        // Every buffer is as long as the count beside it, and GCM writes as many bytes as it reads.
        guard EVP_EncryptInit_ex(cipher, EVP_aes_256_gcm(), nil, key, nonce) == 1,
            EVP_EncryptUpdate(cipher, nil, &length, context, Int32(context.count)) == 1,
            EVP_EncryptUpdate(cipher, &sealed, &length, secret, Int32(secret.count)) == 1,
            EVP_EncryptFinal_ex(cipher, &end, &length) == 1,
            EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagSize), &tag) == 1
        else { throw Failure() }
        return nonce + sealed + tag
    }

    /// Returns what was sealed for `context`; `nil` if another key sealed it, if it was altered, or for another
    /// context.
    public func open(_ sealed: [UInt8], for context: String) -> [UInt8]? {
        let context = Array(context.utf8)
        let overhead = Self.nonceSize + Self.tagSize
        guard (overhead...overhead + Self.longest).contains(sealed.count), context.count <= Self.longest,
            let cipher = EVP_CIPHER_CTX_new()
        else { return nil }
        defer {
            EVP_CIPHER_CTX_free(cipher)
            ERR_clear_error()
        }
        let nonce = Array(sealed.prefix(Self.nonceSize))
        let text = Array(sealed.dropFirst(Self.nonceSize).dropLast(Self.tagSize))
        var tag = Array(sealed.suffix(Self.tagSize))
        var secret = [UInt8](repeating: 0, count: text.count)
        var end = [UInt8](repeating: 0, count: Self.tagSize)
        var length: Int32 = 0
        // As above; the last call writes nothing and returns whether the tag is right.
        guard EVP_DecryptInit_ex(cipher, EVP_aes_256_gcm(), nil, key, nonce) == 1,
            EVP_DecryptUpdate(cipher, nil, &length, context, Int32(context.count)) == 1,
            EVP_DecryptUpdate(cipher, &secret, &length, text, Int32(text.count)) == 1,
            EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagSize), &tag) == 1,
            EVP_DecryptFinal_ex(cipher, &end, &length) == 1
        else { return nil }
        return secret
    }
}
