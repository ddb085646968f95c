import Shared
import Testing

@testable import Live

@Suite struct LiveReaderTests {
    private let full = #"{"t":"state","topic":"standing/R","e":"k3","v":41,"doc":{"v":"k3.41"}}"#
    private let current = #"{"t":"state","topic":"standing/R","e":"k3","v":41}"#
    private let forbidden = #"{"t":"error","topic":"standing/R","code":"forbidden","retry":false,"after":0}"#

    // MARK: Subscribing

    @Test func `a subscription is answered with the whole document`() {
        var bench = ReaderBench.open()
        bench.subscribe()
        #expect(bench.take() == [])
        bench.read(41)
        #expect(bench.take() == [full])
    }

    @Test func `what is current costs no document`() {
        var bench = ReaderBench.open()
        bench.subscribe(have: #"{"e":"k3","v":41}"#)
        let requests = bench.hub.takeReads()
        #expect(requests.map(\.kind) == [.version])
        bench.hub.finish(requests[0], .version(Revision(epoch: Epoch("k3"), version: 41)))
        bench.wake()
        #expect(bench.take() == [current])
        #expect(!bench.hub.wantsReads)
    }

    @Test(arguments: [#"{"e":"k3","v":40}"#, #"{"e":"j2","v":41}"#, #"{"e":"j2","v":99}"#])
    func `who holds less, or of another epoch, gets the document`(have: String) {
        var bench = ReaderBench.open()
        bench.subscribe(have: have)
        bench.read(41)
        #expect(bench.take() == [full])
    }

    @Test func `who holds more is answered after a fresh read, and told to begin anew if that shows no more`() {
        var bench = ReaderBench.subscribed()
        bench.subscribe(have: #"{"e":"k3","v":50}"#)
        #expect(bench.take() == [])
        #expect(bench.hub.wantsReads)
        bench.read(41)
        #expect(bench.take() == [#"{"t":"end","topic":"standing/R","why":"reset"}"#])

        bench = ReaderBench.subscribed()
        bench.subscribe(have: #"{"e":"k3","v":50}"#)
        bench.publish(43)
        #expect(bench.take() == [])
        bench.read(50)
        #expect(bench.take() == [#"{"t":"state","topic":"standing/R","e":"k3","v":50}"#])
    }

    @Test func `a subscription made twice is answered afresh and counts once`() {
        var bench = ReaderBench.subscribed()
        bench.subscribe()
        #expect(bench.take() == [full])
        bench.flush()
        bench.subscribe(have: #"{"e":"k3","v":41}"#)
        #expect(bench.take() == [current])
        #expect(bench.reader.subscriptionCount == 1)
    }

    @Test func `a denied topic and an unknown one are answered alike`() {
        var bench = ReaderBench.open()
        bench.subscribe(.standing(RecordID("R"), .released), .denied)
        #expect(bench.take() == [forbidden])
        bench.say(#"{"t":"sub","topic":"nothing/R"}"#)
        #expect(bench.take() == [forbidden.replacing("standing/R", with: "nothing/R")])
        bench.flush()
        #expect(bench.hub.topicCount == 0)
    }

    @Test(arguments: ["standing/é", "", "a b"])
    func `a malformed topic is a bad request`(topic: String) {
        var bench = ReaderBench.open()
        bench.say(#"{"t":"sub","topic":"\#(topic)"}"#)
        #expect(bench.take() == [#"{"t":"error","topic":"\#(topic)","code":"bad_request","retry":false,"after":0}"#])
        bench.say(#"{"t":"sub","topic":"standing/R","have":{"e":"k3","v":"41"}}"#)
        #expect(bench.take() == [#"{"t":"error","code":"bad_request","retry":false,"after":0}"#])
    }

    @Test func `nobody can tell is unavailable, for permission and for document`() {
        let unavailable = #"{"t":"error","topic":"standing/R","code":"unavailable","retry":true,"after":2000}"#
        var bench = ReaderBench.open()
        bench.subscribe(ReaderBench.standing, .unavailable)
        #expect(bench.take() == [unavailable])
        bench.flush()
        bench.subscribe()
        for request in bench.hub.takeReads() { bench.hub.finish(request, .failed) }
        bench.wake()
        #expect(bench.take() == [unavailable])
    }

    @Test func `there is a limit of topics, and one that is there already does not count`() {
        var limits = LiveLimits()
        limits.topics = 2
        var bench = ReaderBench.open(limits: limits)
        bench.subscribe(.program(ProgramID("a")))
        bench.subscribe(.program(ProgramID("b")))
        bench.say(#"{"t":"sub","topic":"program/c"}"#)
        #expect(bench.take() == [#"{"t":"error","topic":"program/c","code":"limit","retry":false,"after":0}"#])
        bench.subscribe(.program(ProgramID("b")))
        #expect(bench.take() == [])
    }

    @Test func `an unsubscribed topic is silent, and leaving twice is harmless`() {
        var bench = ReaderBench.subscribed()
        let end = #"{"t":"end","topic":"standing/R","why":"unsub"}"#
        bench.say(#"{"t":"unsub","topic":"standing/R"}"#)
        bench.say(#"{"t":"unsub","topic":"standing/R"}"#)
        bench.flush()
        bench.publish(42)
        #expect(bench.take() == [end, end])
        #expect(bench.hub.topicCount == 0)
    }

    @Test func `an answer to an older question is void`() {
        var bench = ReaderBench.open()
        bench.say(#"{"t":"sub","topic":"standing/R"}"#)
        let first = bench.requests
        bench.say(#"{"t":"unsub","topic":"standing/R"}"#)
        bench.say(#"{"t":"sub","topic":"standing/R"}"#)
        let second = bench.requests
        bench.flush()
        bench.actions = []
        bench.tell(.authorised(first[0], .granted))
        bench.read(41)
        #expect(bench.take() == [])
        bench.tell(.authorised(second[0], .denied))
        #expect(bench.take() == [forbidden])
    }

    // MARK: Updates

    @Test func `versions rise, and what came meanwhile is skipped`() {
        var bench = ReaderBench.subscribed()
        bench.publish(42)
        bench.publish(43)
        bench.publish(44)
        #expect(bench.take() == [full.replacing("41", with: "42")])
        bench.flush()
        #expect(bench.take() == [full.replacing("41", with: "44")])
        bench.publish(43)
        bench.publish(44)
        bench.flush()
        #expect(bench.take() == [])
    }

    @Test func `a new epoch wins although its version is lower`() {
        var bench = ReaderBench.subscribed()
        let batch = bench.hub.nextSweepBatch(at: bench.now)
        _ = bench.hub.finish(batch, TopicVersions(epoch: Epoch("m7"), versions: [39]))
        bench.wake()
        bench.read(39, epoch: "m7")
        #expect(bench.take() == [full.replacing("k3", with: "m7").replacing("41", with: "39")])
    }

    @Test func `topics take turns`() {
        var bench = ReaderBench.open()
        let topics = ["a", "b", "c"].map { Topic.program(ProgramID($0)) }
        for topic in topics { bench.subscribe(topic) }
        bench.read(1)
        bench.flush()
        bench.actions = []
        bench.publish(2, topics[1])
        for version in 2...9 { bench.publish(version, topics[0]) }
        bench.publish(2, topics[2])
        bench.flush()
        #expect(bench.take().map { String($0.dropFirst(22).prefix(9)) } == ["program/b", "program/a", "program/c"])
    }

    @Test func `a reader that takes nothing is owed one document a topic, whatever happens`() {
        var bench = ReaderBench.subscribed()
        for version in 42...10_000 { bench.publish(version) }
        #expect(bench.take().count == 1)
        bench.flush()
        #expect(bench.take() == [full.replacing("41", with: "10000")])
    }

    @Test func `only so much is handed out before it is written`() {
        var limits = LiveLimits()
        limits.documentBytes = 100
        var bench = ReaderBench.open(limits: limits)
        for topic in 0..<9 { bench.subscribe(.program(ProgramID("\(topic)"))) }
        bench.read(1)
        bench.flush()
        bench.actions = []
        for topic in 0..<9 { bench.publish(2, .program(ProgramID("\(topic)"))) }
        bench.flush()
        #expect(bench.take().count <= 4)
        for _ in 0..<9 { bench.flush() }
        #expect(bench.take().count >= 5)
    }

    @Test func `a document above the limit is a reference`() {
        var limits = LiveLimits()
        limits.documentBytes = 12
        var bench = ReaderBench.open(limits: limits)
        bench.subscribe()
        bench.read(41)
        #expect(
            bench.take() == [#"{"t":"state","topic":"standing/R","e":"k3","v":41,"href":"/standing/R"}"#])
    }

    @Test func `a deleted document ends the subscription`() {
        var bench = ReaderBench.subscribed()
        let revision = Revision(epoch: Epoch("k3"), version: 41)
        bench.hub.publish(TopicUpdate(topic: ReaderBench.standing, revision: revision, change: .deleted))
        bench.wake()
        #expect(bench.take() == [#"{"t":"end","topic":"standing/R","why":"gone"}"#])
        bench.flush()
        #expect(bench.hub.topicCount == 0)

        bench = ReaderBench.subscribed()
        bench.sweep(nil)
        bench.read(nil)
        #expect(bench.take() == [#"{"t":"end","topic":"standing/R","why":"gone"}"#])
    }

    // MARK: The end

    @Test func `leaving leaves nothing behind`() {
        var bench = ReaderBench.subscribed()
        bench.publish(42)
        bench.tell(.closed)
        #expect(bench.hub.topicCount == 0)
        #expect(bench.hub.accounts.isEmpty)
        #expect(bench.reader.deadline == nil)
        bench.actions = []
        bench.say(#"{"t":"sub","topic":"standing/R"}"#)
        bench.flush()
        #expect(bench.take() == [])
    }
}
