import Shared
import Testing

@testable import Live

@Suite struct LiveReaderTimeTests {
    private func pings(_ sent: [String]) -> [String] { sent.filter { $0.contains(#""t":"ping""#) } }

    @Test func `a ping comes every 25 seconds give or take a fifth, and needs a pong within 10`() {
        var bench = ReaderBench.open()
        var due = bench.reader.deadline ?? bench.now
        #expect((20_000_000...30_000_000).contains(due.microseconds))
        for number in 1...20 {
            bench.now = due
            bench.tell(.tick)
            #expect(pings(bench.take()) == [#"{"t":"ping","n":\#(number)}"#])
            #expect(bench.reader.deadline == due.adding(seconds: 10))
            bench.pass(.seconds(9))
            bench.say(#"{"t":"pong","n":\#(number)}"#)
            let next = bench.reader.deadline ?? due
            #expect((20_000_000...30_000_000).contains(next.microseconds - bench.now.microseconds))
            due = next
            bench.flush()
        }
    }

    @Test func `without pong the connection closes`() {
        var bench = ReaderBench.open()
        bench.pass(.seconds(30))
        bench.flush()
        bench.say(#"{"t":"pong","n":0}"#)
        bench.say(#"{"t":"pong","n":2}"#)
        #expect(bench.take().filter { $0.contains("bad_request") }.count == 2)
        bench.flush()
        bench.pass(.seconds(10))
        #expect(bench.take() == ["close 4004"])
    }

    @Test func `a ping says how fresh everything is, and stops saying more when the store is lost`() {
        var bench = ReaderBench.subscribed()
        bench.now = Timestamp(microseconds: 5_000_000)
        bench.sweep(41)
        bench.pass(.seconds(30))
        #expect(bench.take() == [#"{"t":"ping","n":1,"asOf":"1970-01-01T00:00:05.000Z"}"#])
        bench.flush()
        bench.say(#"{"t":"pong","n":1}"#)
        let batch = bench.hub.nextSweepBatch(at: bench.now)
        _ = bench.hub.finish(batch, nil)
        bench.pass(.seconds(30))
        #expect(bench.take() == [#"{"t":"ping","n":2,"asOf":"1970-01-01T00:00:05.000Z"}"#])
    }

    @Test func `while something newer is known and not sent, a ping says no more than before`() {
        var bench = ReaderBench.subscribed()
        bench.sweep(42)
        bench.pass(.seconds(30))
        #expect(bench.take() == [#"{"t":"ping","n":1}"#])
    }

    @Test func `the session's end closes with 4002, and auth moves it`() {
        var bench = ReaderBench.open()
        bench.say(#"{"t":"auth","token":"newer"}"#)
        #expect(bench.take() == ["authenticate newer"])
        let newer = LiveIdentity(
            account: AccountID("ada"), session: SessionID("s2"), expires: Timestamp(microseconds: 7_200_000_000))
        bench.tell(.authenticated(.identity(newer)))
        #expect(bench.take() == [#"{"t":"ok","of":"auth","exp":7200}"#])
        bench.flush()
        bench.now = ReaderBench.identity.expires
        bench.tell(.tick)
        #expect(!bench.take().contains("close 4002"))
        bench.flush()
        bench.revoke(.session(SessionID("s1")))
        #expect(bench.take() == [])
        bench.now = newer.expires
        bench.tell(.tick)
        #expect(bench.take() == ["close 4002"])
    }

    private static func idle(until seconds: Int64, _ session: String = "s1") -> LiveIdentity {
        LiveIdentity(
            account: AccountID("ada"), session: SessionID(session), expires: Timestamp(microseconds: 7_200_000_000),
            idleEnd: Timestamp(microseconds: seconds * 1_000_000))
    }

    @Test func `the session's idle end closes with 4002 unless requests have moved it`() {
        let (first, second) = (Self.idle(until: 15), Self.idle(until: 40))
        var bench = ReaderBench.open(identity: first)
        #expect(bench.reader.deadline == first.idleEnd)
        bench.pass(.seconds(15))
        #expect(bench.take() == ["confirm s1"])
        bench.tell(.tick)
        #expect(bench.take() == [])
        bench.tell(ReaderBench.confirmed(1, first, as: .identity(second)))
        #expect(bench.take() == [])
        #expect(bench.reader.identity == second)
        bench.flush()
        bench.now = second.idleEnd
        bench.tell(.tick)
        #expect(bench.take().contains("confirm s1"))
        bench.flush()
        bench.tell(ReaderBench.confirmed(2, second, as: .revoked))
        #expect(bench.take() == ["close 4002"])
        #expect(bench.hub.accounts.isEmpty)
    }

    @Test func `at the idle end an answer that says nothing, or none at all, closes with 1013`() {
        var bench = ReaderBench.open(identity: Self.idle(until: 10))
        bench.pass(.seconds(10))
        bench.tell(ReaderBench.confirmed(1, Self.idle(until: 10), as: .unavailable))
        #expect(bench.take() == ["confirm s1", "close 1013"])
        bench = ReaderBench.open(identity: Self.idle(until: 5))
        bench.pass(.seconds(5))
        #expect(bench.reader.deadline == bench.now.adding(seconds: 10))
        bench.pass(.seconds(10))
        #expect(bench.take() == ["confirm s1", "close 1013"])
    }

    @Test func `rights that change the ends of a session change those of its connections`() {
        var bench = ReaderBench.open()
        bench.revoke(.rights(of: AccountID("ada")))
        bench.tell(ReaderBench.confirmed(1, as: .identity(Self.idle(until: 15))))
        #expect(bench.reader.deadline == Timestamp(microseconds: 15_000_000))
        bench.revoke(.rights(of: AccountID("ada")))
        bench.now = Timestamp(microseconds: 15_000_000)
        bench.tell(ReaderBench.confirmed(2, as: .identity(Self.idle(until: 15))))
        #expect(bench.take() == ["confirm s1", "confirm s1", "close 4002"])
    }

    @Test func `a newer session is not closed by the answer about the older one's idle end`() {
        var bench = ReaderBench.open(identity: Self.idle(until: 10))
        bench.say(#"{"t":"auth","token":"x"}"#)
        bench.pass(.seconds(10))
        bench.tell(.authenticated(.identity(Self.idle(until: 30, "s2"))))
        bench.tell(ReaderBench.confirmed(1, Self.idle(until: 10), as: .revoked))
        #expect(bench.take() == ["authenticate x", "confirm s1", #"{"t":"ok","of":"auth","exp":7190}"#])
        #expect(bench.reader.identity == Self.idle(until: 30, "s2"))
    }

    private static let token = LiveIdentity(
        account: AccountID("ada"), credential: .token(APITokenID("t1")), expires: Timestamp(microseconds: 7_200_000_000)
    )

    @Test func `an API token's end closes with 4503, expired or not`() {
        var expired = ReaderBench.open(identity: Self.token)
        expired.now = Self.token.expires
        expired.tell(.tick)
        #expect(expired.take() == ["close 4503"])
        var ended = ReaderBench.open(identity: Self.token)
        ended.revoke(.token(APITokenID("t2")))
        #expect(ended.take() == [])
        ended.revoke(.token(APITokenID("t1")))
        #expect(ended.take() == ["close 4503"])
    }

    @Test(arguments: [
        Authentication.invalid, .revoked,
        .identity(
            LiveIdentity(
                account: AccountID("eve"), session: SessionID("s9"), expires: Timestamp(microseconds: 7_200_000_000))),
        // A token may read less than what the connection follows already.
        .identity(token),
    ])
    func `auth that is no good changes nothing`(answer: Authentication) {
        var bench = ReaderBench.open()
        bench.say(#"{"t":"auth","token":"x"}"#)
        bench.tell(.authenticated(answer))
        #expect(bench.take().suffix(1) == [#"{"t":"error","code":"unauthenticated","retry":false,"after":0}"#])
        #expect(bench.reader.identity == ReaderBench.identity)
    }

    @Test func `auth is asked again when a revocation came meanwhile, and given up in the end`() {
        var bench = ReaderBench.open()
        let newer = LiveIdentity(
            account: AccountID("ada"), session: SessionID("s2"), expires: Timestamp(microseconds: 7_200_000_000))
        bench.say(#"{"t":"auth","token":"x"}"#)
        bench.say(#"{"t":"auth","token":"y"}"#)
        #expect(
            bench.take() == ["authenticate x", #"{"t":"error","code":"limit","retry":false,"after":0}"#])
        bench.revoke(.session(SessionID("other")))
        bench.tell(.authenticated(.identity(newer)))
        #expect(bench.take() == ["confirm s2"])
        bench.revoke(.session(SessionID("other")))
        bench.tell(ReaderBench.confirmed(1, newer))
        #expect(bench.take() == ["confirm s2"])
        bench.revoke(.session(SessionID("other")))
        bench.tell(ReaderBench.confirmed(2, newer))
        #expect(bench.take() == [#"{"t":"error","code":"unavailable","retry":true,"after":2000}"#])
        #expect(bench.reader.identity == ReaderBench.identity)
    }

    @Test func `the answer about rights is not taken for the one about a newer session`() {
        var bench = ReaderBench.open()
        // A token of the session that is open already: both questions are about the same one.
        bench.say(#"{"t":"auth","token":"x"}"#)
        bench.revoke(.rights(of: AccountID("ada")))
        bench.tell(.authenticated(.identity(ReaderBench.identity)))
        #expect(bench.take() == ["authenticate x", "confirm s1", "confirm s1"])
        bench.tell(ReaderBench.confirmed(1))
        #expect(bench.take() == [])
        bench.tell(ReaderBench.confirmed(2))
        #expect(bench.take() == [#"{"t":"ok","of":"auth","exp":\#(ReaderBench.identity.seconds(after: bench.now))}"#])
    }

    @Test func `an answer about the session before is ignored`() {
        var bench = ReaderBench.open()
        let newer = LiveIdentity(
            account: AccountID("ada"), session: SessionID("s2"), expires: Timestamp(microseconds: 7_200_000_000))
        bench.revoke(.rights(of: AccountID("ada")))
        bench.say(#"{"t":"auth","token":"x"}"#)
        bench.tell(.authenticated(.identity(newer)))
        _ = bench.take()
        #expect(bench.reader.identity == newer)
        bench.tell(ReaderBench.confirmed(1, as: .revoked))
        #expect(bench.take() == [])
        #expect(bench.reader.identity == newer)
    }

    @Test func `a guest stays a guest`() {
        var bench = ReaderBench.open(identity: nil)
        bench.say(#"{"t":"auth","token":"x"}"#)
        #expect(bench.take() == [#"{"t":"error","code":"unauthenticated","retry":false,"after":0}"#])
    }

    @Test func `a connection lives twelve hours give or take a tenth`() {
        var limits = LiveLimits()
        limits.pingInterval = .seconds(1_000_000)
        var bench = ReaderBench.open(limits: limits, identity: nil)
        let end = bench.reader.deadline ?? bench.now
        #expect((38_880_000_000...47_520_000_000).contains(end.microseconds))
        bench.now = end
        bench.tell(.tick)
        #expect(bench.take() == ["close 4006"])
    }

    @Test func `a drain is announced and ends with 1012`() {
        var bench = ReaderBench.open()
        bench.tell(.drain(within: .seconds(20)))
        #expect(bench.take() == [#"{"t":"drain","within":20000}"#])
        bench.flush()
        bench.pass(.seconds(19))
        #expect(bench.take() == [])
        bench.pass(.seconds(1))
        #expect(bench.take() == ["close 1012"])
    }

    @Test func `a stranger is sent away by a drain`() {
        var bench = ReaderBench()
        bench.tell(.drain(within: .seconds(20)))
        #expect(bench.take() == ["close 1012"])
    }

    @Test func `a flood is answered once, dropped, and closed when it goes on`() {
        var bench = ReaderBench.open()
        for _ in 0..<299 { bench.say(#"{"t":"unsub","topic":"program/x"}"#) }
        bench.actions = []
        for _ in 0..<5 { bench.say(#"{"t":"unsub","topic":"program/x"}"#) }
        #expect(bench.take() == [#"{"t":"error","code":"rate_limited","retry":true,"after":50}"#])
        bench.flush()
        for _ in 0..<510 {
            bench.now = Timestamp(microseconds: bench.now.microseconds + 10_000)
            bench.say(#"{"t":"unsub","topic":"program/x"}"#)
            bench.flush()
        }
        #expect(bench.take().suffix(1) == ["close 4005"])
    }
}
