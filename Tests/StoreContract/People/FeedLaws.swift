import Accounts
import Classes
import DataStore
import Gradebook
import GradingKit
import People
import Records
import Shared

extension StoreUnderTest {
    fileprivate func event(
        _ id: String, of account: String = "a", _ types: FeedTypes = FeedType.gradeEntered.alone, at second: Int64 = 0,
        actor: String? = nil
    ) -> FeedEvent {
        FeedEvent(
            id: id, in: .account(AccountID(account)), types, at: Sample.now.adding(seconds: second),
            actor: actor.map { AccountID($0) }, object: "r")
    }

    /// Stores events without moving the position.
    fileprivate func keep(_ events: [FeedEvent], notifying due: [FeedDue] = []) async throws {
        let place = try await data.people.feedSlice(limit: 1).from
        try await data.people.store(events, met: [:], notifying: due, from: place, to: place)
    }

    fileprivate func feed(
        _ sources: [FeedSource] = [FeedSource(.account(AccountID("a")))], before place: FeedPlace? = nil,
        limit: Int = 9
    ) async throws -> [String] {
        try await data.people.feedEvents(from: sources, before: place, limit: limit).map(\.id)
    }

    /// Projects everything; returns the events.
    fileprivate func project() async throws -> [FeedEvent] {
        var all: [FeedEvent] = []
        while true {
            let slice = try await data.people.feedSlice(limit: 3)
            guard slice.from != slice.to else { return all }
            let (events, met) = slice.projected()
            try await data.people.store(events, met: met, notifying: [], from: slice.from, to: slice.to)
            all += events
        }
    }
}

