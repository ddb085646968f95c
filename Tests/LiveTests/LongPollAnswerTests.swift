import Shared
import Testing

@testable import Live

@Suite struct LongPollAnswerTests {
    /// The conversation of a request that waits for 25 seconds, the outside answered by the test.
    private struct Bench {
        var bench = ReaderBench()
        /// What the request is answered with.
        private(set) var outcome: [String] = []

        init(have: String?, permission: Permission = .granted) {
            let topic = TopicRequest(ReaderBench.standing, have: have.flatMap { Revision(text: $0) })
            bench.tell(.request(ReaderBench.identity, [topic], time: .seconds(25)))
            answer(permission)
        }

        mutating func answer(_ permission: Permission) {
            bench.answer(permission)
            listen()
        }

        mutating func tell(_ event: ReaderEvent) {
            bench.tell(event)
            listen()
        }

        mutating func read(_ version: Version) {
            bench.read(version)
            listen()
            answer(.granted)
            bench.read(version)
            listen()
        }

        mutating func publish(_ version: Version) {
            bench.publish(version)
            listen()
        }

        mutating func revoke(_ revocation: Revocation) {
            bench.revoke(revocation)
            listen()
        }

        /// Does with what the reader wants what a request does.
        private mutating func listen() {
            while let index = bench.actions.firstIndex(where: Self.isForTheClient) {
                switch bench.actions.remove(at: index) {
                case .send(let message): hear(message)
                case .close(let code): end(LongPollAnswer(code))
                default: break
                }
            }
        }

        private static func isForTheClient(_ action: ReaderAction) -> Bool {
            switch action {
            case .send, .accept, .close, .cut: true
            case .authenticate, .confirm, .authorise: false
            }
        }

        private mutating func hear(_ message: ServerMessage) {
            if let answer = LongPollAnswer(message) { return end(answer) }
            if case .ended(let topic, _) = message { bench.tell(.text(LongPollAnswer.asksAgain(for: topic))) }
            bench.flush()
        }

        private mutating func end(_ answer: LongPollAnswer) {
            bench.tell(.closed)
            switch answer {
            case .document(let document): outcome.append("answer \(document.revision)")
            case .rows(let rows, let since): outcome.append("rows \(since) to \(rows.revision)")
            case .unchanged: outcome.append("unchanged")
            case .refused(let code): outcome.append("refuse \(code.rawValue)")
            }
        }
    }

    @Test(arguments: [nil, "k3.43", "j2.44", "k3.50"])
    func `what differs from what the client has is answered at once`(have: String?) {
        var bench = Bench(have: have)
        bench.read(44)
        #expect(bench.outcome == ["answer k3.44"])
        #expect(bench.bench.hub.topicCount == 0)
    }

    @Test func `what is current is waited for`() {
        var bench = Bench(have: "k3.44")
        bench.read(44)
        #expect(bench.outcome == [])
        bench.publish(45)
        #expect(bench.outcome == ["answer k3.45"])
    }

    @Test func `a wait has an end`() {
        var bench = Bench(have: "k3.44")
        bench.read(44)
        bench.bench.now = Timestamp(microseconds: 25_000_000)
        #expect(bench.bench.reader.deadline == bench.bench.now)
        bench.tell(.tick)
        bench.publish(45)
        #expect(bench.outcome == ["unchanged"])
        #expect(bench.bench.hub.topicCount == 0 && bench.bench.hub.accounts.isEmpty)
    }

    @Test func `who may not read is refused, also in the middle of the wait`() {
        #expect(Bench(have: nil, permission: .denied).outcome == ["refuse forbidden"])
        #expect(Bench(have: nil, permission: .unavailable).outcome == ["refuse unavailable"])

        var bench = Bench(have: "k3.44")
        bench.read(44)
        bench.revoke(.rights(of: AccountID("ada")))
        bench.publish(45)
        bench.answer(.denied)
        #expect(bench.outcome == ["refuse forbidden"])

        bench = Bench(have: "k3.44")
        bench.revoke(.account(AccountID("ada"), except: nil))
        #expect(bench.outcome == ["refuse unauthenticated"])
    }

    @Test func `a drain answers what is waited for`() {
        var bench = Bench(have: "k3.44")
        bench.tell(.drain(within: .zero))
        bench.tell(.tick)
        #expect(bench.outcome == ["unchanged"])
    }
}
