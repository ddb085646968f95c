public import Forms
public import Institutions
public import Shared

/// The webhooks of institutions, for registrars, who manage them, and administrators, who may list and end them.
/// Institutions are named by their identifier or slug; one that the caller may not know is `not_found`.
///
/// What a request contains is read only once its sender is known to be allowed.
public struct WebhookService: Sendable {
    let webhooks: Webhooks
    let access: InstitutionAccess

    /// Returns an institution's webhooks in the order of their creation. Those who may not manage them see the hosts of
    /// their addresses alone, since the rest of an address may be a secret.
    public func list(of institution: String, for context: AccountContext) async throws -> [CountedWebhook] {
        let permit = try await access.permit(to: May.Oversee.self, in: institution, for: context.principal)
        let found = try await webhooks.list(of: permit.institution.id)
        return await mayManage(institution, context) ? found : found.map(\.withoutPath)
    }

    /// Returns a webhook, as ``list(of:for:)`` shows it.
    public func find(
        _ id: WebhookID, in institution: String, for context: AccountContext
    ) async throws -> CountedWebhook {
        let permit = try await access.permit(to: May.Oversee.self, in: institution, for: context.principal)
        let found = try await webhooks.find(id, of: permit.institution.id)
        return await mayManage(institution, context) ? found : found.withoutPath
    }

    /// Creates a webhook; returns it with its secret, which is shown only once.
    public func create(
        _ input: @autoclosure () async throws -> FormInput<WebhookCreation>, in institution: String,
        by context: AccountContext
    ) async throws -> (webhook: CountedWebhook, secret: WebhookSecret) {
        let permit = try await managing(institution, context)
        return try await webhooks.create(await input(), in: permit.institution.id, by: context.audit(under: permit))
    }

    /// Changes a webhook.
    public func edit(
        _ id: WebhookID, in institution: String, to input: @autoclosure () async throws -> FormInput<WebhookEdit>,
        by context: AccountContext
    ) async throws -> CountedWebhook {
        let permit = try await managing(institution, context)
        return try await webhooks.edit(
            await input(), of: id, in: permit.institution.id, by: context.audit(under: permit))
    }

    /// Gives a webhook another secret; returns it with the secret, which is shown only once.
    public func rotate(
        _ id: WebhookID, in institution: String, by context: AccountContext
    ) async throws -> (webhook: CountedWebhook, secret: WebhookSecret) {
        let permit = try await managing(institution, context)
        return try await webhooks.rotate(id, of: permit.institution.id, by: context.audit(under: permit))
    }

    /// Ends a webhook with everything that waits to be sent to it.
    public func end(_ id: WebhookID, of institution: String, by context: AccountContext) async throws {
        let permit = try await access.permit(to: May.Oversee.self, in: institution, for: context.principal)
        try await webhooks.end(id, of: permit.institution.id, by: context.audit(under: permit))
    }

    /// Sends a message that means nothing, and returns what became of it.
    public func test(
        _ id: WebhookID, in institution: String, by context: AccountContext
    ) async throws -> WebhookReply {
        let permit = try await managing(institution, context)
        return try await webhooks.test(id, of: permit.institution.id, by: context)
    }

    /// Returns up to `limit` deliveries behind a number.
    public func deliveries(
        of id: WebhookID, in institution: String, _ state: WebhookDelivery.State, after number: Int, limit: Int,
        for context: AccountContext
    ) async throws -> [WebhookDelivery] {
        let permit = try await managing(institution, context)
        let webhook = try await webhooks.find(id, of: permit.institution.id).webhook
        return try await webhooks.store.webhookDeliveries(of: webhook.id, state, after: number, limit: limit)
    }

    /// Lets dead letters wait again; returns how many there were.
    ///
    /// - Parameter delivery: the only one, `StoreError.notFound` if it is none; `nil` for those queued first.
    /// - Throws: `FaultList` with `webhook_queue_full` if as many wait as may.
    public func resend(
        _ delivery: String?, of id: WebhookID, in institution: String, by context: AccountContext
    ) async throws -> Int {
        let permit = try await managing(institution, context)
        let number = try delivery.map { text throws(StoreError) in
            guard let number = Int(text), number > 0 else { throw .notFound }
            return number
        }
        return try await webhooks.resend(number, of: id, in: permit.institution.id, by: context.audit(under: permit))
    }

    private func mayManage(_ institution: String, _ context: AccountContext) async -> Bool {
        (try? await managing(institution, context)) != nil
    }

    private func managing(
        _ institution: String, _ context: AccountContext
    ) async throws -> InstitutionPermit<May.ManageMembers> {
        try await access.permit(to: May.ManageMembers.self, in: institution, for: context.principal)
    }
}
