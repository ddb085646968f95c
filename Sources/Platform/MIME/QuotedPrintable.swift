/// Encodes text in lines of at most 76 visible ASCII characters (RFC 2045).
enum QuotedPrintable {
    private static let width = 75

    static func encode(_ text: String) -> [UInt8] {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count * 3 / 2)
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if index > 0 { encoded += [0x0D, 0x0A] }
            append(line.last == 0x0D ? line.dropLast() : line, to: &encoded)
        }
        return encoded
    }

    private static func append(_ line: Substring.UTF8View, to encoded: inout [UInt8]) {
        var column = 0
        var place = line.startIndex
        while place < line.endIndex {
            let byte = line[place]
            place = line.index(after: place)
            let isPlain =
                byte != UInt8(ascii: "=") && (0x21...0x7E).contains(byte)
                || (byte == 0x20 || byte == 0x09) && place < line.endIndex
            let piece = isPlain ? [byte] : [UInt8(ascii: "="), digit(byte >> 4), digit(byte & 15)]
            if column + piece.count > width {
                encoded += [UInt8(ascii: "="), 0x0D, 0x0A]
                column = 0
            }
            encoded += piece
            column += piece.count
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
