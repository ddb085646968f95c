private import Cryptography
private import HTTP

/// A message as it is handed to a mail server: headers, and the same text plain and as HTML (RFC 5322, RFC 2046).
///
/// No part of it can become a header of its own: names are encoded, and addresses with characters that are not allowed
/// in one are refused. The same message always has the same bytes.
public struct MailMessage: Sendable, Equatable {
    /// The permanent identifier of the message, such as `018f…@grades.example.org`, without angle brackets.
    public var id: String
    /// The name of the sender; empty for none.
    public var senderName: String
    /// The address of the sender.
    public var sender: String
    /// The address of the recipient.
    public var recipient: String
    /// When it was written, in seconds since 1970.
    public var date: Int64
    /// The language of the text, such as `en`.
    public var language: String
    /// The subject, in one line.
    public var subject: String
    /// The text; lines end with `\n`.
    public var text: String
    /// The text as HTML.
    public var html: String

    /// The largest message, in bytes.
    public static let maximumSize = 256 << 10

    /// Creates a message.
    public init(
        id: String, senderName: String = "", sender: String, recipient: String, date: Int64, language: String,
        subject: String, text: String, html: String
    ) {
        self.id = id
        self.senderName = senderName
        self.sender = sender
        self.recipient = recipient
        self.date = date
        self.language = language
        self.subject = subject
        self.text = text
        self.html = html
    }

    /// The message in bytes; `nil` if an address, the identifier or the language is not valid in a header, or if the
    /// message is longer than ``maximumSize``.
    public var bytes: [UInt8]? {
        guard text.utf8.count + html.utf8.count <= Self.maximumSize / 4,
            [id, sender, recipient].allSatisfy(HeaderText.isAddress), HeaderText.isToken(language)
        else { return nil }
        let boundary = "=_" + SHA256.hash(Array(id.utf8)).prefix(16).map { Self.hexadecimal($0) }.joined()
        let name = senderName.isEmpty ? "" : HeaderText.encoded(senderName, isPhrase: true) + " "
        let head = [
            "From: \(name)<\(sender)>", "To: <\(recipient)>", "Subject: \(HeaderText.encoded(subject))",
            "Date: \(Self.text(of: date))", "Message-ID: <\(id)>", "Auto-Submitted: auto-generated",
            "Content-Language: \(language)", "MIME-Version: 1.0",
            "Content-Type: multipart/alternative; boundary=\"\(boundary)\"", "", "",
        ].joined(separator: "\r\n")
        let bytes =
            Array(head.utf8) + part(text, as: "plain", after: boundary) + part(html, as: "html", after: boundary)
            + Array("--\(boundary)--\r\n".utf8)
        return bytes.count <= Self.maximumSize ? bytes : nil
    }

    private func part(_ text: String, as type: String, after boundary: String) -> [UInt8] {
        let head = [
            "--\(boundary)", "Content-Type: text/\(type); charset=utf-8", "Content-Transfer-Encoding: quoted-printable",
            "", "",
        ].joined(separator: "\r\n")
        return Array(head.utf8) + QuotedPrintable.encode(text) + Array("\r\n".utf8)
    }

    /// Returns a date as in HTTP, but with the zone as mail writes it.
    private static func text(of seconds: Int64) -> String {
        String(decoding: HTTPDate.bytes(secondsSince1970: seconds).dropLast(3), as: UTF8.self) + "+0000"
    }

    private static func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
}
