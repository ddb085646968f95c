import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import HTTP
import Institutions
import Shared

/// Routes for an institution's webhooks, for its registrars. Administrators can list and end them; they can neither make
/// them nor see what waits.
struct WebhookRoutes: RouteGroup {
    let webhooks: WebhookService
    let proofs: Proofs

    private static let path = "/v1/institutions/{institution}/webhooks"
    private static let one = path + "/{webhook}"
    private static let state = Parameter<WebhookDelivery.State?>.choice(
        "state", of: WebhookDelivery.State.self,
        "`waiting`, which is the default, or `failed`: those that were given up after three days.")

    var routes: [Route] { own + sending }

    private var own: [Route] {
        [
            .signedIn(
                .get, Self.path, "Its webhooks, to which its events are sent", scope: .session, .list(of: .webhook)
            ) { call in
                let found = try await webhooks.list(of: call["institution"], for: call.context)
                return .list(found, limit: .max, of: call, cursor: \.webhook.id.text) {
                    $0.write(to: &$1, at: call.context.now)
                }
            },
            .signedIn(
                .post, Self.path, "Make a webhook; its secret is in this answer alone", scope: .session,
                takes: .json(WebhookCreation.form), answers: 201, .webhookWithSecret
            ) { call in
                let (webhook, secret) = try await webhooks.create(
                    await WebhookCreation.form.input(call.json()), in: call["institution"], by: call.context)
                return Self.answer(webhook, secret, .created, call)
            }.proven(by: proofs),
            .signedIn(.get, Self.one, "A webhook", scope: .session, .wrapped("webhook", .webhook)) { call in
                let found = try await webhooks.find(
                    WebhookID(call["webhook"]), in: call["institution"], for: call.context)
                return Self.answer(found, call)
            },
            .signedIn(
                .patch, Self.one,
                "Change a webhook. One that was off goes on where it stopped: what happened meanwhile is sent",
                scope: .session, takes: .json(WebhookEdit.form), .wrapped("webhook", .webhook)
            ) { call in
                let changed = try await webhooks.edit(
                    WebhookID(call["webhook"]), in: call["institution"],
                    to: await WebhookEdit.form.input(call.json()), by: call.context)
                return Self.answer(changed, call)
            }.proven(by: proofs),
            .signedIn(
                .delete, Self.one, "End a webhook with everything that waits to be sent to it", scope: .session,
                answers: 204
            ) { call in
                try await webhooks.end(WebhookID(call["webhook"]), of: call["institution"], by: call.context)
                return Response(.noContent)
            },
            .signedIn(
                .post, Self.one + "/secret",
                "Give it another secret, in this answer alone; for a day the former one signs as well",
                scope: .session, .webhookWithSecret
            ) { call in
                let (webhook, secret) = try await webhooks.rotate(
                    WebhookID(call["webhook"]), in: call["institution"], by: call.context)
                return Self.answer(webhook, secret, .ok, call)
            }.proven(by: proofs),
        ]
    }

    private var sending: [Route] {
        [
            .signedIn(
                .post, Self.one + "/test", "Send a message of the type `webhook.test`, and say what became of it",
                scope: .session, .wrapped("outcome", .webhookOutcome), refuses: [.rateLimited]
            ) { call in
                let reply = try await webhooks.test(
                    WebhookID(call["webhook"]), in: call["institution"], by: call.context)
                return .json { $0.object { $0.member("outcome") { reply.write(to: &$0) } } }
            },
            .signedIn(
                .get, Self.one + "/deliveries", "What waits to be accepted, or was given up, in order", scope: .session,
                reads: .page + [Self.state], .list(of: .webhookDelivery)
            ) { call in
                let limit = try call.read(Query.limit)
                let place = try call.read(Query.cursor).flatMap { Int($0) } ?? 0
                let found = try await webhooks.deliveries(
                    of: WebhookID(call["webhook"]), in: call["institution"],
                    try call.read(Self.state) ?? .waiting, after: place, limit: limit + 1, for: call.context)
                return .list(found, limit: limit, of: call, cursor: { String($0.number) }) { $0.write(to: &$1) }
            },
            .signedIn(
                .post, Self.one + "/deliveries/{delivery}/resend", "Send again what was given up", scope: .session,
                .resent
            ) { call in
                try await resend(call["delivery"], call)
            },
            .signedIn(
                .post, Self.one + "/resend",
                "Send again what was given up, at most \(Webhook.mostResent) messages, the oldest first",
                scope: .session, .resent
            ) { call in
                try await resend(nil, call)
            },
        ]
    }

