import Forms
import GradingKit
import People
import Shared
import Testing

/// Which notices an account gets, where and when; and what an institution announces.
@Suite struct NoticeTests {
    private let ada = AccountID("ada")

    private func read(_ types: JSON) throws -> NoticeChoices { try NoticeChoices.form.read(["types": types]) }

    private func moment(_ seconds: Int64) -> Timestamp { Timestamp(microseconds: seconds * 1_000_000) }

    @Test func `nothing is mailed and everything is shown unless chosen otherwise`() throws {
        let choices = try read([:])
        #expect(choices == NoticeChoices())
        #expect(choices.shown == .all)
        #expect(NoticePace.allCases.allSatisfy { choices.mailed($0).isEmpty })
    }

    @Test func `each type has a pace of its own, and is written as it was read`() throws {
        let choices = try read([
            "result.released": ["page": true, "mail": "now"], "figure.changed": ["page": false, "mail": "daily"],
            "person.followed": ["mail": "none"],
        ])
        #expect(choices.mailed(.now).list == [.resultReleased])
        #expect(choices.mailed(.daily).list == [.figureChanged])
        #expect(!choices.shown.contains(FeedType.figureChanged.alone))
        var writer = JSONWriter()
        choices.write(to: &writer)
        #expect(try NoticeChoices.form.read(JSON.parse(writer.bytes)) == choices)
    }

    @Test func `a type that does not exist is refused, and so is another pace`() {
        #expect(throws: FaultList.self) { _ = try read(["grade.lost": [:]]) }
        #expect(throws: FaultList.self) { _ = try read(["result.released": ["mail": "weekly"]]) }
    }

    @Test func `an event is mailed at the paces that its types have`() throws {
        let choices = try read(["result.released": ["mail": "now"], "figure.changed": ["mail": "daily"]])
        func due(_ types: [FeedType]) -> [NoticePace: Timestamp] {
            let event = FeedEvent(id: "e", in: .account(ada), FeedTypes(types), at: moment(10))
            let reader = NoticeReader(account: ada, choices: choices, event: event)
            return Dictionary(
                uniqueKeysWithValues: reader.due(at: moment(20), morning: moment(99)).map { ($0.pace, $0.at) })
        }
        #expect(due([.resultReleased]) == [.now: moment(25)])
        #expect(due([.resultReleased, .figureChanged]) == [.now: moment(25), .daily: moment(99)])
        #expect(due([.gradeEntered]) == [:])
    }

    @Test func `notices of one account and pace become one, at the earliest moment and since the earliest event`() {
        let joined = FeedDue.joining([
            FeedDue(ada, .now, at: moment(5), since: moment(4)), FeedDue(ada, .now, at: moment(7), since: moment(2)),
            FeedDue(ada, .daily, at: moment(9), since: moment(1)),
        ])
        #expect(
            Set(joined) == [
                FeedDue(ada, .now, at: moment(5), since: moment(2)),
                FeedDue(ada, .daily, at: moment(9), since: moment(1)),
            ])
    }

    @Test func `the position of a type is its own and stays`() {
        #expect(Set(FeedType.allCases.map(\.alone.rawValue)).count == FeedType.allCases.count)
        #expect(FeedType.recordStarted.alone.rawValue == 1)
        #expect(FeedType.correctionDecided.alone.rawValue == 1 << 14)
        #expect(FeedTypes.all.list == FeedType.allCases)
    }

    private let act = AuditContext(by: AccountID("r"), from: "127.0.0.1", at: Timestamp(microseconds: 1))
    private var announcement: Announcement {
        Announcement(id: "a", institution: InstitutionID("i"), text: "Results on Friday.", at: moment(1))
    }

    @Test func `an institution makes twenty announcements a day, those withdrawn included`() throws {
        let plan = try AnnouncementPlans.making(announcement, found: AnnouncementRows(found: nil, recent: 19), by: act)
        #expect(plan.changes.count == 1)
        #expect(throws: FaultList.self) {
            _ = try AnnouncementPlans.making(announcement, found: AnnouncementRows(found: nil, recent: 20), by: act)
        }
    }

    @Test func `an institution withdraws its own announcements alone`() throws {
        let rows = AnnouncementRows(found: announcement, recent: 1)
        #expect(try AnnouncementPlans.withdrawing(of: InstitutionID("i"), found: rows, by: act).audit.count == 1)
        #expect(throws: StoreError.notFound) {
            _ = try AnnouncementPlans.withdrawing(of: InstitutionID("other"), found: rows, by: act)
        }
    }

    @Test(arguments: ["", "  \n ", String(repeating: "x", count: 1_001)])
    func `an announcement has a text of at most a thousand characters`(text: String) {
        #expect(throws: FaultList.self) { _ = try Announcement.form.read(["text": .string(text)]) }
    }
}
