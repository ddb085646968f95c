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

    /// Whether the message was sent, or it was tried.
    fileprivate var wasSent: Bool { reply != .unsent && reply != .unwanted }
}

extension WebhookDelivery {
    /// Returns the delivery with its next attempt so many seconds after a moment.
    fileprivate func put(off seconds: Int64, from now: Timestamp) -> WebhookDelivery {
        var delivery = self
        delivery.dueAt = now.adding(seconds: seconds)
        return delivery
    }
}

extension WebhookCondition {
    /// Whether the receiver has refused a message within some seconds before a moment. Time in which no server tried,
    /// because all of them were off, does not count towards three days.
    fileprivate func wasTried(within seconds: Int64, before now: Timestamp) -> Bool {
        refusal.map { now <= $0.at.adding(seconds: seconds) } ?? false
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
    ///   - attempts: those whose deliveries are stored as they were when they were sent.
    ///   - webhook: the webhook as it is stored now.
    ///   - failed: how many dead letters there are; asked for only if one is added.
    package static func settle<Failure>(
        _ attempts: [WebhookAttempt], of webhook: Webhook, besides failed: () throws(Failure) -> Int,
        at now: Timestamp
    ) throws(Failure) -> (webhook: Webhook, changes: [WebhookDeliveryChange]) {
        var room: Int?
        func takeRoom(_ most: Int) throws(Failure) -> Int {
            var left = room ?? 0
            if room == nil { left = max(0, Webhook.mostFailed - (try failed())) }
            room = left - min(left, most)
            return min(left, most)
        }
        let condition = webhook.condition
        var webhook = webhook
        var changes: [WebhookDeliveryChange] = []
        var (isAnswered, failures, asked) = (false, 0, nil as Timestamp?)
        for attempt in attempts where attempt.reply.failure == nil {
            changes.append(
                attempt.reply == .unsent
                    ? .postpone(attempt.delivery.put(off: pauses[0], from: now))
                    : .remove(attempt.delivery))
            if attempt.wasSent { (isAnswered, webhook.condition.acceptedAt) = (true, now) }
        }
        for attempt in attempts {
            guard let failure = attempt.reply.failure else { continue }
            var delivery = attempt.delivery
            webhook.condition.refusal = .init(at: now, reason: failure)
            if failure == .status(410) { (webhook.isEnabled, webhook.stop) = (false, .gone) }
            if failure.isRejection {
                isAnswered = true
            } else if failure.status == nil || delivery.attempts == 0 || condition.isDown {
                failures += 1
            }
            let wait = attempt.reply.wait
            if let wait { asked = max(asked ?? now, now.adding(seconds: wait)) }
            delivery.attempts += 1
            delivery.failure = failure
            if webhook.isEnabled, delivery.attempts >= leastAttempts,
                delivery.queuedAt.adding(seconds: triedFor) <= now,
                condition.wasTried(within: Webhook.longestPause, before: now), try takeRoom(1) == 1
            {
                (delivery.dueAt, delivery.failedAt) = (nil, now)
                changes.append(.giveUp(delivery))
            } else {
                let pause = pauses[min(delivery.attempts, pauses.count) - 1]
                changes.append(
                    .postpone(delivery.put(off: max(spread(pause, attempt.jitter), wait ?? 0), from: now)))
            }
        }
        guard let last = attempts.last(where: \.wasSent) else {
            // Nothing was learnt of the receiver, and the next probe need not wait.
            if condition.isDown, attempts.contains(where: { $0.reply == .unsent }) {
                webhook.condition.resumesAt = now.adding(seconds: pauses[0])
            }
            return (webhook, changes)
        }
        webhook.condition.resumesAt = asked
        if isAnswered {
            (webhook.condition.failures, webhook.condition.downSince) = (0, nil)
            if condition.isDown { changes.append(.wake) }
            return (webhook, changes)
        }
        webhook.condition.failures += failures
        guard webhook.condition.isDown, let failure = webhook.condition.refusal?.reason else {
            return (webhook, changes)
        }
        let step = min(webhook.condition.failures - WebhookCondition.downAfter, probes.count - 1)
        let probe = now.adding(seconds: spread(probes[step], last.jitter))
        webhook.condition.resumesAt = max(asked ?? probe, probe)
        let since =
            condition.wasTried(within: Webhook.longestRest, before: now) ? condition.downSince ?? now : now
        webhook.condition.downSince = since
        if webhook.isEnabled, since.adding(seconds: triedFor) <= now {
            let most = try takeRoom(Webhook.mostGivenUp)
            let limit = now.adding(seconds: -triedFor)
            if most > 0 { changes.append(.giveUpAll(queuedBefore: limit, most: most, failure: failure)) }
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
