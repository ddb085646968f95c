private import Cryptography
import Forms
public import GradingKit

/// What a person types to sign in, in the one form in which logins are compared: compatibility form, lower case.
///
/// `Ａlice`, `ALICE` and `alice` are the same login. It is 1…128 code points of letters, marks, digits and `. _ - + @`, beginning
/// with a letter or digit, so that a name or an e-mail address will do in any script.
public struct Login: Sendable, Hashable, CustomStringConvertible {
    /// The longest login, in code points.
    public static let maximumLength = 128

    /// The login in its one form.
    public let text: String

    /// The login's text.
    public var description: String { text }

    /// Reads what somebody typed; throws what is wrong with it, with paths relative to the value.
    public init(_ typed: String) throws(FaultList) {
        guard typed.unicodeScalars.prefix(Login.maximumLength + 1).count <= Login.maximumLength else {
            throw FaultList([Fault(.textTooLong, ["max": .number("\(Login.maximumLength)")])])
        }
        let text = typed.compatibilityForm.lowercased().compatibilityForm
        guard let first = text.unicodeScalars.first else { throw FaultList([Fault(.missingField)]) }
        guard Login.isLetterOrDigit(first), text.unicodeScalars.allSatisfy(Login.isAllowed),
            text.unicodeScalars.count <= Login.maximumLength
        else { throw FaultList([Fault(.loginInvalid)]) }
        self.text = text
    }

    /// A login as it was stored, which was read once already.
    public init(stored text: String) { self.text = text }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber: true
        default: false
        }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case ".", "_", "-", "+", "@": true
        default:
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .spacingMark: true
            default: isLetterOrDigit(scalar)
            }
        }
    }
}
