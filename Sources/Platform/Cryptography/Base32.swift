/// Base32 (RFC 4648) without padding, which people can read out and type.
public enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// Returns the text of `bytes`, in capital letters.
    public static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 8 + 4) / 5)
        var bits: UInt32 = 0
        var width: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            width += 8
            while width >= 5 {
                width -= 5
                text.append(alphabet[Int(bits >> width & 31)])
            }
            bits &= 1 << width - 1
        }
        if width > 0 { text.append(alphabet[Int(bits << (5 - width) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes of `text`, in capital or small letters; `nil` for a character outside the alphabet, a length
    /// that no encoding has, or stray bits at the end.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var width: UInt32 = 0
        for character in text.utf8 {
            guard let value = value(of: character) else { return nil }
            bits = bits << 5 | value
            width += 5
            if width >= 8 {
                width -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> width))
                bits &= 1 << width - 1
            }
        }
        return width < 5 && bits == 0 ? bytes : nil
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a"))
        case UInt8(ascii: "2")...UInt8(ascii: "7"): UInt32(character - UInt8(ascii: "2")) + 26
        default: nil
        }
    }
}
