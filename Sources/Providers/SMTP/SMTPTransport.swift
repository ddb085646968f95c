private import MIME
private import Messages
public import Outbound
public import Shared

/// Sends mails through a mail server that the operator names.
public struct SMTPTransport: MailTransport {
    private let client: SMTPClient
    private let senderName: String
    private let sender: EmailAddress

    /// Creates a transport for mails from an address with a display name, which may be empty.
    public init(through client: SMTPClient, from sender: EmailAddress, named senderName: String = "") {
        self.client = client
        self.senderName = senderName
        self.sender = sender
    }

    /// Hands a mail to the mail server.
    public func send(_ letter: Letter) async throws(MailFailure) {
        let message = MailMessage(
            id: "\(letter.id)@\(sender.host)", senderName: senderName, sender: sender.text,
            recipient: letter.recipient.text,
            date: letter.date.microseconds / 1_000_000, language: letter.language.rawValue, subject: letter.subject,
            text: letter.text, html: letter.html)
        // A mail that cannot be written as a message now will never be one.
        guard let bytes = message.bytes else { throw .refused(554) }
        do {
            try await client.send(bytes, from: sender.text, to: letter.recipient.text)
        } catch {
            switch error {
            case .refused(let code): throw .refused(code)
            case .postponed(let why): throw .postponed(why)
            }
        }
    }
}
