private import Threads

/// The mail server that takes messages from this one.
public struct SMTPServer: Sendable, Equatable {
    /// Where it is, such as `smtps://mail.example.org:465` or `smtp://mail.example.org:587`.
    public var url: String
    /// Whether the connection must turn to TLS before anything is said (`STARTTLS`); without meaning for `smtps`.
    public var requiresTLS: Bool
    /// By which name this server greets it.
    public var greeting: String
    /// Who sends, and the password; `nil` where the server asks for none.
    public var credentials: (user: String, password: String)?
    /// A PEM file with the authorities that vouch for its certificate; `nil` for the system's.
    public var authorities: String?

    /// A mail server.
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

    /// Whether two are the same.
    public static func == (left: Self, right: Self) -> Bool {
        left.url == right.url && left.requiresTLS == right.requiresTLS && left.greeting == right.greeting
            && left.credentials?.user == right.credentials?.user
            && left.credentials?.password == right.credentials?.password && left.authorities == right.authorities
    }
}

/// Why a mail server did not take a message.
public enum SMTPError: Error, Sendable, Equatable {
    /// It will never take it; the reply's code, 500…599.
    case refused(Int)
    /// It may take it later: its reply's code, or in libcurl's words why there is none.
    case postponed(String)
}

/// Hands messages to a mail server, on threads of its own: an event loop never waits for it. Where it is is the
/// operator's decision alone, so that it may lie in any network.
public final class SMTPClient: Sendable {
    private let server: SMTPServer
    private let workers: WorkerPool

    /// A client that hands over `threads` messages at once at most, while `queue` wait.
    public init(_ server: SMTPServer, threads: Int = 2, queue: Int = 16) {
        self.server = server
        workers = WorkerPool("mail", threads: threads, capacity: queue)
    }

    /// Hands over a message, and returns once the mail server has taken it.
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

    /// Looks whether the mail server can be reached, lets this server in and speaks TLS as it should, on the calling
    /// thread; `nil` when it does, else what is wrong.
    public static func fault(of server: SMTPServer) -> String? {
        guard case .failure(let error) = SMTPTransfer.greet(server) else { return nil }
        return switch error {
        case .refused(let code): "it answered \(code)"
        case .postponed(let why): why
        }
    }

    /// Takes no more messages, and returns once its threads have ended.
    public func close() async { await workers.join() }
}
