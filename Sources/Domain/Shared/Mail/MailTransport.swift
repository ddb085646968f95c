public import Messages

/// A way to deliver mails.
public protocol MailTransport: Sendable {
    /// Hands a mail over; returns when the other side is responsible for it.
    func send(_ letter: Letter) async throws(MailFailure)
}

/// A mail with its text.
public struct Letter: Sendable, Equatable {
    /// The identifier, which is the same for every attempt.
    public let id: String
    /// The address of the recipient.
    public let recipient: EmailAddress
    /// When it was written.
    public let date: Timestamp
    /// The language.
    public let language: Language
    /// The subject line.
    public let subject: String
    /// The plain text.
    public let text: String
    /// The text as HTML.
    public let html: String

    /// Creates a letter.
    public init(
        id: String, to recipient: EmailAddress, date: Timestamp, in language: Language, subject: String, text: String,
        html: String
    ) {
        self.id = id
        self.recipient = recipient
        self.date = date
        self.language = language
        self.subject = subject
        self.text = text
        self.html = html
    }
}

/// The reason why a mail was not handed over.
public enum MailFailure: Error, Sendable, Equatable {
    /// The mail server will never accept it; the value is its reply code.
    case refused(Int)
    /// The mail server may accept it later; the value is the reason, without any address.
    case postponed(String)
}