    private func resend(_ delivery: String?, _ call: SignedInCall) async throws -> Response {
        let count = try await webhooks.resend(
            delivery, of: WebhookID(call["webhook"]), in: call["institution"], by: call.context)
        return .json { $0.object { $0.member("resent", count) } }
    }

    private static func answer(_ webhook: CountedWebhook, _ call: SignedInCall) -> Response {
        .json { $0.object { $0.member("webhook") { webhook.write(to: &$0, at: call.context.now) } } }
    }

    private static func answer(
        _ webhook: CountedWebhook, _ secret: WebhookSecret, _ status: Status, _ call: SignedInCall
    ) -> Response {
        .json(status) {
            $0.object {
                $0.member("webhook") { webhook.write(to: &$0, at: call.context.now) }
                $0.member("secret", secret.text)
            }
        }
    }
}

extension WebhookReply {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object {
            $0.member("accepted", self != .unsent && failure == nil)
            switch self {
            case .answered(let status, _, let excerpt):
                $0.member("status", status)
                $0.member("reason", failure?.code)
                $0.member("excerpt", excerpt)
            case .failed(let failure):
                $0.member("status", nil as Int?)
                $0.member("reason", failure.code)
                $0.member("excerpt", "")
            case .unsent, .unwanted:
                $0.member("status", nil as Int?)
                $0.member("reason", "busy")
                $0.member("excerpt", "")
            }
        }
    }
}

extension JSONSchema {
    private static let failureWord = JSONSchema.choice(WebhookFailure.words)
    private static let momentOrNull = JSONSchema.moment.nullable

    static let webhook = document(
        "Webhook",
        [
            "id": .text, "institution": .text, "title": .text, "url": .text,
            "events": .array(of: .choice(of: WebhookEvent.self)),
            "program": JSONSchema.text.nullable.described("The only program whose events are sent."),
            "content": JSONSchema.choice(of: Webhook.Content.self).described(
                "Whether messages about records have the record, too."),
            "enabled": .flag,
            "stopped": JSONSchema.choice(["gone"]).nullable.described(
                "Why the server turned it off: `gone`, because the receiver answered 410."),
            "createdAt": .moment,
            "formerSecretUntil": momentOrNull.described("Until when the former secret signs as well."),
            "acceptedAt": momentOrNull.described("When the receiver last accepted a message."),
            "refusal": JSONSchema.object([
                "at": .moment, "reason": failureWord, "status": .integer.nullable,
            ]).nullable.described("The last failed attempt."),
            "down": JSONSchema.flag.described("Whether one message at a time tries whether the receiver is back."),
            "resumesAt": momentOrNull.described("When the next attempt is made after a pause."),
            "waiting": .integer, "failed": .integer,
        ])
    fileprivate static let webhookWithSecret = JSONSchema.object(
        "WebhookSecretAnswer",
        ["webhook": .webhook, "secret": JSONSchema.text.described("Begins with `whsec_`; not shown again.")])
    static let webhookDelivery = document(
        "WebhookDelivery",
        [
            "id": .text, "message": JSONSchema.text.described("The `webhook-id` of every attempt."),
            "type": .choice(of: WebhookEvent.self),
            "subject": .object(["kind": .choice(of: WebhookSubject.Kind.self), "id": .text]),
            "at": JSONSchema.moment.described("When it happened."), "queuedAt": .moment, "attempts": .integer,
            "dueAt": momentOrNull.described("The next attempt; null behind another message about the same subject."),
            "reason": failureWord.nullable, "status": .integer.nullable, "failedAt": momentOrNull,
        ])
    static let webhookOutcome = document(
        "WebhookOutcome",
        [
            "accepted": .flag, "status": .integer.nullable,
            "reason": JSONSchema.choice(WebhookFailure.words + ["busy"]).nullable,
            "excerpt": JSONSchema.text.described("The beginning of the answer."),
        ])
    fileprivate static let resent = JSONSchema.object("ResentWebhookDeliveries", ["resent": .integer])
}
