/// The XOR mask that clients apply to their payloads (RFC 6455, section 5.3).
enum Masking {
    /// Masks or unmasks `range` of `bytes`.
    ///
    /// - Parameter mask: the four bytes of the mask; the highest one is for the first byte of `range`.
    static func apply(_ mask: UInt32, to bytes: inout [UInt8], _ range: Range<Int>) {
        let key = (
            UInt8(truncatingIfNeeded: mask >> 24), UInt8(truncatingIfNeeded: mask >> 16),
            UInt8(truncatingIfNeeded: mask >> 8), UInt8(truncatingIfNeeded: mask)
        )
        var index = range.lowerBound
        while index + 4 <= range.upperBound {
            bytes[index] ^= key.0
            bytes[index + 1] ^= key.1
            bytes[index + 2] ^= key.2
            bytes[index + 3] ^= key.3
            index += 4
        }
        if index < range.upperBound { bytes[index] ^= key.0 }
        if index + 1 < range.upperBound { bytes[index + 1] ^= key.1 }
        if index + 2 < range.upperBound { bytes[index + 2] ^= key.2 }
    }

    /// Returns the mask for what follows the next `count` bytes of a payload.
    static func turn(_ mask: UInt32, by count: Int) -> UInt32 {
        let shift = UInt32(truncatingIfNeeded: (count & 3) * 8)
        return shift == 0 ? mask : mask << shift | mask >> (32 - shift)
    }
}
