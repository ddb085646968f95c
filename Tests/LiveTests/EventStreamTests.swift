import Shared
import Testing

@testable import Live

@Suite struct EventStreamTests {
    /// The conversation of a request for an event stream, the outside answered by the test.
    struct Bench {
        var bench = ReaderBench()
        var events: EventStream
        private var isAccepted = false

        init(_ topics: [Topic], lastEventID: String? = nil) {
            events = EventStream(topics, lastEventID: lastEventID)
            bench.tell(.request(ReaderBench.identity, events.topics, time: nil))
        }

        /// Everything written, as text, and what else becomes of the response.
        mutating func written() -> String {
            defer { bench.actions = [] }
            return bench.actions.map { text(of: $0) }.joined()
        }

        private mutating func text(of action: ReaderAction) -> String {
            switch action {
            case .accept:
                isAccepted = true
                return "<accept>"
            case .send(.failed(let code, _, _)) where !isAccepted: return "<refuse \(code.rawValue)>"
            case .send(let message):
                let event = events.id(of: message) + EventStream.data(message.text(bench.hub.limits))
                return String(decoding: event, as: UTF8.self) + (events.isOver ? "<over>" : "")
            case .close(let code): return isAccepted ? "<end>" : "<refuse \(code.refusal.rawValue)>"
            case .cut: return "<cut>"
            case .authenticate, .confirm, .authorise: return ""
            }
        }
    }

    private let topic = Topic.standing(RecordID("R"), .released)
    private let other = Topic.program(ProgramID("P"))

    @Test func `a stream begins when everything may be read and carries states with their place in time`() {
        var bench = Bench([topic])
        bench.bench.answer(.granted)
        #expect(bench.written() == "<accept>")
        bench.bench.read(44)
        let state = #"{"t":"state","topic":"standing/R","e":"k3","v":44,"doc":{"v":"k3.44"}}"#
        #expect(bench.written() == "id: k3.44\ndata: \(state)\n\n")
    }

    @Test func `a stream goes on where it ended`() {
        var bench = Bench([topic], lastEventID: "k3.44")
        bench.bench.answer(.granted)
        bench.bench.read(44)
        let state = #"{"t":"state","topic":"standing/R","e":"k3","v":44}"#
        #expect(bench.written() == "<accept>id: k3.44\ndata: \(state)\n\n")
    }

    @Test func `several topics have their places side by side`() {
        var bench = Bench([topic, other], lastEventID: "k3.7,-")
        bench.bench.answer(.granted)
        _ = bench.written()
        bench.bench.publish(8, topic)
        #expect(bench.written().hasPrefix("id: k3.8,-\n"))
        bench.bench.tell(.flushed)
        bench.bench.publish(3, other)
        #expect(bench.written().hasPrefix("id: k3.8,k3.3\n"))
    }

    @Test(arguments: ["", "k3", "k3.44,k3.1", "-1", "k3.44\u{0}"])
    func `a last event id that cannot be read counts as none`(id: String) {
        var bench = Bench([topic], lastEventID: id)
        bench.bench.answer(.granted)
        _ = bench.written()
        bench.bench.read(44)
        #expect(bench.written().contains("doc"))
    }

    @Test(arguments: [(Permission.denied, LiveErrorCode.forbidden), (.unavailable, .unavailable)])
    func `one topic that may not be read refuses the whole`(permission: Permission, code: LiveErrorCode) {
        var bench = Bench([topic, other])
        let requests = bench.bench.requests
        bench.bench.tell(.authorised(requests[0], .granted))
        bench.bench.tell(.authorised(requests[1], permission))
        #expect(bench.written() == "<refuse \(code.rawValue)>")
        #expect(bench.bench.hub.topicCount == 0 && bench.bench.hub.accounts.isEmpty)
    }

    @Test func `a slow reader skips versions`() {
        var bench = Bench([topic])
        bench.bench.answer(.granted)
        _ = bench.written()
        for version in 1...100 { bench.bench.publish(version, topic) }
        #expect(bench.written().hasPrefix("id: k3.1\n"))
        bench.bench.tell(.flushed)
        #expect(bench.written().hasPrefix("id: k3.100\n"))
    }

    @Test func `a revocation ends the stream, or what it may not read any more`() {
        var bench = Bench([topic])
        bench.bench.answer(.granted)
        _ = bench.written()
        bench.bench.revoke(.session(SessionID("s1")))
        #expect(bench.written() == "<end>")

        bench = Bench([topic])
        bench.bench.answer(.granted)
        bench.bench.publish(1, topic)
        _ = bench.written()
        bench.bench.revoke(.rights(of: AccountID("ada")))
        #expect(bench.written() == "<cut>")

        bench = Bench([topic])
        bench.bench.answer(.granted)
        _ = bench.written()
        bench.bench.revoke(.topics([topic]))
        bench.bench.publish(1, topic)
        bench.bench.answer(.denied)
        let end = #"{"t":"end","topic":"standing/R","why":"revoked"}"#
        #expect(bench.written() == "data: \(end)\n\n<over>")

        bench = Bench([topic])
        bench.bench.revoke(.session(SessionID("s1")))
        #expect(bench.written() == "<refuse unauthenticated>")
    }

    @Test func `pings are sent, and the stream ends with the session or a drain`() {
        var bench = Bench([topic])
        bench.bench.answer(.granted)
        _ = bench.written()
        bench.bench.now = bench.bench.reader.deadline ?? bench.bench.now
        bench.bench.tell(.tick)
        #expect(bench.written() == "data: {\"t\":\"ping\"}\n\n")
        bench.bench.tell(.flushed)
        bench.bench.tell(.drain(within: .seconds(20)))
        bench.bench.now = bench.bench.now.adding(seconds: 20)
        bench.bench.tell(.tick)
        #expect(bench.written() == "<end>")

        bench = Bench([topic])
        bench.bench.answer(.granted)
        _ = bench.written()
        bench.bench.now = ReaderBench.identity.expires
        bench.bench.tell(.tick)
        #expect(bench.written() == "<end>")
        #expect(bench.bench.reader.deadline == nil)
    }
}
