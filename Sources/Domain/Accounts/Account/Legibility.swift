private import Cryptography

/// Checks that a person cannot mistake a login for another one that looks the same.
///
/// This is the level "highly restrictive" of Unicode's security mechanisms (UTS 39) with two more rules: all digits
/// come from one system, and no word consists only of Cyrillic or Greek letters that look like Latin ones. The parts
/// around an `@` are checked separately, so that a name in any script may precede a domain in Latin letters.
enum Legibility {
    /// The sets of scripts that some languages combine.
    private static let companions: [Set<String>] = [
        ["Latin", "Han", "Hiragana", "Katakana"], ["Latin", "Han", "Bopomofo"], ["Latin", "Han", "Hangul"],
    ]
    /// Letters that most typefaces draw like a Latin letter.
    private static let twins: [String: Set<Unicode.Scalar>] = [
        "Cyrillic": Set("асԁеһіјӏорԛѕԝхуѵ".unicodeScalars), "Greek": Set("αικνορυ".unicodeScalars),
    ]
    /// Latin letters of phonetics that most typefaces draw like an everyday one.
    private static let phonetic: Set<Unicode.Scalar> = Set("ɑɡɩᴄᴏꜱᴜᴠᴡᴢ".unicodeScalars)

    /// Returns whether the text, in the normal form of logins, cannot be mistaken for another.
    static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.split(separator: "@").allSatisfy { isPlain(word: $0) } && hasOneKindOfDigits(text)
            && !text.unicodeScalars.contains(where: phonetic.contains) && !hasDoubledDot(text)
    }

    /// Whether a letter that has a dot, such as i, gets another one, which is drawn instead of its own.
    private static func hasDoubledDot(_ text: String) -> Bool {
        var base: Unicode.Scalar.Properties?
        for scalar in text.unicodeScalars {
            if scalar.properties.canonicalCombiningClass == .notReordered { base = scalar.properties }
            if scalar == "\u{307}", base?.isSoftDotted == true { return true }
        }
        return false
    }

    private static func isPlain(word: String.UnicodeScalarView.SubSequence) -> Bool {
        var scripts: Set<String> = []
        for scalar in word {
            guard let script = scalar.script else { return false }
            if script != "Common", script != "Inherited" { scripts.insert(script) }
        }
        guard let script = scripts.first else { return true }
        guard scripts.count == 1 else { return companions.contains { scripts.isSubset(of: $0) } }
        guard let twins = twins[script] else { return true }
        return word.contains { $0.properties.isAlphabetic && !twins.contains($0) }
    }

    private static func hasOneKindOfDigits(_ text: String) -> Bool {
        let zeros = text.unicodeScalars.compactMap { scalar -> UInt32? in
            guard scalar.properties.generalCategory == .decimalNumber, let digit = scalar.properties.numericValue
            else { return nil }
            return scalar.value - UInt32(digit)
        }
        return Set(zeros).count <= 1
    }
}
