private import Cryptography
import Forms
import JSON
public import Messages
import Shared

/// The name that a person types to sign in, in the normal form that is compared: compatibility form, lower case.
///
/// `Ａlice`, `ALICE` and `alice` are the same login. It is 1…128 code points of letters, marks, digits and `. _ - + @`, beginning
/// with a letter or digit, so that a name or an e-mail address will do in any script. Scripts are not mixed and nothing
/// in it is invisible: two logins that look the same are the same. None has the form of an identifier, so that one can
/// stand in the other's place.
public struct Login: Sendable, Hashable, CustomStringConvertible {
    /// The maximum length in code points.
    public static let maximumLength = 128

    /// The login in its normal form.
    public let text: String

    /// The text of the login.
    public var description: String { text }

    /// Reads a typed login; throws its faults with paths relative to the value.
    public init(_ typed: String) throws(FaultList) {
        guard let text = Login.normalised(typed) else {
            throw FaultList([Fault(.textTooLong, ["max": .number("\(Login.maximumLength)")])])
        }
        guard !text.isEmpty else { throw FaultList([Fault(.missingField)]) }
        guard Login.isSpelledWell(text), !Identifier<Thing.Account>.isForm(text) else {
            throw FaultList([Fault(.loginInvalid)])
        }
        guard Legibility.isPlain(text) else { throw FaultList([Fault(.loginConfusable)]) }
        self.text = text
    }

    /// Creates a login to search for; `nil` if no account can have the text.
    ///
    /// It accepts more than a new account may have, since an account keeps its login when the rules for new ones become
    /// stricter.
    public init?(searching typed: String) {
        guard let text = Login.normalised(typed), let first = text.unicodeScalars.first,
            Login.isLetterOrDigit(first), text.unicodeScalars.allSatisfy({ Login.isAllowed($0) || Login.isMark($0) })
        else { return nil }
        self.text = text
    }

    /// Creates a login from stored text, without checking it again.
    public init(stored text: String) { self.text = text }

    /// Returns the normal form of a login; `nil` if it is longer than ``maximumLength``.
    private static func normalised(_ typed: String) -> String? {
        guard typed.unicodeScalars.prefix(maximumLength + 1).count <= maximumLength else { return nil }
        let text = typed.compatibilityForm.lowercased().compatibilityForm
        return text.unicodeScalars.count <= maximumLength ? text : nil
    }

    /// Returns whether each code point is allowed at its position: marks only after a letter or digit, and few of them.
    private static func isSpelledWell(_ text: String) -> Bool {
        var marks = maximumMarks
        for scalar in text.unicodeScalars {
            if scalar.properties.isDefaultIgnorableCodePoint { return false }
            if isLetterOrDigit(scalar) {
                marks = 0
            } else if isMark(scalar) {
                marks += 1
                if marks > maximumMarks { return false }
            } else {
                guard isAllowed(scalar) else { return false }
                marks = maximumMarks
            }
        }
        return text.unicodeScalars.first.map(isLetterOrDigit) ?? false
    }

    /// The maximum number of marks on one letter, which is more than any language writes.
    private static let maximumMarks = 4

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark: true
        default: false
        }
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber: true
        default: false
        }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ".", "_", "-", "+", "@": true
        default: isLetterOrDigit(scalar)
        }
    }
}
