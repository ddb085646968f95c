public import Messages

/// An e-mail address: a local part and a host, in ASCII characters that need no quotes.
///
/// This is the part of the standard that every mail server understands. No address can end a line or a list.
public struct EmailAddress: Sendable, Hashable, CustomStringConvertible {
    /// The maximum number of characters.
    public static let maximumLength = 254

    /// The address, with its host in lower case.
    public let text: String

    /// Reads a typed address; throws its faults with paths relative to the value.
    public init(_ typed: String) throws(FaultList) {
        guard let text = Self.normalised(typed) else { throw FaultList([Fault(.emailInvalid)]) }
        self.text = text
    }

    /// Creates an address from stored text, without checking it again.
    public init(stored text: String) { self.text = text }

    /// The form by which mails to an address are counted, in lower case: addresses that differ only in case belong to
    /// one person.
    public var key: String { text.lowercased() }

    /// The host.
    public var host: String { String(text.drop { $0 != "@" }.dropFirst()) }

    /// The part of the address that a log may contain.
    public var description: String { "…@\(host)" }

    private static func normalised(_ typed: String) -> String? {
        guard typed.utf8.count <= maximumLength else { return nil }
        let parts = typed.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, isLocal(parts[0]), isHost(parts[1]) else { return nil }
        return "\(parts[0])@\(parts[1].lowercased())"
    }

    /// Returns whether a text is a dot-atom (RFC 5322) of at most 64 characters.
    private static func isLocal(_ text: Substring) -> Bool {
        text.utf8.count <= 64
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
                !atom.isEmpty && atom.utf8.allSatisfy { isLetterOrDigit($0) || marks.contains($0) }
            }
    }

    /// Returns whether a text is a host name of several labels that does not end in a number.
    private static func isHost(_ text: Substring) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, let last = labels.last, !last.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return false
        }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.utf8.first != hyphen && label.utf8.last != hyphen
                && label.utf8.allSatisfy { isLetterOrDigit($0) || $0 == hyphen }
        }
    }

    private static let hyphen = UInt8(ascii: "-")
    private static let marks = Array("!#$%&'*+-/=?^_`{|}~".utf8)

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}

extension FaultCode {
    /// The text is not an e-mail address, or not one that every mail server understands.
    public static let emailInvalid = FaultCode(
        "email_invalid", "This is not an e-mail address that can be used here",
        fr: "Cette adresse e-mail ne peut pas être utilisée ici", zh: "此电子邮件地址无法使用")
}
