import Accounts
import Classes
import Cryptography
import Gradebook
import GradingKit
import Live
import People
import Records
import Shared
import Testing

@testable import Application

@Suite struct FeedTests {
    private static let ten: Int64 = 600
    private let start = Timestamp(microseconds: 1_800_000_000_000_000)

    private func event(
        _ number: Int, of record: String = "r", at second: Int64, _ types: FeedTypes = FeedType.gradeEntered.alone
    ) -> FeedEvent {
        FeedEvent(
            id: "e\(1_000 + number)", in: .account(AccountID("a")), types, at: start.adding(seconds: second),
            object: record)
    }

    /// Pages through events that are all visible but for those whose identifier is `hidden`.
    private func pages(
        _ events: [FeedEvent], limit: Int, budget: Int = 1_000, hiding hidden: Set<String> = []
    ) -> [[FeedGroup]] {
        let sorted = events.sorted { $0.place > $1.place }
        var (pages, cursor): ([[FeedGroup]], FeedCursor?) = ([], nil)
        repeat {
            var gathering = FeedGathering(after: cursor, limit: limit, budget: budget)
            var page: [FeedGroup] = []
            repeat {
                while !gathering.isReady {
                    let rest = sorted.filter { event in gathering.place.map { event.place < $0 } ?? true }.prefix(7)
                    for event in rest {
                        let verdict = gathering.verdict(on: event, event.types)
                        if case .full = verdict { break }
                        guard case .candidate = verdict else { continue }
                        gathering.take(event, event.types, isVisible: !hidden.contains(event.id))
                    }
                    if rest.count < 7 { gathering.end() }
                }
                page += gathering.takeGroups()
            } while gathering.resume(withRoomFor: limit - page.count)
            pages.append(page)
            cursor = gathering.next.flatMap { FeedCursor(text: $0.text) }
        } while cursor != nil
        return pages
    }

    @Test(arguments: [1, 2, 3, 5, 50])
    func `each event is on one page, in one line, whatever the size of pages`(limit: Int) {
        let events = (0..<300).map { event($0, of: "r\($0 * 31 % 4)", at: Int64($0 * 7_919 % 9_001)) }
        let lines = pages(events, limit: limit).flatMap { $0 }
        #expect(Set(lines.map(\.id)).count == lines.count)
        #expect(lines.allSatisfy { Set($0.events.map(\.object)).count == 1 })
        // What comes later than the end of its line's page is part of that line, too.
        #expect(lines.flatMap { $0.events.map(\.id) }.sorted() == events.map(\.id).sorted())
        let groups = Set(events.map { FeedGroup.id(of: $0, $0.types) })
        #expect(Set(lines.map(\.id)) == groups)
        #expect(lines.map(\.latest.at) == lines.map(\.latest.at).sorted(by: >))
    }

    @Test func `a line keeps its identifier while events join it`() {
        let first = pages([event(0, at: 0)], limit: 5)[0][0]
        let later = pages([event(0, at: 0), event(1, at: 30)], limit: 5)[0][0]
        #expect(first.id == later.id && later.events.count == 2)
        let other = pages([event(0, at: 0), event(1, at: Self.ten)], limit: 5)[0]
        #expect(Set(other.map(\.id)).count == 2)
    }

    @Test func `a page that may look at no more ends early and leads on`() {
        let events = (0..<40).map { event($0, of: "r\($0)", at: Int64($0)) }
        let hidden = Set(events.dropFirst(10).map(\.id))
        let found = pages(events, limit: 5, budget: 8, hiding: hidden)
        #expect(found.map(\.count) == [0, 0, 0, 2, 5, 3])
    }

    @Test func `a page that may look at no more completes the lines that it has begun`() {
        let events = (0..<30).map { event($0, of: "r\($0 % 2)", at: Int64($0)) }
        let found = pages(events, limit: 5, budget: 16)
        #expect(found.map { $0.map(\.events.count) } == [[15, 15], []])
    }

