import Shared
import Testing

@testable import Institutions

@Suite struct WebhookAttemptsTests {
    private static let now = Timestamp(microseconds: 1_800_000_000_000_000)

    private static func delivery(_ number: Int = 1, attempts: Int = 0, age: Int64 = 0) -> WebhookDelivery {
        WebhookDelivery(
            number: number, message: "msg_\(number)", event: .recordChanged,
            subject: WebhookSubject(.record, "r\(number)"), log: .changes, place: number, at: now,
            queuedAt: now.adding(seconds: -age), dueAt: now, attempts: attempts, failure: nil, failedAt: nil)
    }

    /// A webhook whose receiver has refused a message so many seconds ago.
    private static func webhook(failures: Int = 0, refused seconds: Int64 = 60) -> Webhook {
        var webhook = Webhook(
            id: WebhookID("w"), institution: InstitutionID("i"), title: "", url: "https://example.org",
            events: [.recordChanged], program: nil, content: .ids, isEnabled: true, createdAt: now,
            secrets: WebhookSecrets(current: []))
        webhook.condition.failures = failures
        webhook.condition.refusal = .init(at: now.adding(seconds: -seconds), reason: .time)
        return webhook
    }

    private func settle(
        _ delivery: WebhookDelivery, _ reply: WebhookReply, failures: Int = 0, besides failed: Int = 0,
        jitter: UInt8 = 0, refused seconds: Int64 = 60
    ) -> (webhook: Webhook, changes: [WebhookDeliveryChange]) {
        WebhookAttempts.settle(
            [WebhookAttempt(of: delivery, reply: reply, jitter: jitter)],
            of: Self.webhook(failures: failures, refused: seconds), besides: { failed }, at: Self.now)
    }

    private func due(_ changes: [WebhookDeliveryChange]) -> Int64? {
        guard case .postpone(let delivery)? = changes.first, let due = delivery.dueAt else { return nil }
        return (due.microseconds - Self.now.microseconds) / 1_000_000
    }

    private static func answer(_ status: Int, after wait: Int? = nil) -> WebhookReply {
        .answered(status: status, retryAfter: wait, excerpt: "")
    }

    @Test func `the pauses of a message grow to six hours`() {
        let pauses = (0...6).map { due(settle(Self.delivery(attempts: $0), Self.answer(500)).changes) }
        #expect(pauses == [5, 60, 300, 1_800, 7_200, 21_600, 21_600])
    }

    @Test func `a pause is at most a quarter longer`() {
        #expect(due(settle(Self.delivery(attempts: 3), .failed(.time), jitter: 255).changes) == 2_248)
    }

    @Test(arguments: [200, 202, 299]) func `two hundred and more is success`(status: Int) {
        let (webhook, changes) = settle(Self.delivery(), Self.answer(status), failures: 3)
        #expect(changes == [.remove(Self.delivery())])
        #expect(webhook.condition.failures == 0)
        #expect(webhook.condition.acceptedAt == Self.now)
    }

    @Test(arguments: [199, 301, 400, 404, 500]) func `any other answer is tried again`(status: Int) {
        let (webhook, changes) = settle(Self.delivery(), Self.answer(status))
        #expect(due(changes) == 5)
        #expect(webhook.condition.refusal?.reason == .status(status))
    }

