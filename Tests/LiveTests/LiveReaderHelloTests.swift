import Shared
import Testing

@testable import Live

@Suite struct LiveReaderHelloTests {
    @Test func `hello with a token is welcomed with the session's time`() {
        var bench = ReaderBench()
        bench.say(#"{"t":"hello","token":"secret","client":"web/1.0"}"#)
        #expect(bench.take() == ["authenticate secret"])
        bench.tell(.authenticated(.identity(ReaderBench.identity)))
        let welcome = bench.take()
        #expect(welcome.count == 1)
        #expect(welcome[0].hasPrefix(#"{"t":"welcome","conn":""#))
        #expect(welcome[0].hasSuffix(#"","exp":3600,"ping":25,"limits":{"subs":256,"bytes":16384}}"#))
    }

    @Test func `a guest's welcome has no end`() {
        var bench = ReaderBench()
        bench.say(#"{"t":"hello"}"#)
        #expect(bench.take() == ["authenticate guest"])
        bench.tell(.authenticated(.guest))
        let welcome = bench.take()
        #expect(welcome.count == 1 && !welcome[0].contains("exp"))
    }

    @Test func `a guest for whom there is no room is not welcomed`() {
        var bench = ReaderBench()
        bench.say(#"{"t":"hello"}"#)
        bench.tell(.authenticated(.tooManyConnections))
        #expect(bench.take() == ["authenticate guest", "close 4504"])
    }

    @Test func `a token of the upgrade is looked at again once revocations can reach the connection`() {
        var bench = ReaderBench(upgraded: ReaderBench.identity)
        bench.say(#"{"t":"hello"}"#)
        #expect(bench.take() == ["confirm s1"])
        bench.revoke(.session(SessionID("s1")))
        #expect(bench.take() == ["close 4503"])
        bench.tell(ReaderBench.confirmed(1))
        #expect(bench.take() == [])
    }

    @Test(arguments: [Authentication.identity(ReaderBench.identity), .invalid, .revoked])
    func `the answer to the newest question about the session alone opens`(older: Authentication) {
        var bench = ReaderBench(upgraded: ReaderBench.identity)
        bench.say(#"{"t":"hello"}"#)
        bench.revoke(.rights(of: AccountID("ada")))
        #expect(bench.take() == ["confirm s1", "confirm s1"])
        bench.tell(ReaderBench.confirmed(1, as: older))
        #expect(bench.take() == [])
        bench.tell(ReaderBench.confirmed(2))
        #expect(bench.take().count == 1)
        bench.tell(ReaderBench.confirmed(2))
        #expect(bench.take() == [])
    }

    @Test func `the newest answer opens, whichever comes first`() {
        var bench = ReaderBench(upgraded: ReaderBench.identity)
        bench.say(#"{"t":"hello"}"#)
        bench.revoke(.rights(of: AccountID("ada")))
        _ = bench.take()
        bench.tell(ReaderBench.confirmed(2))
        #expect(bench.take().count == 1)
        // What is heard of the same session afterwards still counts.
        bench.tell(ReaderBench.confirmed(1, as: .revoked))
        #expect(bench.take() == ["cut"])
    }

    @Test func `a revocation while the token is looked at has it looked at again`() {
        var bench = ReaderBench()
        bench.say(#"{"t":"hello","token":"t"}"#)
        bench.revoke(.session(SessionID("s1")))
        bench.tell(.authenticated(.identity(ReaderBench.identity)))
        #expect(bench.take() == ["authenticate t", "confirm s1"])
        bench.tell(ReaderBench.confirmed(1, as: .invalid))
        #expect(bench.take() == ["close 4501"])
        #expect(bench.hub.accounts.isEmpty && bench.hub.credentials.isEmpty)
    }

    @Test(arguments: [
        (Authentication.invalid, "close 4501"), (.revoked, "close 4503"), (.tooManyConnections, "close 4504"),
        (.unavailable, "close 1013"),
    ])
    func `a token that is no good closes without welcome`(answer: Authentication, close: String) {
        var bench = ReaderBench()
        bench.say(#"{"t":"hello","token":"t"}"#)
        bench.tell(.authenticated(answer))
        #expect(bench.take() == ["authenticate t", close])
    }

    @Test func `a session that has just ended is expired`() {
        var bench = ReaderBench()
        bench.say(#"{"t":"hello","token":"t"}"#)
        bench.now = ReaderBench.identity.expires
        bench.tell(.authenticated(.identity(ReaderBench.identity)))
        #expect(bench.take() == ["authenticate t", "close 4002"])
    }

    @Test(arguments: [
        #"{"t":"sub","topic":"standing/R"}"#, "garbage", #"{"t":"hello","token":7}"#, "[]", #"{"t":"pong","n":1}"#,
    ])
    func `a first message that is no hello is a protocol error`(text: String) {
        var bench = ReaderBench()
        bench.say(text)
        #expect(bench.take() == ["close 4500"])
    }

    @Test func `a first message above 4 KiB is too big`() {
        var bench = ReaderBench()
        bench.say(#"{"t":"hello","client":"\#(String(repeating: "x", count: 4_096))"}"#)
        #expect(bench.take() == ["close 1009"])
    }

    @Test func `without hello the connection closes after five seconds`() {
        var bench = ReaderBench()
        #expect(bench.reader.deadline == bench.now.adding(seconds: 5))
        bench.pass(.milliseconds(4_999))
        #expect(bench.take() == [])
        bench.pass(.milliseconds(1))
        #expect(bench.take() == ["close 4001"])
        #expect(bench.reader.deadline == nil)
    }

    @Test func `an authority that does not answer is an overload`() {
        var bench = ReaderBench()
        bench.say(#"{"t":"hello","token":"t"}"#)
        bench.pass(.seconds(10))
        #expect(bench.take() == ["authenticate t", "close 1013"])
    }

    @Test func `what comes behind hello is handled in order after welcome`() {
        var bench = ReaderBench()
        bench.say(#"{"t":"hello","token":"t"}"#)
        bench.say(#"{"t":"sub","topic":"standing/R"}"#)
        bench.say("garbage")
        bench.say(#"{"t":"unsub","topic":"standing/Q"}"#)
        #expect(bench.take() == ["authenticate t"])
        bench.tell(.authenticated(.identity(ReaderBench.identity)))
        let sent = bench.take()
        #expect(sent.count == 4 && sent[0].contains("welcome"))
        #expect(
            sent.dropFirst() == [
                "authorise standing/R", #"{"t":"error","code":"bad_request","retry":false,"after":0}"#,
                #"{"t":"end","topic":"standing/Q","why":"unsub"}"#,
            ])
    }

    @Test func `what a stranger may have kept is bounded`() {
        var bench = ReaderBench()
        bench.say(#"{"t":"hello","token":"t"}"#)
        let message = String(repeating: " ", count: 16_000) + #"{"t":"pong","n":1}"#
        for _ in 0..<4 { bench.say(message) }
        #expect(bench.take() == ["authenticate t"])
        bench.say(message)
        #expect(bench.take() == [#"{"t":"error","code":"rate_limited","retry":true,"after":1000}"#])
    }

    @Test func `a second hello is a protocol error, also one queued behind the first`() {
        var bench = ReaderBench.open()
        bench.say(#"{"t":"hello"}"#)
        #expect(bench.take() == ["close 4500"])

        bench = ReaderBench()
        bench.say(#"{"t":"hello","token":"t"}"#)
        bench.say(#"{"t":"hello","token":"t"}"#)
        bench.say(#"{"t":"sub","topic":"standing/R"}"#)
        bench.tell(.authenticated(.identity(ReaderBench.identity)))
        #expect(bench.take().suffix(1) == ["close 4500"])
    }

    @Test func `binary is not spoken here`() {
        var bench = ReaderBench()
        bench.tell(.binary)
        #expect(bench.take() == ["close 1003"])
    }
}
