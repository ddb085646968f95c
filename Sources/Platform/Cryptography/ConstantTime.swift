private import COpenSSL

/// Returns whether two secrets are equal, in a time that depends on their lengths alone.
public func isEqualInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    // Both buffers are as long as the count, and are only read during the call.
    left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
}
