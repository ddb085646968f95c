import Shared
import Testing

@Suite struct `Wake-ups between nodes` {
    private static let record = RecordID("01JD-r"), student = AccountID("01JD-s")
    private static let all: [WakeUp] = [
        .record(record, of: student), .record(record, of: nil),
        .taughtClass(ClassNews(ClassID("c"), version: 7, rows: ["e", "f"].map { EnrolmentID($0) }, isRestated: false)),
        .taughtClass(ClassNews(ClassID("c"), version: nil)), .feed(of: student), .feeds(around: student),
        .feedsOf(InstitutionID("i")), .feedsIn(ClassID("k")), .log, .everything,
    ]

    private let start = ContinuousClock.now

    @Test func `are told by messages and read from them`() {
        var queue = WakeUpQueue()
        for wakeUp in Self.all.dropLast() { queue.add(wakeUp) }
        #expect(queue.take(at: start).flatMap { WakeUp.wakeUps(in: $0) } == Array(Self.all.dropLast()))
        queue.add(.everything)
        #expect(queue.take(at: start + WakeUpQueue.interval).flatMap { WakeUp.wakeUps(in: $0) } == [.everything])
    }

    @Test(arguments: ["z 1", "r", "r a b c", "c x", "l 1", " ", "*"])
    func `of a kind that a node does not know may concern anything`(message: String) {
        #expect(WakeUp.wakeUps(in: message) == [.everything])
    }

    @Test func `go out at once, and then together after a while`() {
        var queue = WakeUpQueue()
        #expect(queue.isEmpty && queue.due(at: start) == nil && queue.take(at: start).isEmpty)
        queue.add(.log)
        #expect(queue.due(at: start) == start)
        #expect(queue.take(at: start) == ["l"])
        queue.add(.log)
        queue.add(.feed(of: Self.student))
        queue.add(.log)
        #expect(queue.take(at: start).isEmpty && !queue.isEmpty)
        #expect(queue.due(at: start) == start + WakeUpQueue.interval)
        #expect(queue.take(at: start + WakeUpQueue.interval) == ["l\na 01JD-s"])
        #expect(queue.isEmpty)
    }

    @Test func `are few and short, however much has changed`() {
        var queue = WakeUpQueue()
        for number in 0..<600 { queue.add(.record(RecordID("record-\(number)"), of: Self.student)) }
        let messages = queue.take(at: start)
        #expect(messages.count == 2 && messages.allSatisfy { $0.utf8.count <= WakeUpQueue.messageBytes })
        #expect(messages.flatMap { WakeUp.wakeUps(in: $0) }.count == 600)
        for number in 0..<100_000 { queue.add(.record(RecordID("record-\(number)"), of: Self.student)) }
        #expect(queue.take(at: start + .seconds(1)) == ["*"])
        queue.add(.taughtClass(ClassNews(ClassID("c"), version: 1, rows: (0..<9_000).map { EnrolmentID("\($0)") })))
        #expect(queue.take(at: start + .seconds(2)) == ["*"])
        queue.add(.log)
        #expect(queue.take(at: start + .seconds(3)) == ["l"], "what came before is told")
    }
}
