import GradingKit
import People
import Shared
import Testing

/// How changes become events, and events become the lines of a feed.
@Suite struct `A feed` {
    private let ada = AccountID("ada")
    private static let minute: Int64 = 60_000_000

    private func fact(
        _ change: Int, at microseconds: Int64, after former: Int?, _ operation: String = "set", version: Version = 2,
        figures: String = #"{"gpa":"4.00"}"#, before: String? = nil
    ) -> RecordFact {
        RecordFact(
            change: change, former: former, record: RecordID("r"), institution: InstitutionID("i"),
            program: ProgramID("p"), student: ada, at: Timestamp(microseconds: microseconds), version: version,
            operation: operation, figures: Array(figures.utf8), formerFigures: before.map { Array($0.utf8) },
            link: [UInt8(change)])
    }

    private func projected(
        _ facts: [RecordFact], standings: [RecordID: (standing: [UInt8], met: Set<String>?)] = [:]
    ) -> (events: [FeedEvent], met: [RecordID: Set<String>]) {
        FeedSlice(
            from: FeedProgress(changes: 0, audit: 0, classes: 0), to: FeedProgress(changes: 9, audit: 0, classes: 0),
            records: facts, audit: [], classes: [], standings: standings
        ).projected()
    }

    @Test func `has one event for changes that follow each other within a second of the clock`() {
        let events = projected([
            fact(1, at: 100, after: nil), fact(2, at: 200, after: 1), fact(3, at: 999_999, after: 2),
            fact(4, at: 1_000_000, after: 3),
        ]).events
        #expect(events.map(\.places) == [[1, 2, 3], [4]])
        #expect(events.map(\.count) == [3, 1])
        #expect(events.map(\.change) == [3, 4])
    }

    @Test func `has events of their own for changes of another kind, or behind one that the student does not see`() {
        let kinds = projected([fact(1, at: 1, after: nil), fact(2, at: 2, after: 1, "release")]).events
        #expect(kinds.map { $0.types.list } == [[.gradeEntered], [.resultReleased]])
        #expect(projected([fact(1, at: 1, after: nil), fact(3, at: 2, after: 2)]).events.count == 2)
    }

    @Test(arguments: ["move", "recompute", "class"])
    func `has nothing of a calculation that moves no figure`(operation: String) {
        let same = #"{"gpa":"4.00"}"#
        #expect(projected([fact(1, at: 1, after: nil, operation, figures: same, before: same)]).events.isEmpty)
        let moved = projected([fact(1, at: 1, after: nil, operation, before: #"{"gpa":"3.00"}"#)]).events
        #expect(moved.map { $0.types.list } == [[.figureChanged, .friendHeadline]])
    }

    @Test func `tells friends of the first figure alone`() {
        let events = projected([
            fact(
                1, at: 1, after: nil, figures: #"{"gpa":"4.00","credits":"9"}"#,
                before: #"{"gpa":"4.00","credits":"6"}"#)
        ]).events
        #expect(events.map { $0.types.list } == [[.figureChanged, .gradeEntered]])
    }

    @Test func `tells an outcome by the last change of its record, once`() {
        let standing = Array(#"{"outcomes":{"honours":{"state":"met"},"diploma":{"state":"open"}}}"#.utf8)
        let facts = [fact(1, at: 1, after: nil), fact(2, at: 5_000_000, after: 1)]
        let first = projected(facts, standings: [RecordID("r"): (standing, [])])
        #expect(first.events.map { $0.types.contains(FeedType.outcomeReached.alone) } == [false, true])
        #expect(first.met == [RecordID("r"): ["honours"]])
        let known = projected(facts, standings: [RecordID("r"): (standing, ["honours"])])
        #expect(known.events.allSatisfy { !$0.types.contains(FeedType.outcomeReached.alone) })
        #expect(known.met.isEmpty)
        // Of a record that was not looked at before, nothing is news but what its beginning in the slice proves.
        let unknown = projected(facts, standings: [RecordID("r"): (standing, nil)])
        #expect(unknown.events.allSatisfy { !$0.types.contains(FeedType.outcomeReached.alone) })
        let begun = projected([fact(1, at: 1, after: nil, version: 1)], standings: [RecordID("r"): (standing, nil)])
        #expect(begun.events.map { $0.types.list } == [[.outcomeReached, .recordStarted]])
    }

    private func event(_ number: Int, _ object: String, minutes: Int64) -> FeedEvent {
        FeedEvent(
            id: "e\(number)", in: .account(ada), FeedType.gradeEntered.alone,
            at: Timestamp(microseconds: minutes * Self.minute), object: object)
    }

    /// Reads the pages of a feed, from the latest event to the earliest.
    private func pages(of events: [FeedEvent], limit: Int, budget: Int = 100) -> [[[String]]] {
        var (pages, cursor): ([[[String]]], FeedCursor?) = ([], nil)
        repeat {
            var gathering = FeedGathering(after: cursor, limit: limit, budget: budget)
            var rest = events.filter { event in cursor.map { event.place < $0.place } ?? true }[...]
            reading: while !gathering.isReady {
                guard let event = rest.popFirst() else {
                    gathering.end()
                    break
                }
                switch gathering.verdict(on: event, event.types) {
                case .passed: continue
                case .full: break reading
                case .candidate: gathering.take(event, event.types, isVisible: true)
                }
            }
            pages.append(gathering.takeGroups().map { $0.events.map(\.id) })
            cursor = gathering.next.flatMap { FeedCursor(text: $0.text) }
        } while cursor != nil && pages.count < 20
        return pages
    }

    @Test func `joins what happens to a record within ten minutes, and no more`() {
        let events = [
            event(1, "x", minutes: 25), event(2, "x", minutes: 21), event(3, "y", minutes: 20),
            event(4, "x", minutes: 19),
        ]
        #expect(pages(of: events, limit: 10) == [[["e1", "e2"], ["e3"], ["e4"]]])
    }

    @Test func `tells every event once, however small its pages are`() {
        // Two records by turns within ten minutes: a line of the first page takes in events behind the next line.
        let events = (0..<9).map { event($0, $0.isMultiple(of: 2) ? "x" : "y", minutes: 29 - Int64($0)) }
        for limit in 1...3 {
            let told = pages(of: events, limit: limit)
            #expect(told.flatMap { $0 }.flatMap { $0 }.sorted() == events.map(\.id).sorted(), "\(limit) lines a page")
            #expect(told.allSatisfy { $0.count <= limit })
            #expect(told.flatMap { $0 }.count == 2)
        }
    }

    @Test func `has cursors that come back as they were, and reads no other text as one`() {
        let place = FeedPlace(at: Timestamp(microseconds: 12), id: "e.1")
        let cursor = FeedCursor(after: place, open: ["abcdef", "ghijkl"])
        #expect(FeedCursor(text: cursor.text) == cursor)
        for text in ["", "!", "AAAA", cursor.text + "~", String(repeating: "A", count: 8_193)] {
            #expect(FeedCursor(text: text) == nil)
        }
    }
}
