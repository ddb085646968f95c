import Accounts
public import Cryptography
import Forms
import GradingKit
public import Institutions
import Shared
import Synchronization

/// The parts that sending to webhooks needs.
public struct WebhookParts: Sendable {
    /// The store of webhooks.
    public let store: any WebhookStore
    /// What posts messages.
    public let transport: any WebhookTransport
    /// Encrypts secrets in the store.
    public let sealer: SecretSealer
    /// The source of secrets and of the spread of attempts.
    public let random: RandomSource

    /// Collects the parts.
    public init(
        store: any WebhookStore, transport: any WebhookTransport, sealer: SecretSealer, random: RandomSource = .system
    ) {
        self.store = store
        self.transport = transport
        self.sealer = sealer
        self.random = random
    }

    /// Returns the opened secrets that sign at a moment; empty if the server's key cannot open the current one.
    func secrets(of webhook: Webhook, at now: Timestamp) -> [WebhookSecret] {
        let opened = webhook.secrets.signing(at: now).map { sealer.open($0, for: Self.context(webhook.id)) }
        guard let first = opened.first, first != nil else { return [] }
        return opened.compactMap { $0.map { WebhookSecret(key: $0) } }
    }

    func seal(_ secret: WebhookSecret, of webhook: WebhookID) throws -> [UInt8] {
        try sealer.seal(secret.key, for: Self.context(webhook), random: random)
    }

    private static func context(_ webhook: WebhookID) -> String { "webhook/\(webhook)" }
}

/// The use cases of an institution's webhooks. Callers check permissions.
struct Webhooks: Sendable {
    let parts: WebhookParts
    let institutions: InstitutionServices
    let identifiers: UUIDSource
    /// How often one account may try addresses: each try makes the server send a request to an address of its choice.
    private let trials = RateLimiter<AccountID>(1, per: 6, burst: 10)
    /// How many addresses are tried at once: as many as the transport has room for beside the messages.
    private let places = TrialPlaces(8)

    var store: any WebhookStore { parts.store }

    init(_ parts: WebhookParts, institutions: InstitutionServices, identifiers: UUIDSource) {
        self.parts = parts
        self.institutions = institutions
        self.identifiers = identifiers
    }

    func list(of institution: InstitutionID) async throws -> [CountedWebhook] {
        try await store.webhooks(of: institution)
    }

    func find(_ id: WebhookID, of institution: InstitutionID) async throws -> CountedWebhook {
        guard let found = try await list(of: institution).first(where: { $0.webhook.id == id }) else {
            throw StoreError.notFound
        }
        return found
    }

    func create(
        _ input: FormInput<WebhookCreation>, in institution: InstitutionID, by act: AuditContext
    ) async throws -> (webhook: CountedWebhook, secret: WebhookSecret) {
        let request = input.value
        var form = input.form
        try await check(request.url, request.program, in: institution, &form)
        try form.finish()
        let id = WebhookID(identifiers.next())
        let secret = WebhookSecret(random: parts.random)
        let webhook = Webhook(
            id: id, institution: institution, title: request.title ?? "", url: request.url ?? "",
            events: request.events, program: request.program, content: request.content, isEnabled: request.isEnabled,
            createdAt: act.at, secrets: WebhookSecrets(current: try parts.seal(secret, of: id)))
        let made = try await store.changeWebhooks(of: institution) {
            try WebhookPlans.creation(of: webhook, besides: $0, by: act)
        }
        return (CountedWebhook(made, waiting: 0, failed: 0), secret)
    }

    func edit(
        _ input: FormInput<WebhookEdit>, of id: WebhookID, in institution: InstitutionID, by act: AuditContext
    ) async throws -> CountedWebhook {
        let request = input.value
        var form = input.form
        try await check(request.url, request.program, in: institution, &form)
        try form.finish()
        _ = try await store.changeWebhooks(of: institution) {
            try WebhookPlans.change(of: id, among: $0, by: act) { webhook in
                if let title = request.title { webhook.title = title }
                if let url = request.url { webhook.url = url }
                if let events = request.events { webhook.events = events }
                if request.clearsProgram || request.program != nil { webhook.program = request.program }
                if let content = request.content { webhook.content = content }
                if let isEnabled = request.isEnabled { webhook.isEnabled = isEnabled }
            }
        }
        return try await find(id, of: institution)
    }

    func rotate(
        _ id: WebhookID, of institution: InstitutionID, by act: AuditContext
    ) async throws -> (webhook: CountedWebhook, secret: WebhookSecret) {
        let secret = WebhookSecret(random: parts.random)
        let sealed = try parts.seal(secret, of: id)
        _ = try await store.changeWebhooks(of: institution) {
            try WebhookPlans.rotation(of: id, to: sealed, among: $0, by: act)
        }
        return (try await find(id, of: institution), secret)
    }

    func end(_ id: WebhookID, of institution: InstitutionID, by act: AuditContext) async throws {
        try await store.changeWebhooks(of: institution) { try WebhookPlans.end(of: id, among: $0, by: act) }
    }

    func test(
        _ id: WebhookID, of institution: InstitutionID, by context: AccountContext
    ) async throws -> WebhookReply {
        let webhook = try await find(id, of: institution).webhook
        if context.client.isLimited, let wait = trials.wait(for: context.account, at: context.now) {
            throw UseCaseError.rateLimited(retryAfter: wait)
        }
        guard places.enter() else { return .unsent }
        defer { places.leave() }
        let message = "msg_" + Base64.url.encode(parts.random.bytes(21))
        let body = WebhookMessage.test(of: webhook.id, at: context.now)
        return await parts.post(body, message, to: webhook, at: context.now)
    }

    func resend(
        _ number: Int?, of id: WebhookID, in institution: InstitutionID, by act: AuditContext
    ) async throws -> Int {
        let webhook = try await find(id, of: institution).webhook
        let count = try await store.resendWebhookDeliveries(of: webhook.id, number, at: act.at, under: act.grounds) {
            act.entry(
                "webhook.resent", of: id.text, in: institution,
                detail: JSON.object(["count": .number(String($0))]).bytes)
        }
        if count == 0 {
            if try await find(id, of: institution).waiting >= Webhook.mostWaiting {
                throw FaultList([Fault(.webhookQueueFull, at: "", ["max": .number(String(Webhook.mostWaiting))])])
            }
            if number != nil { throw StoreError.notFound }
        }
        return count
    }

    private func check(
        _ url: String?, _ program: ProgramID?, in institution: InstitutionID, _ form: inout Form
    ) async throws {
        if let url, !parts.transport.allows(url) { form.refuse("url", .webhookAddress) }
        if let program, try await institutions.programs.find(program)?.institution != institution {
            form.refuse("program", .programUnknown)
        }
    }
}

/// Counts what happens at once, and refuses what would be more than a limit.
private final class TrialPlaces: Sendable {
    private let free: Mutex<Int>

    init(_ count: Int) { free = Mutex(count) }

    /// Takes a place; `false` if there is none.
    func enter() -> Bool {
        free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
    }

    func leave() { free.withLock { $0 += 1 } }
}

extension WebhookParts {
    /// Posts a signed message.
    func post(_ body: [UInt8], _ message: String, to webhook: Webhook, at now: Timestamp) async -> WebhookReply {
        let secrets = secrets(of: webhook, at: now)
        guard !secrets.isEmpty else { return .failed(.secret) }
        return await transport.post(
            body, to: webhook.url, headers: WebhookSecret.headers(of: body, message, at: now, signedBy: secrets))
    }
}
