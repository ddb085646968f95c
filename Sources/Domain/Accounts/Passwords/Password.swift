private import Cryptography

/// A password as it was typed, in compatibility form, so that every keyboard types the same one.
///
/// It shows nothing of itself in a log.
public struct Password: Sendable, CustomStringConvertible, CustomReflectable {
    /// More code points than this are never a password; the rest is not even looked at.
    static let maximumLength = 256

    /// The normalised text.
    let text: String
    /// Whether more was typed than a password may have.
    let isCut: Bool

    /// A password as typed.
    public init(_ typed: String) {
        let kept = typed.unicodeScalars.prefix(Password.maximumLength + 1)
        isCut = kept.count > Password.maximumLength
        text = String(kept).compatibilityForm
    }

    var bytes: [UInt8] { Array(text.utf8) }

    /// Shows nothing of the password.
    public var description: String { "Password(…)" }
    /// Shows nothing of the password.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
