import Accounts
import Application
import Classes
import Forms
import GradingKit
import HTTP
import Institutions
import Live
import People
import Shared

/// Routes for people's feeds, their notifications, and what institutions announce.
struct FeedRoutes: RouteGroup {
    let feeds: Feeds
    let announcements: Announcements
    let writes: WriteRate
    let longPoll: LongPoll
    /// How often one account may read its feed, because the server composes each page again.
    let reads: RateLimiter<AccountID>

    var routes: [Route] { feed + notices + announcing }

    private static let limit = Parameter<Int>.integer(
        "limit", in: 1...Feeds.longest, default: Feeds.newest, "How many lines a page has at most.")

    private static let cursor = Parameter<FeedCursor?>(
        .query, "cursor", "Where the page begins; opaque, from `next` of the page before."
    ) { text in
        guard let text else { return nil }
        guard let cursor = FeedCursor(text: text) else {
            throw Problem.malformed("cursor must come from an earlier page's next")
        }
        return cursor
    }

    private static let seen = RequestForm("FeedSeen", example: ["at": "2026-11-21T09:31:05.120Z"]) { form in
        form.moment("at", required: true)
    }

    private var feed: [Route] {
        [
            .signedIn(
                .get, "/v1/feed",
                "My feed, the latest first; without `cursor` and `limit` the document of the topic `feed/{account}`",
                scope: .recordsRead, reads: [Self.limit, Self.cursor, Header.ifNoneMatch, Header.wait], .feed,
                tells: [.eTag], refuses: [.notFound]
            ) { call in
                if call.client.isLimited, let wait = reads.wait(for: call.caller, at: call.now) {
                    throw Problem.rateLimited(retryAfter: wait)
                }
                let (limit, cursor) = (try call.read(Self.limit), try call.read(Self.cursor))
                if cursor != nil || limit != Feeds.newest {
                    return Self.answer(try await feeds.page(after: cursor, limit: limit, call.context))
                }
                let document = try await feeds.newest(call.context)
                if try call.has(document.revision),
                    let answer = try await longPoll.answer(.feed(call.caller), after: document.revision, to: call)
                {
                    return answer
                }
                return try call.document(document.bytes, at: document.revision)
            },
            .signedIn(
                .put, "/v1/feed/seen", "Have seen my feed up to a moment, on every device", scope: .session,
                takes: .json(Self.seen), .feedSeen, refuses: [.notFound]
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                let moment = try await Self.seen.read(call.json()) ?? call.now
                let seen = try await feeds.see(moment, call.context)
                return .json { $0.object { $0.member("seen", seen.description) } }
            }.unattended,
        ]
    }

    private static func answer(_ page: Feeds.Page) -> Response {
        .json { writer in
            writer.object { writer in
                writer.member("items") { writer in
                    writer.array { for line in page.lines { line.write(to: &$0) } }
                }
                writer.member("next", page.next?.text)
            }
        }
    }

    private var notices: [Route] {
        [
            .signedIn(
                .get, "/v1/accounts/me/notices", "My notifications, in the page and by mail", scope: .session,
                .wrapped("notices", .noticeChoices), refuses: [.notFound]
            ) { call in
                Self.answer(try await feeds.choices(call.context))
            },
            .signedIn(
                .put, "/v1/accounts/me/notices",
                "Choose my notifications; a type that is left out appears in the page alone", scope: .session,
                takes: .json(NoticeChoices.form), .wrapped("notices", .noticeChoices), refuses: [.notFound]
            ) { call in
                try writes.check(call.context, size: call.bodySize)
                let choices = try await NoticeChoices.form.read(call.json())
                try await feeds.choose(choices, call.context)
                return Self.answer(choices)
            },
        ]
    }

    private static func answer(_ choices: NoticeChoices) -> Response {
        .json { $0.object { $0.member("notices") { choices.write(to: &$0) } } }
    }

    private var announcing: [Route] {
        [
            .signedIn(
                .post, "/v1/institutions/{institution}/announcements",
                "Tell those who belong to an institution something, in their feeds", scope: .session,
                takes: .json(Announcement.form), answers: 201, .wrapped("announcement", .announcement)
            ) { call in
                let made = try await announcements.make(
                    await Announcement.form.read(call.json()), size: call.bodySize, in: call["institution"],
                    by: call.context)
                return .json(.created) { writer in
                    writer.object { writer in
                        writer.member("announcement") { writer in
                            writer.object {
                                $0.member("id", made.id)
                                $0.member("text", made.text)
                                $0.member("at", made.at.description)
                            }
                        }
                    }
                }
            },
            .signedIn(
                .delete, "/v1/institutions/{institution}/announcements/{announcement}", "Withdraw an announcement",
                scope: .session, answers: 204
            ) { call in
                try await announcements.withdraw(
                    call["announcement"], size: call.bodySize, of: call["institution"], by: call.context)
                return Response(.noContent)
            },
        ]
    }
}

