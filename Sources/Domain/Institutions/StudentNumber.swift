private import Cryptography
public import Forms
import GradingKit

/// The number that identifies a member in an institution's own papers. It belongs to the membership and is unique
/// within the institution.
public enum StudentNumber {
    /// The maximum number of code points.
    public static let longest = 64

    /// The form of a request to set a member's number; `null` removes it.
    public static let form = RequestForm("StudentNumberInput", example: ["studentNumber": "2026-0042"]) { form in
        let clears = form.clears("studentNumber")
        return form.line("studentNumber", max: longest, required: !clears)
    }

    /// Reads a number from a provider's claim; `nil` if the text is not a valid number.
    static func read(_ text: String) -> String? { try? PlainText.line(text, max: longest) }

    /// Returns the form in which numbers are compared: two that differ only in case, in the width of their characters or
    /// in the kind of hyphen have the same. `nil` for more code points than a number may have.
    public static func key(_ number: String) -> String? {
        guard number.unicodeScalars.prefix(longest + 1).count <= longest else { return nil }
        // Through capitals: they unite more forms of a letter than small ones do.
        let folded = number.compatibilityForm.uppercased().lowercased().compatibilityForm
        var key = String.UnicodeScalarView()
        for scalar in folded.unicodeScalars where !scalar.properties.isDefaultIgnorableCodePoint {
            switch scalar.properties.generalCategory {
            case .dashPunctuation: key.append("-")
            case .nonspacingMark, .enclosingMark:
                // A mark belongs to a letter; on anything else it only hides what is under it.
                guard let base = key.last?.properties, base.isAlphabetic, !base.isSoftDotted || scalar != "\u{307}"
                else { continue }
                key.append(scalar)
            default: key.append(scalar == "\u{2212}" ? "-" : scalar)
            }
        }
        return String(key)
    }
}
