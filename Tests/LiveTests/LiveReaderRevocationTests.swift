import Shared
import Testing

@testable import Live

@Suite struct LiveReaderRevocationTests {
    private let ada = AccountID("ada")

    @Test(arguments: [
        Revocation.session(SessionID("s1")), .account(AccountID("ada"), except: nil),
        .account(AccountID("ada"), except: SessionID("s2")),
    ])
    func `the end of the session closes its connections`(revocation: Revocation) {
        var bench = ReaderBench.subscribed()
        bench.revoke(revocation)
        bench.publish(42)
        #expect(bench.take() == ["close 4503"])
        #expect(bench.hub.topicCount == 0 && bench.hub.accounts.isEmpty)
    }

    @Test(arguments: [
        Revocation.session(SessionID("s2")), .account(AccountID("bob"), except: nil),
        .account(AccountID("ada"), except: SessionID("s1")), .rights(of: AccountID("bob")),
        .topics([.program(ProgramID("P"))]),
    ])
    func `what concerns others is not noticed`(revocation: Revocation) {
        var bench = ReaderBench.subscribed()
        bench.revoke(revocation)
        bench.publish(42)
        #expect(bench.take().count == 1)
    }

    @Test(arguments: [Revocation.rights(of: AccountID("ada")), .topics([ReaderBench.standing]), .everything])
    func `a right in question silences until it is answered`(revocation: Revocation) {
        var bench = ReaderBench.subscribed()
        bench.revoke(revocation)
        let requests = bench.requests
        #expect(requests.map(\.topic) == [ReaderBench.standing])
        bench.publish(42)
        #expect(bench.take() == [])
        bench.tell(.authorised(requests[0], .granted))
        #expect(bench.take() == [#"{"t":"state","topic":"standing/R","e":"k3","v":42,"doc":{"v":"k3.42"}}"#])

        bench.flush()
        bench.revoke(revocation)
        bench.publish(43)
        for request in bench.requests { bench.tell(.authorised(request, .denied)) }
        #expect(bench.take() == [#"{"t":"end","topic":"standing/R","why":"revoked"}"#])
    }

    @Test func `a second revocation voids the answer to the first question`() {
        var bench = ReaderBench.subscribed()
        bench.revoke(.rights(of: ada))
        let first = bench.requests
        bench.revoke(.rights(of: ada))
        let second = bench.requests
        bench.publish(42)
        bench.tell(.authorised(first[0], .granted))
        #expect(bench.take() == [])
        bench.tell(.authorised(second[0], .denied))
        #expect(bench.take() == [#"{"t":"end","topic":"standing/R","why":"revoked"}"#])
    }

    @Test func `a revocation reaches a subscription that is still being asked about`() {
        var bench = ReaderBench.open()
        bench.say(#"{"t":"sub","topic":"standing/R"}"#)
        let first = bench.requests
        bench.revoke(.topics([ReaderBench.standing]))
        let second = bench.requests
        bench.tell(.authorised(first[0], .granted))
        bench.read(41)
        #expect(bench.take() == [])
        bench.tell(.authorised(second[0], .denied))
        #expect(bench.take() == [#"{"t":"error","topic":"standing/R","code":"forbidden","retry":false,"after":0}"#])
    }

    @Test func `an account that may do nothing any more is shown out`() {
        var bench = ReaderBench.subscribed()
        bench.revoke(.rights(of: ada))
        #expect(bench.take() == ["confirm s1", "authorise standing/R"])
        bench.tell(ReaderBench.confirmed(1, as: .revoked))
        #expect(bench.take() == ["close 4503"])
    }

    @Test func `nobody can tell any more fails closed`() {
        var bench = ReaderBench.subscribed()
        bench.revoke(.rights(of: ada))
        for request in bench.requests { bench.tell(.authorised(request, .unavailable)) }
        #expect(bench.take() == [#"{"t":"end","topic":"standing/R","why":"reset"}"#])
    }

    @Test(arguments: [
        Revocation.rights(of: AccountID("ada")), .topics([ReaderBench.standing]),
        .session(SessionID("s1")),
    ])
    func `what lies unwritten is cut off with the connection`(revocation: Revocation) {
        var bench = ReaderBench.subscribed()
        bench.publish(42)
        bench.actions = []
        bench.revoke(revocation)
        #expect(bench.take() == ["cut"])

        // Also when the subscription, or the whole session, ended behind it.
        bench = ReaderBench.subscribed()
        bench.publish(42)
        bench.say(#"{"t":"unsub","topic":"standing/R"}"#)
        bench.actions = []
        bench.revoke(revocation)
        #expect(bench.take() == ["cut"])

        bench = ReaderBench.subscribed()
        bench.publish(42)
        bench.say(#"{"t":"hello"}"#)
        bench.actions = []
        bench.revoke(revocation)
        #expect(bench.take() == ["cut"])
        #expect(bench.hub.topicCount == 0 && bench.hub.accounts.isEmpty)
    }
}
