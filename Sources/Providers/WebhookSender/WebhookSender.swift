public import HTTP
public import Institutions
private import Outbound

/// Posts messages to webhooks, on threads of its own, so that receivers that hang hold up neither an event loop nor a
/// provider.
///
/// Registrars choose the addresses. So nothing inside the server's own network is reached unless the operator names it,
/// redirects are not followed, and no more of an answer is read than the excerpt needs.
public struct WebhookSender: WebhookTransport {
    /// The time for a message in milliseconds, from the look-up of its host to the last byte.
    private static let milliseconds = 15_000
    /// The number of bytes that are read of an answer.
    private static let bytes = 4_096
    /// The number of characters of an excerpt.
    private static let excerpt = 200

    private let policy: OutboundPolicy
    private let client: OutboundClient

    /// Creates a sender to public networks and these ones.
    public init(allowing networks: [IPNetwork] = []) {
        var policy = OutboundPolicy(allowing: networks)
        policy.milliseconds = Self.milliseconds
        policy.bytes = Self.bytes
        policy.cutsAnswers = true
        self.policy = policy
        // As many as the courier sends at once, which gives each institution its share, and some for tests of addresses.
        client = OutboundClient(policy, threads: 40, share: 32, queue: 64)
    }

    /// Returns whether an address can be used.
    public func allows(_ url: String) -> Bool { policy.mayAllow(url: url) }

    /// Posts a JSON document.
    public func post(_ body: [UInt8], to url: String, headers: [(name: String, value: String)]) async -> WebhookReply {
        do {
            let answer = try await client.send(OutboundRequest(posting: body, to: url, headers: headers))
            return .answered(
                status: answer.status, retryAfter: answer.retryAfter, excerpt: Self.printable(answer.body))
        } catch {
            return switch error {
            case .busy, .cancelled: .unsent
            case .addressRefused: .failed(.address)
            case .networkRefused: .failed(.network)
            case .timedOut: .failed(.time)
            case .nameUnknown: .failed(.name)
            case .unreachable: .failed(.connection)
            case .untrusted: .failed(.tls)
            case .tooLarge, .failed: .failed(.broken)
            }
        }
    }

    /// Stops sending, and returns when the last thread has ended.
    public func close() async { await client.close() }

    /// Returns the beginning of a text, without what is not printable ASCII: it is shown to people.
    private static func printable(_ bytes: [UInt8]) -> String {
        let text = bytes.lazy.map { (0x20...0x7E).contains($0) ? $0 : 0x20 }
        return String(decoding: text.prefix(excerpt), as: UTF8.self)
    }
}
