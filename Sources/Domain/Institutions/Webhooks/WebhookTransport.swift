/// What posts messages to webhooks.
public protocol WebhookTransport: Sendable {
    /// Returns whether an address can be used as far as it shows without a request: `https`, and no number of a network
    /// that is not allowed.
    func allows(_ url: String) -> Bool

    /// Posts a JSON document, and returns what became of it. It never waits long.
    func post(_ body: [UInt8], to url: String, headers: [(name: String, value: String)]) async -> WebhookReply
}

/// What became of a message.
public enum WebhookReply: Sendable, Equatable {
    /// The receiver answered.
    ///
    /// - Parameters:
    ///   - retryAfter: the seconds that it asks to wait, if it does.
    ///   - excerpt: the beginning of the body in printable characters.
    case answered(status: Int, retryAfter: Int?, excerpt: String)
    /// There was no answer.
    case failed(WebhookFailure)
    /// The message was not sent, because this server had too much to send or was stopping.
    case unsent
    /// The message was not sent, because the webhook no longer asks for such events.
    case unwanted
}

/// The reason why a message was not accepted.
public enum WebhookFailure: Sendable, Equatable {
    /// The receiver answered with another status than 200…299.
    case status(Int)
    /// The address is not allowed.
    case address
    /// The host is in a network that is not allowed.
    case network
    /// The name service does not know the host.
    case name
    /// The host accepts no connection.
    case connection
    /// There is no secure connection.
    case tls
    /// The answer did not come in time.
    case time
    /// The exchange broke off.
    case broken
    /// The secret cannot be read: the server has another key than the one that sealed it.
    case secret

    private static let codes: [(WebhookFailure, String)] = [
        (.address, "address"), (.network, "network"), (.name, "name"), (.connection, "connection"), (.tls, "tls"),
        (.time, "time"), (.broken, "broken"), (.secret, "secret"),
    ]

    /// The reason as it is stored and told: `status`, `time` …
    public var code: String {
        if case .status = self { return "status" }
        return Self.codes.first { $0.0 == self }?.1 ?? "broken"
    }

    /// The statuses from 400 to 499 that say nothing about one message: they concern the address, its credentials, or how
    /// much is sent.
    public static let generalStatuses = [401, 403, 404, 407, 408, 410, 421, 425, 429]

    /// Whether the receiver works, and refuses this message alone.
    public var isRejection: Bool {
        status.map { (400...499).contains($0) && !Self.generalStatuses.contains($0) } ?? false
    }

    /// The words that a reason may have.
    public static let words = ["status"] + codes.map(\.1)

    /// The status of the answer, if there was one.
    public var status: Int? { if case .status(let status) = self { status } else { nil } }

    /// Reads a reason as it is stored.
    public init(code: String, status: Int?) {
        if let status {
            self = .status(status)
        } else {
            self = Self.codes.first { $0.1 == code }?.0 ?? .broken
        }
    }
}
