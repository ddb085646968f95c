public import Messages

/// An address that mail is sent to: a local part and a host, in the ASCII characters that need no quotes.
///
/// Of what mail allows that is the part which every mail server understands. Nothing in it can end a line or a list.
public struct EmailAddress: Sendable, Hashable, CustomStringConvertible {
    /// The most characters.
    public static let maximumLength = 254

    /// The address, its host in lower case.
    public let text: String

    /// Reads an address as it was typed; throws what is wrong with it, with the path relative to the value.
    public init(_ typed: String) throws(FaultList) {
        guard let text = Self.normalised(typed) else { throw FaultList([Fault(.emailInvalid)]) }
        self.text = text
    }

    /// An address as it was stored, which was read once already.
    public init(stored text: String) { self.text = text }

    /// By what addresses are compared when mails to them are counted: no two people have addresses that differ in case.
    public var key: String { text.lowercased() }

    /// Where the mail goes.
    public var host: String { String(text.drop { $0 != "@" }.dropFirst()) }

    /// As much of the address as a log may tell.
    public var description: String { "…@\(host)" }

    private static func normalised(_ typed: String) -> String? {
        guard typed.utf8.count <= maximumLength else { return nil }
        let parts = typed.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, isLocal(parts[0]), isHost(parts[1]) else { return nil }
        return "\(parts[0])@\(parts[1].lowercased())"
    }

    /// Whether a text is a dot-atom (RFC 5322) of 64 characters at most.
    private static func isLocal(_ text: Substring) -> Bool {
        text.utf8.count <= 64
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
                !atom.isEmpty && atom.utf8.allSatisfy { isLetterOrDigit($0) || marks.contains($0) }
            }
    }

    /// Whether a text is a name of several labels that does not end in a number.
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
    /// Text that is no e-mail address, or one that not every mail server understands.
    public static let emailInvalid: FaultCode = "email_invalid"
}
