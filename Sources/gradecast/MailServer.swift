import Application
import Configuration
import DataStore
import HTTP
import Observability
import Outbound
import SMTP
import Shared

/// The mail server that the configuration names, with the password read from its file.
struct MailServer {
    private let server: SMTPServer
    private let wish: ServerConfiguration.Mail
    private let address: String

    /// Reads the settings and the password; `nil` if no mail is sent.
    init?(_ configuration: ServerConfiguration) throws {
        // Reading the configuration has made sure that there is a public URL.
        guard let wish = configuration.mail, let publicURL = configuration.publicURL else { return nil }
        self.wish = wish
        address = publicURL.description
        let isNamed = publicURL.authority.address == nil
        server = SMTPServer(
            url: wish.url, requiresTLS: !wish.isOnThisMachine,
            greeting: isNamed ? publicURL.authority.name : "localhost", credentials: try Self.credentials(wish),
            authorities: wish.authorities)
        if let authorities = wish.authorities { _ = try Files.contents(of: authorities, isRequired: true) }
    }

    /// The mail server's current fault, as far as it shows without sending a mail; `nil` if there is none.
    var fault: String? { SMTPClient.fault(of: server) }

    /// Returns a connection to the mail server, which must be closed at the end.
    func connection() -> Connection {
        let client = SMTPClient(server)
        let sender = EmailAddress(stored: wish.sender)
        return Connection(
            address: address, transport: SMTPTransport(through: client, from: sender, named: wish.senderName),
            client: client)
    }

    /// A connection to the mail server.
    struct Connection {
        /// The URL at which people reach this server.
        let address: String
        /// Hands over the mails.
        let transport: any MailTransport
        /// Signals that there are mails to hand over.
        let signal = MailSignal()
        fileprivate let client: SMTPClient

        /// Returns the sender of the mails that wait in the store; `nil` if the installation makes none.
        func courier(over installation: Installation, _ metrics: Metrics, _ log: Log) -> MailCourier? {
            guard let emails = installation.accounts.emails, let links = installation.links else { return nil }
            return MailCourier(
                store: installation.store.mails, emails: emails, transport: transport,
                composer: MailComposer(address: address, links: links), metrics: metrics, log: log, signal: signal,
                clock: installation.store.clock)
        }

        /// Stops handing over mails, and returns when no thread waits for the mail server.
        func close() async { await client.close() }
    }

    private static func credentials(
        _ wish: ServerConfiguration.Mail
    ) throws -> (user: String, password: String)? {
        guard let user = wish.user else { return nil }
        guard let path = wish.passwordFile else {
            throw Failure("The mail server's password is missing: name its file in mail.passwordFile.")
        }
        return (user, try Files.secretLine(of: path, "the password that the mail server gave this one"))
    }
}
