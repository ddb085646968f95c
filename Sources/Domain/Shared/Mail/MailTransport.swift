public import Messages

/// What takes mails to their recipients.
public protocol MailTransport: Sendable {
    /// Hands a mail over, and returns once it is the other's duty.
    func send(_ letter: Letter) async throws(MailFailure)
}

/// A mail in words.
public struct Letter: Sendable, Equatable {
    /// What names it for ever; the same whenever it is sent.
    public let id: String
    /// To whom.
    public let recipient: EmailAddress
    /// When it was written.
    public let date: Timestamp
    /// In which language.
    public let language: Language
    /// One line on what it is about.
    public let subject: String
    /// The text.
    public let text: String
    /// The text as HTML.
    public let html: String

    /// A mail in words.
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

/// Why a mail was not handed over.
public enum MailFailure: Error, Sendable, Equatable {
    /// It will never be taken; the mail server's reply code.
    case refused(Int)
    /// It may be taken later; why not now, without any address.
    case postponed(String)
}
