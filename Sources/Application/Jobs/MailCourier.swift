import Accounts
public import Observability
public import Shared

/// The sender of the mails that wait in the store. Each is sent at least once, with the same identifier at every
/// attempt, for at most a day. No request waits for it.
///
/// A mail leaves as soon as this server has queued it. What other servers and programs queue, what was put off, and wishes
/// for links that reset passwords are found by looking now and then: work that follows such a wish at once would tell who
/// measures the server whether there is an account.
public struct MailCourier: Sendable {
    /// Mails claimed at a time. All are sent concurrently, so that stopping waits for no more than one attempt.
    private static let handful = 2
    /// How long the courier waits at most before it looks again.
    public static let interval = Duration.seconds(1)

    private let store: any MailStore
    private let emails: Emails
    private let transport: any MailTransport
    private let composer: MailComposer
    private let clock: WallClock
    private let log: Log
    private let signal: MailSignal
    private let interval: Duration
    private let waiting: Gauge
    private let sent: Counter
    private let postponed: Counter
    private let failed: Counter

    /// Creates a courier.
    ///
    /// - Parameters:
    ///   - emails: handles the requests for password-reset links.
    ///   - signal: signals when mails were queued in the store.
    ///   - interval: how long the courier waits at most before it looks again.
    public init(
        store: any MailStore, emails: Emails, transport: any MailTransport, composer: MailComposer, metrics: Metrics,
        log: Log, signal: MailSignal, interval: Duration = MailCourier.interval, clock: WallClock = .system
    ) {
        self.store = store
        self.emails = emails
        self.transport = transport
        self.composer = composer
        self.clock = clock
        self.log = log
        self.signal = signal
        self.interval = interval
        waiting = metrics.gauge("gradecast_mails_waiting", "Mails that wait to be sent")
        sent = metrics.counter("gradecast_mails_sent_total", "Mails that the mail server took")
        postponed = metrics.counter("gradecast_mails_postponed_total", "Attempts after which a mail waits for another")
        failed = metrics.counter(
            "gradecast_mails_failed_total", "Mails that were refused for ever, or not taken in time")
    }

    /// Sends waiting and new mails until the task is cancelled.
    ///
    /// - Parameter notices: composes the mails with people's news; `nil` if there are none.
    func run(telling notices: FeedNotices?) async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                while !Task.isCancelled {
                    signal.send()
                    try? await Task.sleep(for: interval)
                }
            }
            group.addTask {
                for await _ in signal.signals {
                    do {
                        while !Task.isCancelled, try await round(notices) {}
                    } catch {
                        // The next signal tries again.
                        log.warning("mails cannot be read", ["error": .text("\(error)")])
                    }
                }
            }
        }
    }

    /// Deletes mails that are more than a day old and no longer wait.
    func tidy() async throws {
        try await store.forgetMails(before: clock.now.adding(seconds: -Mail.lifetime))
    }

    /// Claims and sends waiting mails once; returns whether there was anything to do.
    private func round(_ notices: FeedNotices?) async throws -> Bool {
        let wishes = try await emails.answerWishes()
        let (claims, expired) = try await store.claimMails(Self.handful, at: clock.now)
        for mail in expired { fail(mail, "expired") }
        await withDiscardingTaskGroup { group in
            for claim in claims { group.addTask { await send(claim, notices) } }
        }
        waiting.set(try await store.waitingMails())
        return wishes > 0 || !claims.isEmpty || !expired.isEmpty
    }

    /// Returns the text of a mail; `nil` if there is nothing left to tell.
    private func compose(_ mail: Mail, _ notices: FeedNotices?) async throws(MailFailure) -> Letter? {
        guard mail.kind == .notice else { return composer.letter(mail) }
        do {
            guard let lines = try await notices?.lines(of: mail), !lines.isEmpty else { return nil }
            return composer.letter(mail, telling: lines)
        } catch {
            throw .postponed("the news cannot be read")
        }
    }

    private func send(_ claim: MailClaim, _ notices: FeedNotices?) async {
        let mail = claim.mail
        do throws(MailFailure) {
            guard let letter = try await compose(mail, notices) else {
                _ = await settle(claim, as: .withdrawn)
                log.info("mail withdrawn", mail.fields)
                return
            }
            try await transport.send(letter)
            _ = await settle(claim, as: .sent)
            sent.add()
            log.info("mail sent", mail.fields)
        } catch {
            switch error {
            case .refused(let code):
                _ = await settle(claim, as: .refused(code))
                fail(mail, "refused with \(code)")
            case .postponed(let why):
                postponed.add()
                log.warning(
                    "mail postponed",
                    [
                        "mail": .text(mail.id), "kind": .text(mail.kind.rawValue), "to": .text("\(mail.recipient)"),
                        "attempt": .integer(claim.attempt), "why": .text(why),
                    ])
                if await settle(claim, as: .postponed) { fail(mail, "not taken in time") }
            }
        }
    }

    /// Stores the outcome of an attempt; returns whether the mail is finished. If the outcome cannot be stored, the
    /// mail is tried again after its lease: better twice than never.
    private func settle(_ claim: MailClaim, as outcome: MailOutcome) async -> Bool {
        do {
            return try await store.settle(claim, as: outcome, at: clock.now)
        } catch {
            log.error("a mail's fate was not noted", ["mail": .text(claim.mail.id), "error": .text("\(error)")])
            return false
        }
    }

    private func fail(_ mail: Mail, _ why: String) {
        failed.add()
        log.warning(
            "mail failed",
            [
                "mail": .text(mail.id), "kind": .text(mail.kind.rawValue), "to": .text("\(mail.recipient)"),
                "why": .text(why),
            ])
    }
}

extension Mail {
    /// The log fields of a mail; they never contain the full address.
    fileprivate var fields: KeyValuePairs<String, LogValue> {
        ["mail": .text(id), "kind": .text(kind.rawValue), "to": .text("\(recipient)")]
    }
}
