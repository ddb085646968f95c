private import Threads

/// The mail server to which messages are handed over.
public struct SMTPServer: Sendable, Equatable {
    /// Its address, such as `smtps://mail.example.org:465` or `smtp://mail.example.org:587`.
    public var url: String
    /// Whether the connection must switch to TLS before anything else (`STARTTLS`); meaningless for `smtps`.
    public var requiresTLS: Bool
    /// The name with which this server greets it.
    public var greeting: String
    /// The user name and the password; `nil` if the mail server asks for none.
    public var credentials: (user: String, password: String)?
    /// A PEM file with the certificate authorities to trust; `nil` for the system's.
    public var authorities: String?

    /// Describes a mail server.
    public init(
        url: String, requiresTLS: Bool, greeting: String, credentials: (user: String, password: String)? = nil,
        authorities: String? = nil
    ) {
        self.url = url
        self.requiresTLS = requiresTLS
        self.greeting = greeting
        self.credentials = credentials
        self.authorities = authorities
    }

    /// Returns whether two mail servers are the same.
    public static func == (left: Self, right: Self) -> Bool {
        left.url == right.url && left.requiresTLS == right.requiresTLS && left.greeting == right.greeting
            && left.credentials?.user == right.credentials?.user
            && left.credentials?.password == right.credentials?.password && left.authorities == right.authorities
    }
}

/// The reason why a mail server did not take a message.
public enum SMTPError: Error, Sendable, Equatable {
    /// It will never take the message; the code of its reply, 500…599.
    case refused(Int)
    /// It may take the message later; the reason in libcurl's words, with the code of the reply if there is one.
    case postponed(String)
}

/// Hands messages to a mail server, on threads of its own, so that no event loop waits for it. The operator alone
/// chooses the server, so it may be in any network.
public final class SMTPClient: Sendable {
    private let server: SMTPServer
    private let workers: WorkerPool

    /// Creates a client that hands over at most `threads` messages at once, while at most `queue` wait.
    public init(_ server: SMTPServer, threads: Int = 2, queue: Int = 16) {
        self.server = server
        workers = WorkerPool("mail", threads: threads, capacity: queue)
    }

    /// Hands over a message, and returns when the mail server has taken it.
    public func send(_ message: [UInt8], from sender: String, to recipient: String) async throws(SMTPError) {
        let result = try? await workers.run { [server] in
            SMTPTransfer.perform(message, from: sender, to: recipient, at: server)
        }
        switch result {
        case .success?: return
        case .failure(let error)?: throw error
        case nil: throw .postponed("busy")
        }
    }

    /// Checks, on the calling thread, whether the mail server can be reached, accepts this server and speaks TLS as
    /// required. Returns what is wrong, or `nil`.
    public static func fault(of server: SMTPServer) -> String? {
        guard case .failure(let error) = SMTPTransfer.greet(server) else { return nil }
        return switch error {
        case .refused(let code): "it answered \(code)"
        case .postponed(let why): why
        }
    }

    /// Stops accepting messages, and returns when its threads have ended.
    public func close() async { await workers.join() }
}
