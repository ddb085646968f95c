public import Shared

/// An attempt to deliver one message.
public struct WebhookAttempt: Sendable, Equatable {
    /// The delivery.
    public let delivery: WebhookDelivery
    /// What became of it.
    public let reply: WebhookReply
    /// A random number that spreads the next attempts of many deliveries.
    public let jitter: UInt8

    /// Creates an attempt.
    public init(of delivery: WebhookDelivery, reply: WebhookReply, jitter: UInt8) {
        self.delivery = delivery
        self.reply = reply
        self.jitter = jitter
    }
}

/// What a store does about deliveries after a round of attempts.
public enum WebhookDeliveryChange: Sendable, Equatable {
    /// Removes a delivery that was accepted or is not wanted any more; the next one of its subject becomes due.
    case remove(WebhookDelivery)
    /// Stores a delivery that is tried again.
    case postpone(WebhookDelivery)
    /// Stores a delivery that is given up; the next one of its subject becomes due.
    case giveUp(WebhookDelivery)
    /// Gives up at most this many deliveries that joined the queue before a moment, because the receiver was down all the
    /// time.
    case giveUpAll(queuedBefore: Timestamp, most: Int, failure: WebhookFailure)
    /// Makes due every delivery that waits for another attempt, but those that the receiver has rejected.
    case wake
}

/// The rules for messages that are not accepted.
///
/// A delivery is tried for three days. It then becomes a dead letter, and the next one of its subject has its turn, so
/// that one message that the receiver cannot take holds up neither its record for ever nor others at all.
///
/// While the receiver is down, one message at a time tries it, and once it answers one, everything is due at once. It
/// counts as down after five failures in a row that concern it as a whole: it did not answer, or it answered the first
/// attempt of a message by a status that does not reject this message alone. Later attempts of a message do not count,
/// because a receiver may fail at one message for ever and take all others.
package enum WebhookAttempts {
    /// The seconds for which a delivery is tried, from the moment at which it joined the queue.
    package static let triedFor: Int64 = 3 * 86_400
    /// The number of attempts that a delivery has at least, even if it waited behind others for all that time.
    package static let leastAttempts = 4
    /// The pauses in seconds after each failed attempt of a delivery; the last one applies to all further ones.
    package static let pauses: [Int64] = [5, 60, 300, 1_800, 7_200, 21_600]
    /// The pauses in seconds between the attempts to reach a receiver that is down.
    package static let probes: [Int64] = [5, 15, 60, 300, 900]
    /// The longest pause in seconds that a receiver can ask for.
    package static let longestWait: Int64 = 3_600

    /// Decides what becomes of a webhook and its deliveries after a round of attempts.
    ///
    /// - Parameters:
    ///   - webhook: the webhook as it is stored now.
    ///   - failed: how many dead letters there are; asked for only if one is added.
    package static func settle<Failure>(
        _ attempts: [WebhookAttempt], of webhook: Webhook, besides failed: () throws(Failure) -> Int,
        at now: Timestamp
    ) throws(Failure) -> (webhook: Webhook, changes: [WebhookDeliveryChange]) {
        var webhook = webhook
        var changes: [WebhookDeliveryChange] = []
        var room: Int?
        func takeRoom(_ most: Int) throws(Failure) -> Int {
            var left = room ?? 0
            if room == nil { left = max(0, Webhook.mostFailed - (try failed())) }
            room = left - min(left, most)
            return min(left, most)
        }
        let wasDown = webhook.condition.isDown
        var (answered, failures, asked) = (false, 0, nil as Timestamp?)
        for attempt in attempts {
            var delivery = attempt.delivery
            guard let failure = attempt.reply.failure else {
                switch attempt.reply {
                case .unsent:
                    delivery.dueAt = now.adding(seconds: pauses[0])
                    changes.append(.postpone(delivery))
                case .unwanted: changes.append(.remove(delivery))
                case .answered, .failed:
                    (answered, webhook.condition.acceptedAt) = (true, now)
                    changes.append(.remove(delivery))
                }
                continue
            }
            webhook.condition.refusal = .init(at: now, reason: failure)
            if failure == .status(410) { (webhook.isEnabled, webhook.stop) = (false, .gone) }
            if failure.isRejection {
                answered = true
            } else if failure.status == nil || delivery.attempts == 0 || wasDown {
                failures += 1
            }
            let wait = attempt.reply.wait
            if let wait { asked = max(asked ?? now, now.adding(seconds: wait)) }
            delivery.attempts += 1
            delivery.failure = failure
            if webhook.isEnabled, delivery.attempts >= leastAttempts,
                delivery.queuedAt.adding(seconds: triedFor) <= now, try takeRoom(1) == 1
            {
                (delivery.dueAt, delivery.failedAt) = (nil, now)
                changes.append(.giveUp(delivery))
            } else {
                let pause = pauses[min(delivery.attempts, pauses.count) - 1]
                delivery.dueAt = now.adding(seconds: max(spread(pause, attempt.jitter), wait ?? 0))
                changes.append(.postpone(delivery))
            }
        }
        webhook.condition.resumesAt = asked
        if answered {
            (webhook.condition.failures, webhook.condition.downSince) = (0, nil)
            if wasDown { changes.append(.wake) }
            return (webhook, changes)
        }
        webhook.condition.failures += failures
        if webhook.condition.isDown, let last = attempts.last, let failure = webhook.condition.refusal?.reason {
            let since = webhook.condition.downSince ?? now
            webhook.condition.downSince = since
            let step = min(webhook.condition.failures - WebhookCondition.downAfter, probes.count - 1)
            let probe = now.adding(seconds: spread(probes[step], last.jitter))
            webhook.condition.resumesAt = max(asked ?? probe, probe)
            if webhook.isEnabled, since.adding(seconds: triedFor) <= now {
                let most = try takeRoom(Webhook.mostGivenUp)
                if most > 0 {
                    changes.append(
                        .giveUpAll(queuedBefore: now.adding(seconds: -triedFor), most: most, failure: failure))
                }
            }
        }
        return (webhook, changes)
    }

    /// Returns a pause that is up to a quarter longer.
    private static func spread(_ pause: Int64, _ jitter: UInt8) -> Int64 { pause + pause * Int64(jitter) / 1_024 }
}

extension WebhookReply {
    /// Why the message was not accepted; `nil` if it was, or was not sent.
    package var failure: WebhookFailure? {
        switch self {
        case .answered(200...299, _, _), .unsent, .unwanted: nil
        case .answered(let status, _, _): .status(status)
        case .failed(let failure): failure
        }
    }

    /// The pause in seconds that the receiver asks for, bounded.
    fileprivate var wait: Int64? {
        guard case .answered(let status, let seconds?, _) = self, status == 429 || status == 503 else { return nil }
        return min(Int64(max(1, seconds)), WebhookAttempts.longestWait)
    }
}

extension WebhookAttempts {
    /// The entry of the audit trail for a webhook that its receiver has turned off; `nil` if it has not.
    package static func stopEntry(from before: Webhook, to after: Webhook, at now: Timestamp) -> AuditEntry? {
        guard before.isEnabled, !after.isEnabled else { return nil }
        return AuditContext(by: nil, from: "server", at: now)
            .entry("webhook.stopped", of: after.id.text, in: after.institution)
    }
}
