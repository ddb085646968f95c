import Testing

@testable import MIME

@Suite struct MailMessageTests {
    private let message = MailMessage(
        id: "018f@grades.example.org", senderName: "Gradecast", sender: "grades@example.org",
        recipient: "ada@example.org", date: 784_111_777, language: "en", subject: "Confirm your e-mail address",
        text: "One.\n\nTwo.\n", html: "<p>One.</p>\n")

    private func lines(_ message: MailMessage) -> [String] {
        String(decoding: message.bytes ?? [], as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
            .map { String($0) }
    }

    /// The lines of a message's head, with what was folded in one line.
    private func head(_ message: MailMessage) -> [String] {
        lines(message).prefix { !$0.isEmpty }.reduce(into: []) { head, line in
            if line.hasPrefix(" "), let last = head.popLast() { head.append(last + line) } else { head.append(line) }
        }
    }

    @Test func `a plain message stands in its lines`() {
        #expect(
            head(message).dropLast() == [
                "From: Gradecast <grades@example.org>", "To: <ada@example.org>",
                "Subject: Confirm your e-mail address", "Date: Sun, 06 Nov 1994 08:49:37 +0000",
                "Message-ID: <018f@grades.example.org>", "Auto-Submitted: auto-generated", "Content-Language: en",
                "MIME-Version: 1.0",
            ])
        #expect(message.bytes == message.bytes)
    }

    @Test func `what could end a line becomes a space`() {
        var hostile = message
        hostile.subject = "Hello\r\nBcc: eve@example.org\u{2028}\u{85}x"
        hostile.senderName = "Ada\r\nX: y"
        #expect(head(hostile).count == head(message).count)
        #expect(!lines(hostile).contains { $0.hasPrefix("Bcc") || $0.hasPrefix("X:") })
    }

    @Test(arguments: [
        "ada@example.org\r\nBcc: eve@example.org", "ada@example.org>", "ada example.org", "a@b@c", "@", "",
    ])
    func `a message to what is no address is none`(address: String) {
        var hostile = message
        hostile.recipient = address
        #expect(hostile.bytes == nil)
        hostile = message
        hostile.id = address
        #expect(hostile.bytes == nil)
    }

    @Test func `names in other scripts are encoded words of 75 characters at most`() {
        let title = String(repeating: "数据科学é😀", count: 20)
        let encoded = HeaderText.encoded(title)
        let words = encoded.components(separatedBy: "\r\n ")
        #expect(words.allSatisfy { $0.utf8.count <= 75 && $0.hasPrefix("=?UTF-8?B?") && $0.hasSuffix("?=") })
        #expect(words.map(decoded).joined() == title)
    }

    @Test(arguments: [
        "=?UTF-8?B?eA==?=", "a \"quoted\" name", "comma, name", "x@y.org", String(repeating: "x", count: 61),
    ])
    func `a name that could be read otherwise is encoded`(name: String) {
        #expect(
            HeaderText.encoded(name, isPhrase: true).split(separator: "\r\n ").map { decoded(String($0)) }.joined()
                == name)
    }

    private func decoded(_ word: String) -> String {
        let base = word.dropFirst(10).dropLast(2).utf8.filter { $0 != UInt8(ascii: "=") }
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var (bits, count, bytes): (UInt32, Int, [UInt8]) = (0, 0, [])
        for character in base {
            bits = bits << 6 | UInt32(digits.firstIndex(of: character) ?? 0)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `quoted-printable keeps lines short and white space at their ends`() {
        #expect(String(decoding: QuotedPrintable.encode("a=b \né"), as: UTF8.self) == "a=3Db=20\r\n=C3=A9")
        let long = String(decoding: QuotedPrintable.encode(String(repeating: "é", count: 100)), as: UTF8.self)
        #expect(long.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 76 })
        #expect(long.replacing("=\r\n", with: "") == String(repeating: "=C3=A9", count: 100))
    }

    @Test func `a message that is too long is none`() {
        var long = message
        long.text = String(repeating: "x", count: MailMessage.maximumSize)
        #expect(long.bytes == nil)
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map { String($0) }
    }
}
