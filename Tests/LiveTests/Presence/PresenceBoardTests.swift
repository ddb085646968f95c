import Shared
import Testing

@testable import Live

@Suite struct PresenceBoardTests {
    private let grid = Topic.grid(ClassID("C"))

    /// A board with connections, and a clock that is set by hand.
    private struct Bench {
        var board = PresenceBoard()
        var now = Timestamp(microseconds: 0)
        var table = SubscriberTable<SubscriberID>()
        let grid = Topic.grid(ClassID("C"))

        mutating func join(_ name: String, isWorking: Bool = true) -> SubscriberID {
            let id = table.reserve()
            board.join(grid, id, as: Participant(AccountID(name), name: name, isWorking: isWorking))
            return id
        }

        mutating func sit(_ id: SubscriberID, _ row: String? = nil, isEditing: Bool = false) {
            board.here(
                in: grid, id, at: row.map { PresencePlace(row: $0, line: "L") }, isEditing: isEditing, now: now)
        }

        mutating func draw() -> PresenceBoard.Step {
            now = now.advanced(by: PresenceBoard.pause)
            return board.draw(at: now)
        }

        mutating func pass(_ duration: Duration) {
            now = now.advanced(by: duration)
            board.sweep()
            _ = draw()
        }

        /// Whom a connection is told of, as `name@row`, and how many more.
        mutating func told(_ id: SubscriberID) -> [String]? {
            board.take(grid, for: id).map { message in
                message.people.map { "\($0.seat.participant.name)@\($0.seat.place?.row ?? "-")" }
                    + (message.more > 0 ? ["+\(message.more)"] : [])
            }
        }
    }

    @Test func `pictures are drawn at most five times a second, and not when nothing has changed`() {
        var bench = Bench()
        let ada = bench.join("ada")
        #expect(bench.board.due.map { $0 <= bench.now } == true)
        bench.sit(ada, "E1")
        #expect(bench.draw().drawn == [grid])
        #expect(bench.board.due == nil)
        bench.sit(ada, "E2")
        #expect(bench.board.due == bench.now.advanced(by: .milliseconds(200)))
        #expect(bench.board.draw(at: bench.now.advanced(by: .milliseconds(199))).drawn == [])
        #expect(bench.draw().drawn == [grid])
        bench.sit(ada, "E2")
        #expect(bench.draw().drawn == [])
    }

    @Test func `a connection is heard four times a second`() {
        var bench = Bench()
        let ada = bench.join("ada")
        for row in ["E1", "E2", "E3", "E4", "E5", "E6"] { bench.sit(ada, row) }
        _ = bench.draw()
        #expect(bench.told(ada) == ["ada@E4"])
        bench.now = bench.now.advanced(by: .milliseconds(250))
        bench.sit(ada, "E7")
        _ = bench.draw()
        #expect(bench.told(ada) == ["ada@E7"])
    }

    @Test func `a person who says nothing is gone after thirty seconds`() {
        var bench = Bench()
        let (ada, bob) = (bench.join("ada"), bench.join("bob"))
        bench.sit(ada, "E1")
        bench.sit(bob)
        _ = bench.draw()
        #expect(bench.told(ada) == ["ada@E1", "bob@-"])
        bench.pass(.seconds(20))
        bench.sit(bob)
        bench.pass(.seconds(9))
        #expect(bench.told(ada) == nil)
        bench.pass(.seconds(1))
        #expect(bench.told(ada) == ["bob@-"])
        bench.board.leave(grid, bob)
        _ = bench.draw()
        #expect(bench.told(ada) == [])
    }

    @Test func `of two windows of a person the one counts that moved last, and one in a cell before one in none`() {
        var bench = Bench()
        let (first, second) = (bench.join("ada"), bench.join("ada"))
        bench.sit(first, "E1")
        bench.now = bench.now.advanced(by: .seconds(1))
        bench.sit(second, "E2")
        _ = bench.draw()
        #expect(bench.told(first) == ["ada@E2"])
        // To be heard from again is not to move.
        bench.now = bench.now.advanced(by: .seconds(1))
        bench.sit(first, "E1")
        _ = bench.draw()
        #expect(bench.told(first) == nil)
        bench.sit(second)
        _ = bench.draw()
        #expect(bench.told(first) == ["ada@E1"])
    }

    @Test func `numbers stay while people come and go, and the smallest free one is given again`() {
        var bench = Bench()
        let (ada, bob) = (bench.join("ada"), bench.join("bob"))
        bench.sit(ada)
        bench.now = bench.now.advanced(by: .seconds(1))
        bench.sit(bob)
        _ = bench.draw()
        bench.board.leave(grid, ada)
        let eve = bench.join("eve")
        bench.sit(eve)
        _ = bench.draw()
        let people = bench.board.take(grid, for: eve)?.people.map { "\($0.number) \($0.seat.participant.name)" }
        #expect(people == ["1 eve", "2 bob"])
    }

    @Test func `thirty-two people are named and the others counted`() {
        var bench = Bench()
        let ids = (0..<40).map { bench.join("p\($0)") }
        for id in ids { bench.sit(id) }
        _ = bench.draw()
        let told = bench.told(ids[0])
        #expect(told?.count == 33 && told?.last == "+8")
    }

    @Test func `a loop tells at most 64 seats, and nothing stays of a room that all have left`() {
        var bench = Bench()
        let ids = (0..<100).map { bench.join("p\($0)") }
        for id in ids { bench.sit(id) }
        #expect(bench.draw().news.map(\.seats.count) == [64])
        for id in ids { bench.board.leave(grid, id) }
        #expect(bench.draw().news.map(\.seats.count) == [0])
        bench.board.sweep()
        // What the other loops may have missed they are told once more.
        #expect(bench.draw().news.map(\.seats.count) == [0])
        #expect(bench.board.rooms.isEmpty)
    }

    @Test func `who begins to follow a collection is told at once who is on the other loops`() {
        var (here, there) = (Bench(), Bench())
        let ada = there.join("ada")
        there.sit(ada, "E1")
        _ = there.draw()
        // News of a collection that has no connection here leave nothing behind.
        for news in there.draw().news { here.board.take(news, from: 1) }
        let bob = here.join("bob")
        for news in here.draw().news { there.board.take(news, from: 0) }
        for news in there.draw().news { here.board.take(news, from: 1) }
        _ = here.draw()
        #expect(here.told(bob) == ["ada@E1"])
    }
}
