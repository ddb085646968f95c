private import COpenSSL

/// Whether two secrets are the same, in a time that tells nothing but their lengths.
public func isEqualInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    // Both buffers are as long as the count, and are only read during the call.
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
}
