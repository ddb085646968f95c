import Accounts
import Cryptography
import Observability
import People
import Shared

/// The writer of mails with news of people's feeds. A mail waits without its content: what it tells is composed when it
/// is sent, from what its reader may read then.
public struct FeedNotices: Sendable {
    /// How many notices are taken up at a time.
    private static let handful = 16
    /// The maximum number of lines of a mail.
    private static let most = 20
    private static let pause = Duration.seconds(1)

    private let feeds: Feeds
    private let emails: Emails
    private let identifiers: UUIDSource
    private let clock: WallClock
    private let log: Log

    /// Creates a writer over feeds and addresses.
    init(feeds: Feeds, emails: Emails, identifiers: UUIDSource, clock: WallClock, log: Log) {
        self.feeds = feeds
        self.emails = emails
        self.identifiers = identifiers
        self.clock = clock
        self.log = log
    }

    /// Writes mails that are due until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                while try await round(), !Task.isCancelled {}
            } catch {
                log.warning("notices cannot be written", ["error": .text("\(error)")])
            }
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// Takes up notices that are due; returns whether there may be more.
    func round() async throws -> Bool {
        let due = try await feeds.store.dueNotices(at: clock.now, limit: Self.handful)
        for notice in due { try await write(notice) }
        return due.count == Self.handful
    }

    private func write(_ due: FeedDue) async throws {
        let since = try await feeds.store.noticesSent(to: due.account, due.pace) ?? due.at
        let email = try await emails.email(of: due.account)
        let lines = try await lines(for: due.account, due.pace, since: since)
        guard let address = email.address, let reader = lines.reader, let latest = lines.lines.map(\.at).max() else {
            return try await feeds.store.settle(due, until: since, mail: nil)
        }
        let mail = Mail(
            id: identifiers.next(), .notice, to: address, about: due.account,
            in: reader.profile.locale ?? email.language,
            [
                "pace": due.pace.rawValue, "since": String(since.microseconds), "until": String(latest.microseconds),
            ], at: clock.now)
        try await feeds.store.settle(due, until: latest, mail: mail)
    }

    /// Returns the sentences of a mail as its reader may read them now; empty if nothing is left to tell, or if the
    /// account has another address than the mail was written to.
    func lines(of mail: Mail) async throws -> [String] {
        guard let account = mail.account, let pace = mail.particulars["pace"].flatMap({ NoticePace(rawValue: $0) }),
            let since = mail.particulars["since"].flatMap({ Int64($0) }),
            let until = mail.particulars["until"].flatMap({ Int64($0) })
        else { return [] }
        guard try await emails.email(of: account).address?.key == mail.recipient.key else { return [] }
        let found = try await lines(for: account, pace, since: Timestamp(microseconds: since))
        return found.lines.filter { $0.at.microseconds <= until }
            .map { $0.sentence(in: mail.language, withFigures: found.showsFigures) }
    }

    /// Returns the lines of an account's feed that are to be mailed at a pace, if its owner may have any.
    private func lines(
        for account: AccountID, _ pace: NoticePace, since: Timestamp
    ) async throws -> (reader: Account?, lines: [FeedLine], showsFigures: Bool) {
        let choices = try await feeds.store.noticeChoices(of: account)
        let types = choices.mailed(pace)
        guard !types.isEmpty else { return (nil, [], false) }
        do {
            let reader = try await feeds.reader(account)
            let page = try await feeds.page(of: reader, types, since: since, limit: Self.most)
            return (reader, page.lines, choices.showsFigures)
        } catch is UseCaseError {
            return (nil, [], false)
        }
    }
}