    @Test(arguments: [25, 50])
    func `hundreds of lines of the same ten minutes are told once each`(limit: Int) {
        let events = (0..<1_400).map { event($0, of: "r\($0 % 700)", at: Int64($0 % 599)) }
        let lines = pages(events, limit: limit, budget: 2_000).flatMap { $0 }
        #expect(lines.count == 700 && Set(lines.map(\.id)).count == 700)
        #expect(lines.allSatisfy { $0.events.count == 2 })
    }

    @Test func `a line that tells nothing leaves its room to another, and loses none of that one's events`() {
        let events = (0..<20).map { event($0, of: "r\($0 % 4)", at: Int64($0)) }.sorted { $0.place > $1.place }
        var gathering = FeedGathering(after: nil, limit: 2, budget: 100)
        func gather() -> [FeedGroup] {
            while !gathering.isReady {
                for event in events where gathering.place.map({ event.place < $0 }) ?? true {
                    let verdict = gathering.verdict(on: event, event.types)
                    if case .full = verdict { break }
                    guard case .candidate = verdict else { continue }
                    gathering.take(event, event.types, isVisible: true)
                }
                gathering.end()
            }
            return gathering.takeGroups()
        }
        let first = gather()
        #expect(first.map(\.events.count) == [5, 5])
        // Neither of the two had a line.
        let goesOn = gathering.resume(withRoomFor: 2)
        #expect(goesOn)
        #expect(gather().map(\.events.count) == [5, 5])
        #expect(gathering.next == nil)
    }

