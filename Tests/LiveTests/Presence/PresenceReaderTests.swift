import Shared
import Testing

@testable import Live

@Suite struct PresenceReaderTests {
    private let grid = Topic.grid(ClassID("C"))
    private let ada = Participant(AccountID("ada"), name: "Ada", isWorking: true)
    private let here = #"{"t":"here","topic":"grid/C","at":["E7","L3"],"editing":true}"#

    /// A bench whose reader holds version 41 of the grid, and takes part in it as that person.
    private func present(_ participant: Participant) -> ReaderBench {
        var bench = ReaderBench.open()
        bench.subscribe(grid, .admitted(participant))
        bench.read(41)
        bench.flush()
        draw(&bench)
        _ = bench.take()
        return bench
    }

    private func draw(_ bench: inout ReaderBench) {
        bench.now = bench.now.advanced(by: PresenceBoard.pause)
        _ = bench.hub.drawPresence(at: bench.now)
        bench.wake()
    }

    @Test func `where a person is comes to those who work there, and goes with the connection`() {
        var bench = present(ada)
        bench.say(here)
        draw(&bench)
        let shown =
            #"{"t":"presence","topic":"grid/C","who":[{"n":1,"account":"ada","name":"Ada","at":["E7","L3"],"#
            + #""editing":true}],"more":0}"#
        #expect(bench.take() == [shown])
        bench.flush()
        bench.say(#"{"t":"unsub","topic":"grid/C"}"#)
        #expect(bench.hub.presence.take(grid, for: bench.reader.id) == nil)
        draw(&bench)
        #expect(bench.hub.presenceDue == nil)
        #expect(bench.take() == [#"{"t":"end","topic":"grid/C","why":"unsub"}"#])
    }

    @Test func `a person who only reads is named without a cell and is told nothing`() {
        var bench = present(Participant(AccountID("eve"), name: "Eve", isWorking: false))
        var table = SubscriberTable<SubscriberID>()
        _ = table.reserve()
        let other = table.reserve()
        bench.hub.presence.join(grid, other, as: ada)
        bench.say(here)
        draw(&bench)
        #expect(bench.take() == [])
        let message = bench.hub.presence.take(grid, for: other)
        #expect(message?.people.map(\.seat.place) == [nil])
        #expect(message?.people.map(\.seat.participant.name) == ["Eve"])
        #expect(message?.people.map(\.seat.isEditing) == [false])
    }

    @Test func `rows come before people, and a subscription that begins again is told of both`() {
        var bench = present(ada)
        bench.say(here)
        draw(&bench)
        bench.flush()
        _ = bench.take()
        bench.subscribe(grid)
        bench.read(41)
        let messages = bench.take()
        #expect(messages.count == 2)
        #expect(messages.first?.hasPrefix(#"{"t":"rows""#) == true)
        #expect(messages.last?.hasPrefix(#"{"t":"presence""#) == true)
    }

    @Test func `a revoked reader hears nothing and is gone`() {
        var bench = present(ada)
        bench.say(here)
        draw(&bench)
        bench.flush()
        _ = bench.take()
        bench.revoke(.topics([grid]))
        let asked = bench.requests
        // While the right is in question nothing counts and nothing is told.
        bench.say(#"{"t":"here","topic":"grid/C","at":["E8","L3"]}"#)
        draw(&bench)
        #expect(bench.take() == [])
        for request in asked { bench.tell(.authorised(request, .denied)) }
        #expect(bench.take() == [#"{"t":"end","topic":"grid/C","why":"revoked"}"#])
        bench.flush()
        bench.say(here)
        draw(&bench)
        #expect(bench.take() == [] && bench.hub.presence.sweptEmpty(at: bench.now))
    }

    @Test func `a role that was lowered takes the cell away, and what the others do`() {
        var bench = present(ada)
        bench.say(here)
        draw(&bench)
        bench.flush()
        _ = bench.take()
        bench.revoke(.topics([grid]))
        bench.answer(.admitted(Participant(AccountID("ada"), name: "Ada", isWorking: false)))
        draw(&bench)
        #expect(bench.take() == [])
    }

    @Test func `what cannot be read is refused, and what names nothing is dropped without an answer`() {
        var bench = present(ada)
        for text in [
            #"{"t":"here"}"#, #"{"t":"here","topic":"grid/C","at":["E7"]}"#,
            #"{"t":"here","topic":"grid/C","at":["E7","L3","x"]}"#, #"{"t":"here","topic":"grid/C","editing":1}"#,
            #"{"t":"here","topic":"grid/C","at":["E7","<b>"]}"#,
            #"{"t":"here","topic":"grid/C","at":["\#(String(repeating: "E", count: 65))","L3"]}"#,
        ] {
            bench.say(text)
            #expect(bench.take() == [#"{"t":"error","code":"bad_request","retry":false,"after":0}"#])
            bench.flush()
        }
        for topic in ["grid/D", "standing/R", "nothing", "<"] {
            bench.say(#"{"t":"here","topic":"\#(topic)"}"#)
            draw(&bench)
            #expect(bench.take() == [])
        }
    }

    @Test func `an event stream neither shows people nor is shown`() {
        var bench = ReaderBench()
        bench.tell(.request(ReaderBench.identity, [TopicRequest(grid)], time: nil))
        bench.answer(.admitted(ada))
        bench.read(41)
        bench.flush()
        _ = bench.take()
        var table = SubscriberTable<SubscriberID>()
        _ = table.reserve()
        let other = table.reserve()
        bench.hub.presence.join(grid, other, as: Participant(AccountID("bob"), name: "Bob", isWorking: true))
        bench.hub.presence.here(in: grid, other, at: nil, isEditing: false, now: bench.now)
        draw(&bench)
        #expect(bench.take() == [])
        #expect(bench.hub.presence.take(grid, for: other)?.people.map(\.seat.participant.name) == ["Bob"])
    }
}

extension PresenceBoard {
    /// Whether nothing is left of anyone.
    fileprivate func sweptEmpty(at now: Timestamp) -> Bool {
        var board = self
        board.sweep()
        _ = board.draw(at: now.advanced(by: Self.pause))
        return board.rooms.isEmpty
    }
}
