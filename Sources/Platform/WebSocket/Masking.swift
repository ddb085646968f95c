/// The XOR mask that clients apply to their payloads (RFC 6455, section 5.3).
enum Masking {
    /// Masks or unmasks `range` of `bytes`.
    ///
    /// - Parameters:
    ///   - mask: the four bytes of the mask, the first in the highest bits.
    ///   - offset: how far into the frame's payload `range` starts.
    static func apply(_ mask: UInt32, from offset: Int, to bytes: inout [UInt8], _ range: Range<Int>) {
        let shift = UInt32(truncatingIfNeeded: (offset & 3) * 8)
        let turned = shift == 0 ? mask : mask << shift | mask >> (32 - shift)
        let key = (
            UInt8(truncatingIfNeeded: turned >> 24), UInt8(truncatingIfNeeded: turned >> 16),
            UInt8(truncatingIfNeeded: turned >> 8), UInt8(truncatingIfNeeded: turned)
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
}
