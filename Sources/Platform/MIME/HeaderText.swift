private import Cryptography

/// Encodes and checks text in the headers of a message.
enum HeaderText {
    /// Returns a text as one or more encoded words (RFC 2047), or unchanged if it is short, plain ASCII. Every
    /// character that could end the line becomes a space.
    ///
    /// - Parameter isPhrase: whether the text comes before an address, where few characters are allowed unencoded.
    static func encoded(_ text: String, isPhrase: Bool = false) -> String {
        let scalars = text.unicodeScalars.map { breaksLines($0) ? " " : $0 }
        let plain = String(String.UnicodeScalarView(scalars))
        if plain.utf8.count <= longestPlain, !plain.contains("=?"),
            plain.utf8.allSatisfy({ isPhrase ? isWord($0) || $0 == 0x20 : (0x20...0x7E).contains($0) })
        {
            return plain
        }
        var words: [String] = []
        var word: [UInt8] = []
        for scalar in scalars {
            let bytes = Array(String(scalar).utf8)
            if word.count + bytes.count > longestWord {
                words.append(encodedWord(word))
                word = []
            }
            word += bytes
        }
        words.append(encodedWord(word))
        return words.joined(separator: "\r\n ")
    }

    /// Returns whether a text is valid between angle brackets: a local part and a host, of characters that need no
    /// quotes.
    static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && text.utf8.count <= 254
            && parts.allSatisfy { part in !part.isEmpty && part.utf8.allSatisfy { isWord($0) || $0 == 0x2E } }
    }

    /// Returns whether a text is a token such as `en` or `zh-Hans`.
    static func isToken(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isWord) }

    private static let longestPlain = 60
    /// The bytes in an encoded word, which has at most 75 characters: 12 of them surround the Base64 text.
    private static let longestWord = 45

    private static func encodedWord(_ bytes: [UInt8]) -> String {
        let text = Base64.standard.encode(bytes)
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return "=?UTF-8?B?\(text)\(padding)?="
    }

    private static func breaksLines(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Returns whether a byte is a character of an atom (RFC 5322, `atext`).
    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
        }
    }
}
