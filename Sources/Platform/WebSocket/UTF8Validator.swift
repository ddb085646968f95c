/// Checks UTF-8 as it arrives and fails at the first byte that cannot be right.
struct UTF8Validator {
    /// How many bytes the current character still needs.
    private var needed: UInt8 = 0
    /// The lowest and highest value of the next byte; narrower than 80…BF after E0, ED, F0 and F4, which excludes
    /// overlong forms, surrogates and anything above U+10FFFF.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// Whether no character is incomplete.
    var isComplete: Bool { needed == 0 }

    /// Takes more bytes; returns whether the text can still be UTF-8.
    mutating func accept(_ bytes: ArraySlice<UInt8>) -> Bool {
        for byte in bytes {
            if needed == 0 {
                if byte < 0x80 { continue }
                guard begin(byte) else { return false }
            } else {
                guard byte >= lowest, byte <= highest else { return false }
                needed -= 1
                lowest = 0x80
                highest = 0xBF
            }
        }
        return true
    }

    private mutating func begin(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF: needed = 1
        case 0xE0...0xEF:
            needed = 2
            if byte == 0xE0 { lowest = 0xA0 }
            if byte == 0xED { highest = 0x9F }
        case 0xF0...0xF4:
            needed = 3
            if byte == 0xF0 { lowest = 0x90 }
            if byte == 0xF4 { highest = 0x8F }
        default: return false
        }
        return true
    }
}
