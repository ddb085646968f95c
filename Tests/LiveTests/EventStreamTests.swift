import Shared
import Testing

@testable import Live

@Suite struct EventStreamTests {
    /// A stream or a waiter with its hub, the outside answered by the test.
    struct Bench {
        var hub = Hub(epoch: Epoch("k3"), seed: 3)
        var now = Timestamp(microseconds: 0)
        var stream: EventStream
        var actions: [ReaderAction] = []

        init(_ topics: [Topic], lastEventID: String? = nil, identity: LiveIdentity? = SessionBench.identity) {
            var table = SubscriberTable<SubscriberID>()
            stream = EventStream(
                table.reserve(), for: identity, topics: topics, lastEventID: lastEventID, at: now)
            tell(.begin)
        }

        mutating func tell(_ event: ReaderEvent) { stream.handle(event, at: now, in: &hub, do: &actions) }

        mutating func answer(_ permission: Permission = .granted) {
            for case .authorise(let request) in take() { tell(.authorised(request, permission)) }
        }

        mutating func take() -> [ReaderAction] {
            defer { actions = [] }
            return actions
        }

        mutating func read(_ version: Version) {
            while hub.wantsReads {
                for request in hub.takeReads() {
                    let revision = Revision(epoch: Epoch("k3"), version: version)
                    let document = LiveDocument(revision: revision, bytes: SessionBench.body(revision))
                    hub.finish(request, request.kind == .version ? .version(revision) : .document(document))
                }
                wake()
            }
        }

        mutating func publish(_ version: Version, _ topic: Topic) {
            let revision = Revision(epoch: Epoch("k3"), version: version)
            hub.publish(
                TopicUpdate(topic: topic, revision: revision, change: .document { SessionBench.body(revision) }))
            wake()
        }

        mutating func wake() {
            while let wake = hub.nextWake() { tell(.changed(wake.channel)) }
        }

        mutating func revoke(_ revocation: Revocation) {
            for _ in hub.revoke(revocation) { tell(.revoked(revocation)) }
        }

        /// Everything written, as text.
        mutating func written() -> String {
            take().map { action in
                if case .send(let bytes) = action { String(decoding: bytes, as: UTF8.self) } else { "<\(action)>" }
            }.joined()
        }
    }

    private let topic = Topic.standing(RecordID("R"), .released)
    private let other = Topic.program(ProgramID("P"))

    @Test func `a stream begins when everything may be read and carries states with their place in time`() {
        var bench = Bench([topic])
        bench.answer()
        #expect(bench.written() == "<accept>")
        bench.read(44)
        let state = #"{"t":"state","topic":"standing/R","e":"k3","v":44,"doc":{"v":"k3.44"}}"#
        #expect(bench.written() == "id: k3.44\ndata: \(state)\n\n")
    }

    @Test func `a stream goes on where it ended`() {
        var bench = Bench([topic], lastEventID: "k3.44")
        bench.answer()
        bench.read(44)
        let state = #"{"t":"state","topic":"standing/R","e":"k3","v":44}"#
        #expect(bench.written() == "<accept>id: k3.44\ndata: \(state)\n\n")
    }

    @Test func `several topics have their places side by side`() {
        var bench = Bench([topic, other], lastEventID: "k3.7,-")
        bench.answer()
        bench.actions = []
        bench.publish(8, topic)
        #expect(bench.written().hasPrefix("id: k3.8,-\n"))
        bench.tell(.flushed)
        bench.publish(3, other)
        #expect(bench.written().hasPrefix("id: k3.8,k3.3\n"))
    }

    @Test(arguments: ["", "k3", "k3.44,k3.1", "-1", "k3.44\u{0}"])
    func `a last event id that cannot be read counts as none`(id: String) {
        var bench = Bench([topic], lastEventID: id)
        bench.answer()
        bench.actions = []
        bench.read(44)
        #expect(bench.written().contains("doc"))
    }

    @Test(arguments: [(Permission.denied, LiveErrorCode.forbidden), (.unavailable, .unavailable)])
    func `one topic that may not be read refuses the whole`(permission: Permission, code: LiveErrorCode) {
        var bench = Bench([topic, other])
        let requests = bench.take()
        guard case .authorise(let first) = requests[0], case .authorise(let second) = requests[1] else { return }
        bench.tell(.authorised(first, .granted))
        bench.tell(.authorised(second, permission))
        #expect(bench.written() == "<refuse(Live.LiveErrorCode.\(code))>")
        #expect(bench.hub.topicCount == 0 && bench.hub.accounts.isEmpty)
    }

    @Test func `a slow reader skips versions`() {
        var bench = Bench([topic])
        bench.answer()
        bench.actions = []
        for version in 1...100 { bench.publish(version, topic) }
        #expect(bench.written().hasPrefix("id: k3.1\n"))
        bench.tell(.flushed)
        #expect(bench.written().hasPrefix("id: k3.100\n"))
    }

    @Test func `a revocation ends the stream, or what it may not read any more`() {
        var bench = Bench([topic])
        bench.answer()
        bench.actions = []
        bench.revoke(.session(SessionID("s1")))
        #expect(bench.written() == "<finish>")

        bench = Bench([topic])
        bench.answer()
        bench.publish(1, topic)
        bench.actions = []
        bench.revoke(.rights(of: AccountID("ada")))
        #expect(bench.written() == "<cut>")

        bench = Bench([topic])
        bench.answer()
        bench.actions = []
        bench.revoke(.topics([topic]))
        bench.publish(1, topic)
        bench.answer(.denied)
        let end = #"{"t":"end","topic":"standing/R","why":"revoked"}"#
        #expect(bench.written() == "data: \(end)\n\n<finish>")

        bench = Bench([topic])
        bench.revoke(.session(SessionID("s1")))
        #expect(bench.take().suffix(1).map { "\($0)" } == ["refuse(Live.LiveErrorCode.unauthenticated)"])
    }

    @Test func `pings are sent, and the stream ends with the session or a drain`() {
        var bench = Bench([topic])
        bench.answer()
        bench.actions = []
        bench.now = bench.stream.deadline ?? bench.now
        bench.tell(.tick)
        #expect(bench.written() == "data: {\"t\":\"ping\"}\n\n")
        bench.tell(.flushed)
        bench.tell(.drain(within: .seconds(20)))
        bench.now = bench.now.adding(seconds: 20)
        bench.tell(.tick)
        #expect(bench.written() == "<finish>")

        bench = Bench([topic])
        bench.answer()
        bench.actions = []
        bench.now = SessionBench.identity.expires
        bench.tell(.tick)
        #expect(bench.written() == "<finish>")
        #expect(bench.stream.deadline == nil)
    }
}