extension JSONSchema {
    private static let type = choice(of: FeedType.self)
    private static let place = document("FeedPlace", ["id": .text, "title": .text])
    private static let resultSide = document(
        "FeedResultSide",
        [
            "value": localized.nullable.described("The result; null for none."),
            "status": JSONSchema.text.nullable.described("null for an ordinary result; `missing` for missing work."),
            "statusLabel": localized.nullable.described("What the regulations call the status."),
            "late": JSONSchema.integer.nullable.described("By how many minutes the work was late."),
        ])
    private static let changedResult = document(
        "FeedChangedResult",
        [
            "class": JSONSchema.text.described("The title of the class."),
            "entry": JSONSchema.text.described("The class's entry in my record."),
            "line": .text,
            "label": JSONSchema.localized.described("What people call the line."),
            "best": JSONSchema.text.nullable.described(
                "The best result that the line takes; null where results are letters."),
            "before": resultSide.nullable.described("What stood there before; null for nothing."),
            "after": resultSide.nullable.described("What stands there after it; null for nothing."),
        ])
    private static let line = document(
        "FeedLine",
        [
            "id": JSONSchema.text.described("Stays the same while events join the line."),
            "type": type.described("The most important type of its events."),
            "types": .array(of: type), "at": JSONSchema.moment.described("When the latest of its events was."),
            "count": JSONSchema.integer.described("How many changes it stands for."),
            "record?": document("FeedRecord", ["id": .text, "scheme": .text.nullable]),
            "program?": place, "institution?": place,
            "person?": JSONSchema.personCard.described("The person whom I follow, or who follows me."),
            "others?": JSONSchema.integer.described("How many further people the line is about."),
            "state?": choice(of: FollowState.self).described("How far the person follows me."),
            "role?": JSONSchema.text.described("My role in the institution."),
            "result?": document("FeedResult", ["class": .text, "entry": .text]).described(
                "My results in a class that changed them, on which a comment stands, or that was opened again: the title of the class, and its entry in the record."
            ),
            "results?": JSONSchema.array(of: changedResult).described(
                "The results that classes entered, changed, corrected or showed, as far as I see them now; at most 20."),
            "moreResults?": JSONSchema.integer.described("How many further results changed."),
            "class?": place.described("The class that I teach, and that was opened again; the class of a correction."),
            "correction?": document(
                "FeedCorrection",
                ["id": .text, "state": .choice(of: Correction.State.self), "reason": .text]
            ).described("The correction that waits for my decision, or that I asked for."),
            "announcement?": document("FeedAnnouncement", ["id": .text, "text": .text]),
            "figures?": JSONSchema.array(
                of: document("FeedFigure", ["name": .text, "from": .text.nullable, "to": .text])
            ).described("The figures of my record that changed."),
            "outcomes?": JSONSchema.array(of: .text).described("The outcomes that my record has reached."),
            "by?": document("FeedAuthor", ["id": .text, "displayName": .text]),
        ])
    static let feed = document(
        "Feed",
        [
            "items": .array(of: line),
            "next": JSONSchema.text.nullable.described("The `cursor` of the next page; null at the end."),
            "unread?": JSONSchema.integer.described("How many lines are later than `seen`, counted up to 100."),
            "seen?": JSONSchema.moment.nullable.described("Up to when I have seen my feed."),
        ])
    static let feedSeen = document("FeedSeenAnswer", ["seen": .moment])
    private static let channels = document(
        "NoticeChannels", ["page": .flag, "mail": .choice(["none", "now", "daily"])])
    static let noticeChoices = document(
        "Notices",
        [
            "types": .map(to: channels),
            "figures": JSONSchema.flag.described("Whether mails show figures."),
        ])
    static let announcement = document("AnnouncementMade", ["id": .text, "text": .text, "at": .moment])
    /// An event of the account's feed, in its export.
    static let exportedEvent = document(
        "ExportedEvent",
        ["id": .text, "types": .array(of: type), "at": .moment, "object": .text.nullable, "actor": .text.nullable])
}

extension Form {
    /// Reads a moment in UTC.
    fileprivate mutating func moment(_ name: String, required: Bool) -> Timestamp? {
        parse(name, text(name, required: required, as: .moment)) { text throws(FaultList) in
            guard let moment = Timestamp(text: text) else {
                throw FaultList([Fault(.wrongType, ["expected": "date-time"])])
            }
            return moment
        }
    }
}
