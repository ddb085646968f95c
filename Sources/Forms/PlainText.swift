import GradingKit

/// Text that people write for others to read.
enum PlainText {
    /// The text without white space around it; throws what is wrong with it, with paths relative to the value.
    static func line(_ text: String, max: Int) throws(FaultList) -> String {
        let trimmed = trim(text)
        guard !trimmed.isEmpty else { throw FaultList([Fault(.missingField)]) }
        try check(trimmed, max: max) { _ in false }
        return trimmed
    }

    /// The text of several lines, possibly none.
    static func lines(_ text: String, max: Int) throws(FaultList) -> String {
        try check(text, max: max) { $0 == "\n" || $0 == "\t" || $0 == "\r" }
        return text
    }

    private static func check(_ text: String, max: Int, allowing: (Unicode.Scalar) -> Bool) throws(FaultList) {
        guard text.unicodeScalars.prefix(max + 1).count <= max else {
            throw FaultList([Fault(.textTooLong, ["max": .number("\(max)")])])
        }
        guard text.unicodeScalars.allSatisfy({ !isDeceptive($0) || allowing($0) }) else {
            throw FaultList([Fault(.textInvalid)])
        }
    }

    /// Control characters, and those that make text run the other way than it reads.
    private static func isDeceptive(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB: true
        default: scalar.properties.generalCategory == .control || scalar.properties.isNoncharacterCodePoint
        }
    }

    private static func trim(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let end = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[start...end])
    }
}
