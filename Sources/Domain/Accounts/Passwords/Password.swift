private import Cryptography

/// A typed password in compatibility form, so that different keyboards give the same text.
///
/// It never appears in a log.
public struct Password: Sendable, CustomStringConvertible, CustomReflectable {
    /// The maximum number of code points; a longer password is refused, and the rest is not read.
    static let maximumLength = 256

    /// The normalised text.
    let text: String
    /// Whether more was typed than ``maximumLength``.
    let isCut: Bool

    /// Creates a password from typed text.
    public init(_ typed: String) {
        let kept = typed.unicodeScalars.prefix(Password.maximumLength + 1)
        isCut = kept.count > Password.maximumLength
        text = String(kept).compatibilityForm
    }

    package var bytes: [UInt8] { Array(text.utf8) }

    /// A fixed text without the password.
    public var description: String { "Password(…)" }
    /// An empty mirror without the password.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
