import Accounts
import Cryptography
import GradingKit
import Observability
import People
import Shared

/// The writer of mails with news of people's feeds. A mail waits without its content: what it tells is composed when it
/// is sent, from what its reader may read then.
public struct FeedNotices: Sendable {
    /// How many notices are taken up at a time.
    private static let handful = 16
    /// The maximum number of lines of a mail.
    static let most = 20
    /// The maximum number of lines that a mail counts without telling them.
    private static let mostCounted = 100
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
        let email = try await emails.email(of: due.account)
        let found = try await lines(for: due.account, due.pace, due.events, since: due.since)
        guard let address = email.address, let reader = found.reader, !found.lines.isEmpty else {
            return try await feeds.store.settle(due, mail: nil)
        }
        let mail = Mail(
            id: identifiers.next(), .notice, to: address, about: due.account,
            in: reader.profile.locale ?? email.language,
            [
                "pace": due.pace.rawValue, "from": String(due.events.lowerBound),
                "to": String(due.events.upperBound), "since": String(due.since.microseconds),
            ], at: clock.now)
        try await feeds.store.settle(due, mail: mail)
    }

    /// Returns the sentences of a mail as its reader may read them now; empty if nothing is left to tell, or if the
    /// account has another address than the mail was written to.
    func lines(of mail: Mail) async throws -> [String] {
        guard let account = mail.account, let pace = mail.particulars["pace"].flatMap({ NoticePace(rawValue: $0) }),
            let first = mail.particulars["from"].flatMap({ Int($0) }),
            let end = mail.particulars["to"].flatMap({ Int($0) }), first <= end,
            let since = mail.particulars["since"].flatMap({ Int64($0) })
        else { return [] }
        guard try await emails.email(of: account).address?.key == mail.recipient.key else { return [] }
        let found = try await lines(for: account, pace, first..<end, since: Timestamp(microseconds: since))
        let told = found.lines.prefix(Self.most).map {
            $0.sentence(in: mail.language, withFigures: found.showsFigures)
        }
        let rest = found.lines.count - told.count
        return rest > 0 ? told + [Self.remark(on: rest, in: mail.language)] : told
    }

    /// Returns the sentence that tells how many lines a mail leaves out.
    private static func remark(on count: Int, in language: Language) -> String {
        let code: FaultCode = count < mostCounted ? "notice.more" : "notice.many"
        return MessageCatalog.notices.message(
            code, ["count": .number(String(min(count, mostCounted)))], in: language)
    }

    /// Returns the lines of an account's feed that are to be mailed at a pace, or counted, if its owner may have any.
    ///
    /// - Parameters:
    ///   - numbers: The numbers of the events that the lines tell.
    ///   - since: The moment of the earliest of them.
    private func lines(
        for account: AccountID, _ pace: NoticePace, _ numbers: Range<Int>, since: Timestamp
    ) async throws -> (reader: Account?, lines: [FeedLine], showsFigures: Bool) {
        let choices = try await feeds.store.noticeChoices(of: account)
        let types = choices.mailed(pace)
        guard !types.isEmpty else { return (nil, [], false) }
        do {
            let reader = try await feeds.reader(account)
            let before = Timestamp(microseconds: since.microseconds &- 1)
            var (lines, cursor): ([FeedLine], FeedCursor?) = ([], nil)
            // A page that has looked at many events may be empty and lead on.
            repeat {
                let page = try await feeds.page(
                    of: reader, types, after: cursor, since: before, numbers: numbers,
                    limit: min(Feeds.longest, Self.most + Self.mostCounted - lines.count))
                lines += page.lines
                cursor = page.next
            } while cursor != nil && lines.count < Self.most + Self.mostCounted
            return (reader, lines, choices.showsFigures)
        } catch is UseCaseError {
            return (nil, [], false)
        }
    }
}