    @Test func `a pause that a receiver asks for is kept, an hour at most`() {
        let asked = settle(Self.delivery(), Self.answer(429, after: 120))
        #expect(due(asked.changes) == 120)
        #expect(asked.webhook.condition.resumesAt == Self.now.adding(seconds: 120))
        #expect(
            settle(Self.delivery(), Self.answer(503, after: 86_400)).webhook.condition.resumesAt
                == Self.now.adding(seconds: 3_600))
        #expect(settle(Self.delivery(), Self.answer(500, after: 120)).webhook.condition.resumesAt == nil)
    }

    @Test func `a message is given up after three days, and not before`() {
        let old = Self.delivery(attempts: 3, age: 259_200)
        guard case .giveUp(let letter)? = settle(old, Self.answer(500)).changes.first else {
            Issue.record("not given up")
            return
        }
        #expect((letter.failedAt, letter.dueAt, letter.failure) == (Self.now, nil, .status(500)))
        #expect(due(settle(Self.delivery(attempts: 3, age: 259_199), Self.answer(500)).changes) == 1_800)
    }

    @Test func `a message is tried again after servers were off for three days`() {
        let old = Self.delivery(attempts: 9, age: 900_000)
        #expect(due(settle(old, Self.answer(500), refused: Webhook.longestPause + 1).changes) == 21_600)
        #expect(due(settle(old, Self.answer(500), refused: Webhook.longestPause).changes) == nil)
    }

    @Test func `a message that waited behind others for three days is tried four times all the same`() {
        #expect(due(settle(Self.delivery(attempts: 2, age: 900_000), Self.answer(500)).changes) == 300)
    }

    @Test func `where dead letters have no room, a message goes on waiting`() {
        let changes = settle(Self.delivery(attempts: 9, age: 900_000), Self.answer(500), besides: Webhook.mostFailed)
            .changes
        #expect(due(changes) == 21_600)
    }

    @Test func `a receiver that answers 410 turns the webhook off, and nothing is lost`() {
        let (webhook, changes) = settle(Self.delivery(age: 900_000), Self.answer(410))
        #expect(!webhook.isEnabled && webhook.stop == .gone)
        #expect(due(changes) == 5)
        let entry = WebhookAttempts.stopEntry(from: Self.webhook(), to: webhook, at: Self.now)
        #expect(entry?.action == "webhook.stopped")
    }

    @Test func `five failures in a row pause the webhook, and one success wakes all that waits`() {
        let fifth = settle(Self.delivery(), .failed(.connection), failures: 4)
        #expect(fifth.webhook.condition.isDown)
        #expect(fifth.webhook.condition.resumesAt == Self.now.adding(seconds: 5))
        let later = settle(Self.delivery(), .failed(.connection), failures: 40)
        #expect(later.webhook.condition.resumesAt == Self.now.adding(seconds: 900))
        let back = settle(Self.delivery(), Self.answer(204), failures: 41)
        #expect(back.changes == [.remove(Self.delivery()), .wake])
        #expect(back.webhook.condition.resumesAt == nil)
    }

    @Test func `what waited for three days is given up if the receiver was down all the time`() {
        let limit = Self.now.adding(seconds: -259_200)
        func changes(downSince moment: Timestamp?, refused seconds: Int64 = 60) -> [WebhookDeliveryChange] {
            var webhook = Self.webhook(failures: 9, refused: seconds)
            webhook.condition.downSince = moment
            let attempt = WebhookAttempt(of: Self.delivery(), reply: .failed(.time), jitter: 0)
            return WebhookAttempts.settle([attempt], of: webhook, besides: { 0 }, at: Self.now).changes
        }
        let all = WebhookDeliveryChange.giveUpAll(
            queuedBefore: limit, most: Webhook.mostGivenUp, failure: .time)
        #expect(changes(downSince: limit).last == all)
        #expect(changes(downSince: limit.adding(seconds: 1)).count == 1)
        #expect(changes(downSince: nil).count == 1)
        // Nobody tried meanwhile: the servers were off.
        #expect(changes(downSince: limit, refused: Webhook.longestRest).count == 2)
        #expect(changes(downSince: limit, refused: Webhook.longestRest + 1).count == 1)
    }

    @Test(arguments: [400, 409, 413, 422, 451]) func `a rejected message shows that the receiver works`(status: Int) {
        let (webhook, changes) = settle(Self.delivery(), Self.answer(status), failures: 7)
        #expect(webhook.condition.failures == 0 && webhook.condition.downSince == nil)
        #expect(webhook.condition.acceptedAt == nil)
        #expect(changes.count == 2 && changes.last == .wake)
        #expect(due(changes) == 5)
    }

    @Test(arguments: WebhookFailure.generalStatuses + [302, 500, 503])
    func `a status that concerns every message counts towards a receiver that is down`(status: Int) {
        #expect(settle(Self.delivery(), Self.answer(status), failures: 2).webhook.condition.failures == 3)
    }

    @Test func `a message that fails again and again takes the receiver down for nobody`() {
        let again = Self.delivery(attempts: 1)
        #expect(settle(again, Self.answer(500), failures: 4).webhook.condition.failures == 4)
        #expect(settle(again, .failed(.connection), failures: 4).webhook.condition.failures == 5)
        #expect(settle(again, Self.answer(500), failures: 5).webhook.condition.failures == 6)
    }

    @Test func `a receiver has been down since the fifth failure`() {
        let fifth = settle(Self.delivery(), .failed(.time), failures: 4).webhook.condition
        #expect(fifth.downSince == Self.now)
        #expect(settle(Self.delivery(), .failed(.time), failures: 3).webhook.condition.downSince == nil)
    }

    @Test func `what the webhook no longer wants leaves the queue and says nothing of the receiver`() {
        let (webhook, changes) = settle(Self.delivery(), .unwanted, failures: 6)
        #expect(changes == [.remove(Self.delivery())])
        #expect(webhook.condition == Self.webhook(failures: 6).condition)
    }

    @Test func `what was not sent is no failure`() {
        let (webhook, changes) = settle(Self.delivery(), .unsent, failures: 2)
        #expect(due(changes) == 5)
        #expect(webhook.condition == Self.webhook(failures: 2).condition)
    }

    @Test func `what is not sent tries no receiver that is down, and gives nothing up`() {
        var down = Self.webhook(failures: 9)
        down.condition.downSince = Self.now.adding(seconds: -900_000)
        func settled(_ reply: WebhookReply) -> (webhook: Webhook, changes: [WebhookDeliveryChange]) {
            WebhookAttempts.settle(
                [WebhookAttempt(of: Self.delivery(), reply: reply, jitter: 0)], of: down, besides: { 0 }, at: Self.now)
        }
        let unwanted = settled(.unwanted)
        #expect(unwanted.changes == [.remove(Self.delivery())] && unwanted.webhook == down)
        let unsent = settled(.unsent)
        #expect(unsent.changes.count == 1 && due(unsent.changes) == 5)
        #expect(unsent.webhook.condition.resumesAt == Self.now.adding(seconds: 5))
        #expect(unsent.webhook.condition.failures == 9)
    }

    @Test func `a webhook of a program hears of no other`() {
        var webhook = Self.webhook()
        webhook.program = ProgramID("p")
        func fact(_ event: WebhookEvent, _ program: String?, in institution: String = "i") -> WebhookFact {
            WebhookFact(
                event, in: InstitutionID(institution), of: program.map { ProgramID($0) },
                about: WebhookSubject(.record, "r"), in: .changes, at: 1, on: Self.now, link: [])
        }
        let facts = [
            fact(.recordChanged, "p"), fact(.recordChanged, "q"), fact(.recordChanged, nil),
            fact(.recordEnded, "p"), fact(.recordChanged, "p", in: "j"),
        ]
        #expect(facts.map(webhook.wants) == [true, false, false, false, false])
    }
}