extension StoreLaw {
    static let feeds: [StoreLaw] = [
        StoreLaw("events of many sources are read from the latest to the earliest, each once") { place in
            for id in ["a", "b"] { try await place.make(id) }
            let own = (0..<40).map { place.event("o\(10 + $0)", at: Int64($0)) }
            let shown = (0..<40).map {
                place.event("s\(10 + $0)", of: "b", $0 % 2 == 0 ? FeedType.friendHeadline.alone : [], at: Int64($0))
            }
            try await place.keep(own + shown + own)
            let sources = [
                FeedSource(.account(AccountID("a"))),
                FeedSource(.account(AccountID("b")), isShown: true, since: Sample.now.adding(seconds: 20)),
            ]
            var (found, last): ([String], FeedPlace?) = ([], nil)
            while true {
                let page = try await place.data.people.feedEvents(from: sources, before: last, limit: 7)
                found += page.map(\.id)
                guard let end = page.last else { break }
                last = end.place
            }
            let expected = (own + shown.filter { !$0.types.isEmpty && $0.at >= Sample.now.adding(seconds: 20) })
                .sorted { $0.place > $1.place }.map(\.id)
            try expect(found, is: expected, "the events")
        },
        StoreLaw("a slice that was projected before changes nothing, and one from another position neither") { place in
            try await place.make("a")
            let slice = try await place.data.people.feedSlice(limit: 9)
            let later = FeedProgress(
                changes: slice.from.changes + 5, audit: slice.from.audit + 5, classes: slice.from.classes)
            try await place.data.people.store(
                [place.event("one")], met: [:], notifying: [], from: slice.from, to: later)
            try await place.data.people.store(
                [place.event("two")], met: [:], notifying: [], from: slice.from, to: slice.from)
            try expect(try await place.feed(), is: ["one"], "the events")
            let now = try await place.data.people.feedSlice(limit: 9).from
            try expect(now, is: later, "the position")
            try await place.data.people.store(
                [place.event("one")], met: [:], notifying: [], from: later, to: later)
            try expect(try await place.feed(), is: ["one"], "the events once more")
        },
        StoreLaw("changes that students can see are facts, with the figures of the one before that they could see") {
            place in
            try await place.make("student")
            _ = try await place.project()
            try await place.store.create("r", "0")
            try await place.store.put("1", released: "0", in: "r")
            try await place.store.put("2", released: "0", in: "r")
            try await place.store.put("3", in: "r")
            let events = try await place.project()
            try expect(events.map(\.version), is: [1, 2], "the versions")
            try expect(events[1].former, is: events[0].change, "the place of the one before")
            try expect(events.map(\.stream), is: Array(repeating: .account(Sample.student), count: 2), "the streams")
            let changes = try await place.data.people.feedChanges(events.compactMap(\.change))
            try expect(changes.count, is: 2, "the changes")
            // The projector begins again, and finds the same events.
            let known = try await place.feed([FeedSource(.account(Sample.student))])
            try expect(Set(known), is: Set(events.map(\.id)), "the stored events")
        },
        StoreLaw("acts of classes are facts where students see results change, and those that show or hide them") {
            place in
            let room = SampleClass(place: place)
            try await room.found()
            for name in ["ada", "bob"] { try await room.enrol(name) }
            func facts() async throws -> [String] {
                var found: [String] = []
                while true {
                    let slice = try await place.data.people.feedSlice(limit: 3)
                    guard slice.from != slice.to else { return found }
                    found += slice.classes.map { fact in
                        let what =
                            switch fact.kind {
                            case .entered(_, let record): "entered \(record)"
                            case .corrected(_, let record): "corrected \(record)"
                            case .shown: "shown"
                            case .hidden: "hidden"
                            case .correctionRequested(let id, let asker): "\(id) asked by \(asker)"
                            case .correctionDecided(let id, let asker, let decider):
                                "\(id) asked by \(asker) decided by \(decider)"
                            }
                        return "\(fact.act.line ?? 0): \(what)"
                    }
                    try await place.data.people.store([], met: [:], notifying: [], from: slice.from, to: slice.to)
                }
            }
            try expect(try await facts(), is: [], "before any result")
            try await room.enter(room.cell("l2", 9, of: "ada"), room.cell("l3", 7, of: "bob"))
            var held = room.cell("l2", 8, of: "bob")
            held.isHeldBack = true
            try await room.enter(held)
            var patch = LinePatch()
            patch.isPostedByHand = true
            try await room.change(.patch(LineID("l3"), patch))
            try await room.enter(room.cell("l3", 10, of: "ada"))
            try await room.change(.patch(LineID("l2"), LinePatch(fields: ["max": 20])))
            patch.isPostedByHand = false
            try await room.change(.patch(LineID("l3"), patch))
            // Line 1 is the structure's, lines 2 to 4 made the lines and enrolled the students.
            try expect(
                try await facts(), is: ["5: entered r-ada", "6: entered r-bob", "8: hidden", "11: shown"],
                "the facts")
        },
        StoreLaw("an event of a class is read by its students, and mailed to those of them who wish it") { place in
            let room = SampleClass(place: place)
            try await room.found()
            for name in ["ada", "bob", "eve", "gus"] {
                try await place.make(name)
                if name != "eve" { try await room.enrol(name) }
                try await place.data.people.setNoticeChoices(
                    NoticeChoices(now: FeedType.resultReleased.alone), of: AccountID(name),
                    audit: Sample.entry("notices.changed", of: name, by: name))
            }
            try await room.withdraw("gus")
            let stream = FeedStream.taughtClass(SampleClass.id)
            let event = FeedEvent(
                id: "posted", in: stream, FeedType.resultReleased.alone, at: Sample.now, object: SampleClass.id.text,
                act: ClassAct(SampleClass.id, line: 5))
            try await place.keep([event])
            let found = try await place.data.people.feedEvents(from: [FeedSource(stream)], before: nil, limit: 9)
            try expect(found, is: [event], "the event")
            let first = try await place.data.people.noticeReaders(of: event, after: nil, limit: 1)
            try expect(first.map(\.account.text), is: ["ada"], "the first reader")
            let rest = try await place.data.people.noticeReaders(of: event, after: AccountID("ada"), limit: 9)
            try expect(rest.map(\.account.text), is: ["bob"], "the others")
            let own = try await place.data.people.noticeReaders(of: place.event("own"), after: nil, limit: 9)
            try expect(own.count, is: 0, "readers of a person's event")
        },
        StoreLaw("events go with the account, and those in which it acted; old ones are swept") { place in
            for id in ["a", "b"] { try await place.make(id) }
            try await place.keep([
                place.event("own"), place.event("acted", of: "b", FeedType.personFollowed.alone, actor: "a"),
                place.event("kept", of: "b", at: 50), place.event("old", of: "b", at: -50),
                place.event("gone", of: "nobody"),
            ])
            try await place.data.accounts.delete(AccountID("a")) { _ in Sample.entry("account.deleted", of: "a") }
            try expect(try await place.feed(), is: [], "events of the deleted account")
            let sources = [FeedSource(.account(AccountID("b")))]
            try expect(try await place.feed(sources), is: ["kept", "old"], "events of the other")
            try expect(
                try await place.data.people.sweepFeed(before: Sample.now, limit: 9), is: 1, "the number of old events")
            try expect(try await place.feed(sources), is: ["kept"], "events after the sweep")
            try expect(
                try await place.feed([FeedSource(.account(AccountID("nobody")))]), is: [], "events of no account")
        },
        StoreLaw("what was seen only moves on, and choices of notices are kept") { place in
            try await place.make("a")
            let (account, people) = (AccountID("a"), place.data.people)
            try expect(try await people.feedSeen(by: account), is: nil, "nothing seen")
            for second in [5, 3] as [Int64] {
                let seen = try await people.setFeedSeen(Sample.now.adding(seconds: second), by: account)
                try expect(seen, is: Sample.now.adding(seconds: 5), "seen after \(second)")
            }
            try expect(try await people.noticeChoices(of: account), is: NoticeChoices(), "the first choices")
            let choices = NoticeChoices(muted: FeedType.gradeEntered.alone, now: .own, showsFigures: true)
            try await people.setNoticeChoices(
                choices, of: account, audit: Sample.entry("notices.changed", of: "a", by: "a"))
            try expect(try await people.noticeChoices(of: account), is: choices, "the choices")
        },
        StoreLaw("mails are due for those who wish them, once for a pace, and told up to a moment") { place in
            try await place.make("a")
            try await place.make("b")
            let (account, people) = (AccountID("a"), place.data.people)
            let event = place.event("one")
            try expect(try await people.noticeReaders(of: [event]).count, is: 0, "readers without a wish")
            try await people.setNoticeChoices(
                NoticeChoices(now: FeedType.gradeEntered.alone, daily: FeedType.announcementMade.alone), of: account,
                audit: Sample.entry("notices.changed", of: "a", by: "a"))
            let others = [place.event("two", of: "b"), place.event("three", FeedType.figureChanged.alone)]
            let readers = try await people.noticeReaders(of: [event] + others)
            try expect(readers.map(\.event.id), is: ["one"], "the event that is wished")
            let due = readers.flatMap { $0.due(at: Sample.now, morning: Sample.now) }
            try expect(due.map(\.pace), is: [.now], "the pace")
            try await place.keep([event], notifying: due + [FeedDue(account, .now, at: Sample.now, since: Sample.now)])
            let found = try await people.dueNotices(at: Sample.now, limit: 9)
            try expect(found.map(\.account), is: [account], "whose notice")
            try expect(found[0].at, is: Sample.now, "the earliest moment")
            let mail = Mail(
                id: "m", .notice, to: try EmailAddress("a@example.org"), about: account, in: .english, at: Sample.now)
            try await people.settle(found[0], mail: mail)
            try await people.settle(found[0], mail: mail)
            try expect(try await people.dueNotices(at: Sample.now, limit: 9), is: [], "nothing is due")
            try expect(try await place.data.mails.waitingMails(), is: 1, "one mail waits")
        },
        StoreLaw("a notice that another event has joined since it was read stays, with all its events") { place in
            try await place.make("a")
            let (account, people) = (AccountID("a"), place.data.people)
            let due = FeedDue(account, .now, at: Sample.now, since: Sample.now)
            try await place.keep([place.event("before")])
            try await place.keep([place.event("one")], notifying: [due])
            let first = try await people.dueNotices(at: Sample.now, limit: 9)
            try expect(first.map(\.events), is: [2..<3], "the events of the first")
            let earlier = Sample.now.adding(seconds: -9)
            try await place.keep(
                [place.event("two")], notifying: [FeedDue(account, .now, at: Sample.now, since: earlier)])
            try await people.settle(first[0], mail: nil)
            let second = try await people.dueNotices(at: Sample.now, limit: 9)
            try expect(second.map(\.events), is: [2..<4], "the events of the second")
            try expect((first + second).map(\.since), is: [Sample.now, earlier], "the moments of the earliest events")
            try await people.settle(second[0], mail: nil)
            try expect(try await people.dueNotices(at: Sample.now, limit: 9), is: [], "nothing is due")
        },
        StoreLaw("a notice whose account has got enough mails is put off with its events") { place in
            try await place.make("a")
            let (account, people) = (AccountID("a"), place.data.people)
            let most = MailPlans.reach(of: Mail.Kind.notice.limits.filter { $0.seconds == 3_600 }).most
            for number in 0...most {
                let due = FeedDue(account, .now, at: Sample.now, since: Sample.now)
                try await place.keep([place.event("\(number)", at: Int64(number) * 3_600)], notifying: [due])
                let found = try await people.dueNotices(at: Sample.now, limit: 9)
                let mail = Mail(
                    id: "m\(number)", .notice, to: EmailAddress(stored: "a@example.org"), about: account, in: .english,
                    at: Sample.now)
                for notice in found { try await people.settle(notice, mail: mail) }
            }
            try expect(try await place.data.mails.waitingMails(), is: most, "the mails")
            try expect(try await people.dueNotices(at: Sample.now, limit: 9), is: [], "nothing is due now")
            let later = try await people.dueNotices(at: Sample.now.adding(seconds: 3_600), limit: 9)
            try expect(later.map(\.events), is: [most + 1..<most + 2], "the events of the notice that was put off")
        },
        StoreLaw("events have numbers in the order in which they are stored, whatever their times, and keep them") {
            place in
            try await place.make("a")
            func numbered(_ numbers: Range<Int>) async throws -> [String] {
                try await place.feed([FeedSource(.account(AccountID("a")), numbers: numbers)])
            }
            try await place.keep([place.event("late", at: 9), place.event("later", at: 20)])
            try await place.keep([
                place.event("early", at: 1), place.event("late", at: 9), place.event("between", at: 10),
            ])
            try expect(try await numbered(1..<9), is: ["later", "between", "late", "early"], "all")
            try expect(try await numbered(3..<9), is: ["between", "early"], "those stored second")
            try expect(try await numbered(1..<3), is: ["later", "late"], "those stored first")
            try expect(try await numbered(5..<9), is: [], "those to come")
            // A projector that begins again names the events that it has stored before.
            let due = FeedDue(AccountID("a"), .now, at: Sample.now, since: Sample.now)
            try await place.keep([place.event("early", at: 1), place.event("later", at: 20)], notifying: [due])
            let found = try await place.data.people.dueNotices(at: Sample.now, limit: 9)
            try expect(found.map(\.events), is: [2..<5], "the events of the notice")
        },
        StoreLaw("other choices leave the notices that are due") { place in
            try await place.make("a")
            let (account, people) = (AccountID("a"), place.data.people)
            try await place.keep(
                [place.event("one")], notifying: [FeedDue(account, .now, at: Sample.now, since: Sample.now)])
            let before = try await people.dueNotices(at: Sample.now, limit: 9)
            try await people.setNoticeChoices(
                NoticeChoices(now: .own, daily: FeedType.announcementMade.alone), of: account,
                audit: Sample.entry("notices.changed", of: "a", by: "a"))
            try expect(try await people.dueNotices(at: Sample.now, limit: 9), is: before, "the notices")
        },
        StoreLaw("announcements are found by their name, and at most twenty are made in a day, withdrawn or not") {
            place in
            try await place.makeInstitution()
            let (school, people) = (InstitutionID("school"), place.data.people)
            func make(_ id: String, at second: Int64 = 0) async throws {
                let made = Announcement(
                    id: id, institution: school, text: id, at: Sample.now.adding(seconds: second))
                try await people.changeAnnouncements(of: school, id, at: made.at) {
                    try AnnouncementPlans.making(made, found: $0, by: Sample.act())
                }
            }
            for number in 0..<AnnouncementPlans.most { try await make("\(number)") }
            func expectRefusal() async throws {
                do {
                    try await make("more")
                    throw Violation(description: "the limit does not hold")
                } catch let faults as FaultList {
                    try expect(faults.faults.map(\.code), is: [.announcementLimit], "the fault")
                }
            }
            try await expectRefusal()
            try expect(try await people.announcement("3")?.text, is: "3", "an announcement")
            func withdraw(_ id: String, of institution: String) async throws {
                try await people.changeAnnouncements(of: InstitutionID(institution), id, at: Sample.now) {
                    try AnnouncementPlans.withdrawing(
                        of: InstitutionID(institution), found: $0, by: Sample.act())
                }
            }
            try await expect(.notFound, "another institution's") { try await withdraw("3", of: "other") }
            try await withdraw("3", of: "school")
            try expect(try await people.announcement("3"), is: nil, "the announcement")
            try await expectRefusal()
            try await make("tomorrow", at: 86_401)
        },
    ]
}
