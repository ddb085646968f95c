/// Texts within XML.
enum XMLText {
    /// Returns a text as the content of an element, or of an attribute in quotation marks. Characters that XML cannot
    /// hold become U+FFFD.
    static func content(_ text: some StringProtocol) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 16)
        for (place, scalar) in zip(text.unicodeScalars.indices, text.unicodeScalars) {
            switch scalar {
            case "&": bytes += "&amp;".utf8
            case "<": bytes += "&lt;".utf8
            case ">": bytes += "&gt;".utf8
            case "\"": bytes += "&quot;".utf8
            // A reader would turn it into a line feed.
            case "\r": bytes += "&#13;".utf8
            // Readers of workbooks decode `_x0041_` as an A.
            case "_" where beginsEscape(text.unicodeScalars[place...]): bytes += "_x005F_".utf8
            case "\t", "\n": bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": bytes += "\u{FFFD}".utf8
            default: bytes += String(scalar).utf8
            }
        }
        return bytes
    }

    private static func beginsEscape(_ rest: some BidirectionalCollection<UnicodeScalar>) -> Bool {
        let start = Array(rest.prefix(7))
        return start.count == 7 && start[1] == "x" && start[6] == "_"
            && start[2...5].allSatisfy { $0.properties.isASCIIHexDigit }
    }
}
