import JSON
public import Messages

/// Text that people write for others to read.
public enum PlainText {
    /// Returns the text without the white space around it; throws its faults, with paths relative to the value.
    public static func line(_ text: String, max: Int) throws(FaultList) -> String {
        let trimmed = trim(text)
        guard !trimmed.isEmpty else { throw FaultList([Fault(.missingField)]) }
        try check(trimmed, max: max) { _ in false }
        guard trimmed.unicodeScalars.allSatisfy({ !isInvisible($0) }), trimmed.unicodeScalars.contains(where: isVisible)
        else { throw FaultList([Fault(.textInvalid)]) }
        return trimmed
    }

    /// Returns a text of several lines; throws its faults.
    static func lines(_ text: String, max: Int) throws(FaultList) -> String {
        try check(text, max: max) { $0 == "\n" || $0 == "\t" || $0 == "\r" }
        guard text.unicodeScalars.contains(where: isVisible) else { throw FaultList([Fault(.missingField)]) }
        return text
    }

    private static func check(_ text: String, max: Int, allowing: (Unicode.Scalar) -> Bool) throws(FaultList) {
        guard text.unicodeScalars.prefix(max + 1).count <= max else {
            throw FaultList([Fault(.textTooLong, ["max": .number("\(max)")])])
        }
        guard text.unicodeScalars.allSatisfy({ !isDeceptive($0) || allowing($0) }), !hasTower(text) else {
            throw FaultList([Fault(.textInvalid)])
        }
    }

    /// Returns whether a character is a control character or changes the direction of the text.
    private static func isDeceptive(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB: true
        default: scalar.properties.generalCategory == .control || scalar.properties.isNoncharacterCodePoint
        }
    }

    /// The most marks that may follow one another: twice as many as any language puts on a letter. More of them would
    /// paint over the lines above and below.
    private static let maximumMarks = 8

    private static func hasTower(_ text: String) -> Bool {
        var marks = 0
        for scalar in text.unicodeScalars {
            marks = isMark(scalar) ? marks + 1 : 0
            if marks > maximumMarks { return true }
        }
        return false
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Returns whether a character has no place in a single line, because it is invisible or ends the line. Joiners and
    /// selectors are allowed, because scripts and emoji need them.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x200C, 0x200D, 0xFE00...0xFE0F, 0xE0020...0xE007F: false
        case 0x2028, 0x2029: true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        // U+2800 is a pattern of Braille without dots.
        !scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isWhitespace && !isMark(scalar)
            && scalar != "\u{2800}"
    }

    private static func trim(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let end = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[start...end])
    }
}
