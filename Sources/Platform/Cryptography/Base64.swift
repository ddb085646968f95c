/// Base64 (RFC 4648) without padding. Decoding accepts exactly what encoding produces.
public struct Base64: Sendable {
    private let alphabet: [UInt8]
    private let values: [UInt8]

    /// `-` and `_`: fit for URLs and cookies.
    public static let url = Base64("-_")
    /// `+` and `/`: the form of PHC strings.
    public static let standard = Base64("+/")

    private init(_ last: String) {
        alphabet = Array(("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + last).utf8)
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        self.values = values
    }

    /// Returns the text of `bytes`.
    public func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var bits: UInt32 = 0
        var width: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            width += 8
            while width >= 6 {
                width -= 6
                text.append(alphabet[Int(bits >> width & 63)])
            }
            bits &= 1 << width - 1
        }
        if width > 0 { text.append(alphabet[Int(bits << (6 - width) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes of `text`; `nil` for a character outside the alphabet, a length that no encoding has, or stray
    /// bits at the end, so that one value has one text.
    public func decode(_ text: some StringProtocol) -> [UInt8]? { decode(text.utf8) }

    /// Returns the bytes of a text that is given in UTF-8.
    public func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        if let bytes = text.withContiguousStorageIfAvailable({ decode(characters: $0) }) { return bytes }
        return Array(text).withUnsafeBufferPointer { decode(characters: $0) }
    }

    private func decode(characters text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        var bits: UInt32 = 0
        var width: UInt32 = 0
        for character in text {
            let value = values[Int(character)]
            guard value < 64 else { return nil }
            bits = bits << 6 | UInt32(value)
            width += 6
            if width >= 8 {
                width -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> width))
                bits &= 1 << width - 1
            }
        }
        return width < 6 && bits == 0 ? bytes : nil
    }
}

extension Sequence<UInt8> {
    /// The bytes as lower-case hexadecimal digits.
    public var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