    @Test(arguments: ["", "x", "MQ", "MS5hfg~", "LTEuYX4", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5OTkuYX4"])
    func `a text that is no cursor is none`(text: String) { #expect(FeedCursor(text: text) == nil) }

    @Test func `a cursor is read as it was written`() {
        let cursor = FeedCursor(after: FeedPlace(at: start, id: "a-b_c"), open: ["x", "y"])
        #expect(FeedCursor(text: cursor.text) == cursor)
        let bare = FeedCursor(after: FeedPlace(at: start, id: "i"))
        #expect(FeedCursor(text: bare.text) == bare)
    }

    private func fact(_ operation: String, version: Version = 2, from before: String?, to after: String) -> RecordFact {
        RecordFact(
            change: 2, former: 1, record: RecordID("r"), institution: InstitutionID("i"), program: ProgramID("p"),
            student: AccountID("a"), at: start, version: version, operation: operation, figures: Array(after.utf8),
            formerFigures: before.map { Array($0.utf8) }, link: Array(repeating: 7, count: 32))
    }

    @Test func `the types of a change follow from what the student can see of it`() {
        let (low, high) = (#"{"gpa":"3.00","sum":"9"}"#, #"{"gpa":"3.50","sum":"9"}"#)
        func types(_ fact: RecordFact, reaches: Bool = false) -> [FeedType] {
            fact.event(reachesOutcome: reaches).types.list
        }
        #expect(types(fact("create", version: 1, from: nil, to: low)) == [.recordStarted])
        #expect(types(fact("patch", from: low, to: low)) == [.gradeEntered])
        #expect(types(fact("patch", from: low, to: high)) == [.figureChanged, .gradeEntered, .friendHeadline])
        #expect(
            types(fact("patch", from: low, to: #"{"gpa":"3.00","sum":"8"}"#)) == [.figureChanged, .gradeEntered])
        #expect(types(fact("release", from: low, to: low)) == [.resultReleased])
        #expect(types(fact("move", from: low, to: high)) == [.figureChanged, .friendHeadline])
        #expect(types(fact("recompute", from: low, to: low)).isEmpty)
        #expect(types(fact("patch", from: low, to: low), reaches: true) == [.outcomeReached, .gradeEntered])
        #expect(types(fact("patch", from: low, to: "not JSON")).contains(.figureChanged))
    }

    /// Changes of a record, each of some milliseconds after the start and with a grade of its own.
    private func facts(_ moments: [(Int64, operation: String)]) -> [RecordFact] {
        moments.enumerated().map { index, moment in
            RecordFact(
                change: index + 10, former: index == 0 ? nil : index + 9, record: RecordID("r"),
                institution: InstitutionID("i"), program: ProgramID("p"), student: AccountID("a"),
                at: Timestamp(microseconds: start.microseconds + moment.0 * 1_000), version: index + 2,
                operation: moment.operation, figures: Array("{\"gpa\":\"\(index)\"}".utf8),
                formerFigures: Array("{\"gpa\":\"\(index - 1)\"}".utf8),
                link: Array(repeating: UInt8(index), count: 32))
        }
    }

    private func events(of facts: [RecordFact]) -> [FeedEvent] {
        FeedSlice(
            from: FeedProgress(changes: 0, audit: 0, classes: 0), to: FeedProgress(changes: 9, audit: 0, classes: 0),
            records: facts, audit: [], classes: [], standings: [:]
        ).projected().events
    }

    @Test func `changes of a record within a second that are of the same types are one event`() {
        let found = events(
            of: facts([
                (0, "patch"), (500, "patch"), (999, "patch"), (1_000, "patch"), (1_001, "release"), (1_002, "patch"),
            ]))
        #expect(found.map(\.count) == [3, 1, 1, 1])
        #expect(found.map(\.places) == [[10, 11, 12], [13], [14], [15]])
        #expect(found.map(\.former) == [nil, 12, 13, 14])
        #expect(found.map(\.version) == [4, 5, 6, 7])
        #expect(found.allSatisfy { $0.moments.contains($0.at.microseconds) })
    }

    @Test func `changes that a class made, of one moment, or that do not follow each other are counted apart`() {
        #expect(events(of: facts([(0, "class"), (1, "class")])).map(\.count) == [1, 1])
        #expect(events(of: facts([(5, "patch"), (5, "patch")])).map(\.count) == [1])
        var apart = facts([(0, "patch"), (1, "patch")])
        apart[1].former = 3
        #expect(events(of: apart).map(\.count) == [1, 1])
    }

    @Test func `an event that stands for several changes counts as many in its line`() {
        let types: FeedTypes = FeedType.gradeEntered.alone.union(FeedType.friendHeadline.alone)
        let many = events(of: facts([(0, "patch"), (500, "patch")]))
        var line = FeedGroup(many[0], types)
        line.add(event(1, at: -1), types)
        // An act of a class makes two events of one moment.
        line.add(event(2, at: -1), FeedType.figureChanged.alone)
        #expect(line.count == 3)
        var shown = FeedGroup(many[0], FeedType.friendHeadline.alone)
        shown.add(event(3, at: -1), FeedType.friendHeadline.alone)
        #expect(shown.count == 3)
    }

    @Test func `the first figure is compared as it is written, with commas and quotation marks in its text`() {
        func types(_ before: String, _ after: String) -> [FeedType] {
            fact("patch", from: before, to: after).event(reachesOutcome: false).types.list
        }
        let told = #"{"g\"p,a":"3,4}","sum":"9"}"#
        #expect(types(told, #"{"g\"p,a":"3,4}","sum":"8"}"#) == [.figureChanged, .gradeEntered])
        #expect(types(told, #"{"g\"p,a":"3,5}","sum":"9"}"#) == [.figureChanged, .gradeEntered, .friendHeadline])
        #expect(types("{}", #"{"sum":"8"}"#) == [.figureChanged, .gradeEntered, .friendHeadline])
    }

    @Test func `a change that is no news makes no event`() {
        let same = #"{"gpa":"3.00"}"#
        let slice = FeedSlice(
            from: FeedProgress(changes: 0, audit: 0, classes: 0), to: FeedProgress(changes: 9, audit: 0, classes: 0),
            records: [fact("recompute", from: same, to: same), fact("patch", from: same, to: same)], audit: [],
            classes: [],
            standings: [:])
        #expect(slice.projected().events.map(\.types) == [FeedType.gradeEntered.alone])
    }

    @Test func `news reach the feeds that they change and no others`() {
        let news = FeedNews()
        let (ada, eve, school) = (AccountID("ada"), AccountID("eve"), InstitutionID("school"))
        news.note(ada, following: [], in: [])
        news.note(eve, following: [ada], in: [school])
        #expect(news.readers(of: [.reader(ada)]) == [ada])
        #expect(news.readers(of: [.person(ada)]) == [ada, eve])
        #expect(news.readers(of: [.institution(school)]) == [eve])
        #expect(news.readers(of: [.reader(AccountID("nobody")), .logs]).isEmpty)
    }

    @Test func `a followed feed is found by the shared records that it may show, as long as it may`() {
        let news = FeedNews()
        let (ada, eve, one, two) = (AccountID("ada"), AccountID("eve"), RecordID("one"), RecordID("two"))
        news.note(ada, following: [], in: [], showing: [one, two])
        news.note(eve, following: [], in: [], showing: [two])
        #expect(news.readers(showing: [one]) == [ada])
        #expect(news.readers(showing: [one, two]) == [ada, eve])
        news.note(ada, following: [], in: [], showing: [one])
        #expect(news.readers(showing: [two]) == [eve])
        news.forget([eve])
        #expect(news.readers(showing: [two]).isEmpty && news.readers(showing: []).isEmpty)
    }

    @Test func `what is noted of followed feeds is bounded, whatever it is`() {
        let news = FeedNews(capacity: 10)
        let (ada, eve, records) = (AccountID("ada"), AccountID("eve"), (0..<5).map { RecordID("\($0)") })
        for _ in 0..<9 { news.note(ada, following: [], in: [], showing: Set(records)) }
        news.note(eve, following: [], in: [], showing: Set(records.prefix(3)))
        #expect(news.readers(showing: records) == [ada, eve])
        news.note(eve, following: [ada], in: [], showing: Set(records.prefix(3)))
        #expect(news.readers(showing: records) == [eve])
    }

    @Test func `the stored version of a followed feed is believed so often, and then it is composed`() {
        let news = FeedNews()
        let ada = AccountID("ada")
        #expect(!news.trusts(ada))
        news.note(ada, following: [], in: [])
        #expect((0...FeedNews.trust).map { _ in news.trusts(ada) }.filter(\.self).count == FeedNews.trust)
        #expect(!news.trusts(ada))
        news.note(ada, following: [], in: [])
        #expect(news.trusts(ada))
    }

    @Test func `those who follow a person are not told of grades that move nothing shared`() async throws {
        let harness = try await ProgramHarness()
        let news = FeedNews()
        let ada = try await harness.caller("ada", as: "student")
        try await harness.projectFeeds(news)
        _ = news.take()
        _ = try await harness.record(of: ada, total: 80, hidden: true)
        try await harness.projectFeeds(news)
        #expect(news.take() == [.reader(ada.account)])
        _ = try await harness.record(of: ada, total: 80)
        try await harness.projectFeeds(news)
        #expect(news.take() == [.reader(ada.account), .person(ada.account)])
    }

    @Test func `a slice that has room left is the last one until the logs grow`() async throws {
        let harness = try await ProgramHarness()
        let news = FeedNews()
        let ada = try await harness.caller("ada", as: "student")
        try await harness.projectFeeds(news)
        _ = news.take()
        _ = try await harness.record(of: ada, total: 80, hidden: true)
        #expect(try await !harness.feedProjector(news).step())
        #expect(news.take() == [.reader(ada.account)])
    }

    @Test func `an outcome is reached once, and not by what was there before it was looked at`() {
        func slice(_ version: Version, known: Set<String>?, now: String) -> FeedSlice {
            let standing = Array(#"{"outcomes":{"year":{"state":"\#(now)"}}}"#.utf8)
            return FeedSlice(
                from: FeedProgress(changes: 0, audit: 0, classes: 0),
                to: FeedProgress(changes: 9, audit: 0, classes: 0),
                records: [fact("patch", version: version, from: nil, to: "{}")], audit: [], classes: [],
                standings: [RecordID("r"): (standing, known)])
        }
        func reached(_ slice: FeedSlice) -> Bool {
            slice.projected().events[0].types.contains(FeedType.outcomeReached.alone)
        }
        #expect(!reached(slice(2, known: nil, now: "met")))
        #expect(reached(slice(1, known: nil, now: "met")))
        #expect(reached(slice(2, known: [], now: "met")))
        #expect(!reached(slice(2, known: ["year"], now: "met")))
        #expect(slice(2, known: ["year"], now: "unmet").projected().met == [RecordID("r"): []])
        #expect(slice(2, known: ["year"], now: "met").projected().met.isEmpty)
    }

    @Test func `every type has a sentence in every language, and none shows figures unless it is asked for`() {
        for type in FeedType.allCases {
            for language in Language.allCases {
                var group = FeedGroup(event(0, at: 0), type.alone)
                group.add(event(1, at: 0), type.alone)
                var line = FeedLine(group)
                line.figures = [FeedLine.Figure(name: "gpa", from: "3.00", to: "3.50")]
                let plain = line.sentence(in: language, withFigures: false)
                #expect(!plain.isEmpty && !plain.hasPrefix("notice.") && !plain.contains("3."))
                #expect(line.sentence(in: language, withFigures: true).contains("3.00 → 3.50"))
            }
        }
    }

    @Test func `French mails have a space that does not break before the marks of two parts`() {
        for catalog in [MessageCatalog.notices, .mails] {
            for code in catalog.codes {
                let text = catalog.message(code, in: .french)
                for mark in [":", ";", "!", "?"] { #expect(!text.contains(" \(mark)"), "\(code.text)") }
            }
        }
    }

    @Test func `a figure in a mail is written as in its language`() {
        var line = FeedLine(FeedGroup(event(0, at: 0), FeedType.figureChanged.alone))
        line.figures = [FeedLine.Figure(name: "gpa", from: nil, to: "3.50")]
        #expect(line.sentence(in: .english, withFigures: true).contains("(gpa: 3.50)"))
        #expect(line.sentence(in: .french, withFigures: true).contains("(gpa\u{A0}: 3.50)"))
        #expect(line.sentence(in: .simplifiedChinese, withFigures: true).contains("（gpa：3.50）"))
    }

    @Test func `a feed is filled in from what its reader may read now`() async throws {
        let harness = try await ProgramHarness()
        let news = FeedNews()
        let feeds = harness.feeds(news)
        let ada = try await harness.caller("ada", as: "student")
        let record = try await harness.record(of: ada, total: 80, hidden: true)
        try await harness.projectFeeds(news)
        let page = try await feeds.page(after: nil, limit: 9, ada)
        #expect(page.lines.contains { $0.record?.id == record })
        #expect(page.next == nil)
        let document = try await feeds.newest(ada)
        #expect(news.readers(of: [.person(ada.account)]) == [ada.account])
        #expect(try await feeds.newest(ada).revision == document.revision)
        let eve = try await harness.caller("eve")
        #expect(try await feeds.page(after: nil, limit: 9, eve).lines.allSatisfy { $0.record == nil })
    }

    @Test func `that a closed class was opened again is told to its staff and its students, and to nobody else`()
        async throws
    {
        let harness = try await ClassHarness()
        let (programs, news) = (harness.programs, FeedNews())
        let registrar = try await programs.caller("dean", as: "registrar")
        let enrolled = try #require(try await harness.classes.store.rows(of: harness.id, since: 0)).rows
        try await harness.working {
            _ = try await harness.classes.withdraw(
                harness.id, enrolled[1].enrolment.id, keepingEntry: true, by: harness.teacher)
            _ = try await harness.classes.settle(harness.id, ClassPatch(state: .closed), by: harness.teacher)
            _ = try await harness.classes.settle(harness.id, ClassPatch(state: .open), by: registrar)
            // That an open class stays open, or is closed, is no news.
            _ = try await harness.classes.settle(harness.id, ClassPatch(title: "Logic II"), by: harness.teacher)
        }
        try await programs.projectFeeds(news)
        let feeds = programs.feeds(news)
        func told(_ reader: AccountContext) async throws -> [FeedLine] {
            try await feeds.page(after: nil, limit: 9, reader).lines.filter { $0.types == [.classReopened] }
        }
        let teachers = try await told(harness.teacher)
        #expect(teachers.map(\.taught) == [FeedLine.Place(id: harness.id.text, title: "Logic II")])
        let own = enrolled[0].enrolment
        let line = try await told(harness.attending[0])
        #expect(line.map(\.result) == [FeedLine.Result(title: "Logic II", entry: own.entry)])
        #expect(line.map(\.record?.id) == [own.record])
        for other in [harness.attending[1], registrar] { #expect(try await told(other).isEmpty) }
    }
}
