import Shared
import Testing

@testable import Live

@Suite struct DocumentWaiterTests {
    private static let topic = Topic.standing(RecordID("R"), .released)

    private struct Bench {
        var hub = Hub(epoch: Epoch("k3"), seed: 3)
        var now = Timestamp(microseconds: 0)
        var waiter: DocumentWaiter
        var actions: [ReaderAction] = []

        init(have: String?, permission: Permission = .granted) {
            var table = SubscriberTable<SubscriberID>()
            waiter = DocumentWaiter(
                table.reserve(), for: SessionBench.identity, topic: DocumentWaiterTests.topic,
                have: have.flatMap { Revision(text: $0) }, at: now, for: .seconds(25))
            tell(.begin)
            answer(permission)
        }

        mutating func tell(_ event: ReaderEvent) { waiter.handle(event, at: now, in: &hub, do: &actions) }

        mutating func answer(_ permission: Permission) {
            var requests: [PermissionRequest] = []
            actions.removeAll {
                guard case .authorise(let request) = $0 else { return false }
                requests.append(request)
                return true
            }
            for request in requests { tell(.authorised(request, permission)) }
        }

        mutating func read(_ version: Version) {
            while hub.wantsReads {
                for request in hub.takeReads() {
                    let revision = Revision(epoch: Epoch("k3"), version: version)
                    let document = LiveDocument(revision: revision, bytes: SessionBench.body(revision))
                    hub.finish(request, request.kind == .version ? .version(revision) : .document(document))
                }
                while let wake = hub.nextWake() { tell(.changed(wake.channel)) }
                answer(.granted)
            }
        }

        mutating func publish(_ version: Version) {
            let revision = Revision(epoch: Epoch("k3"), version: version)
            hub.publish(
                TopicUpdate(
                    topic: DocumentWaiterTests.topic, revision: revision,
                    change: .document { SessionBench.body(revision) }))
            while let wake = hub.nextWake() { tell(.changed(wake.channel)) }
        }

        var outcome: [String] {
            actions.map { action in
                switch action {
                case .answer(let document): "answer \(document.revision)"
                case .unchanged: "unchanged"
                case .refuse(let code): "refuse \(code.rawValue)"
                default: "\(action)"
                }
            }
        }
    }

    @Test(arguments: [nil, "k3.43", "j2.44", "k3.50"])
    func `what differs from what the client has is answered at once`(have: String?) {
        var bench = Bench(have: have)
        bench.read(44)
        #expect(bench.outcome == ["answer k3.44"])
        #expect(bench.hub.topicCount == 0)
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
        bench.now = Timestamp(microseconds: 25_000_000)
        #expect(bench.waiter.deadline == bench.now)
        bench.tell(.tick)
        bench.publish(45)
        #expect(bench.outcome == ["unchanged"])
        #expect(bench.hub.topicCount == 0 && bench.hub.accounts.isEmpty)
    }

    @Test func `who may not read is refused, also in the middle of the wait`() {
        #expect(Bench(have: nil, permission: .denied).outcome == ["refuse forbidden"])
        #expect(Bench(have: nil, permission: .unavailable).outcome == ["refuse unavailable"])

        var bench = Bench(have: "k3.44")
        bench.read(44)
        for _ in bench.hub.revoke(.rights(of: AccountID("ada"))) { bench.tell(.revoked(.rights(of: AccountID("ada")))) }
        bench.publish(45)
        bench.answer(.denied)
        #expect(bench.outcome == ["refuse forbidden"])

        bench = Bench(have: "k3.44")
        let end = Revocation.account(AccountID("ada"), except: nil)
        for _ in bench.hub.revoke(end) { bench.tell(.revoked(end)) }
        #expect(bench.outcome == ["refuse unauthenticated"])
    }

    @Test func `a drain answers what is waited for`() {
        var bench = Bench(have: "k3.44")
        bench.tell(.drain(within: .seconds(20)))
        #expect(bench.outcome == ["unchanged"])
    }
}
