import Accounts
import Cryptography
import DataStore
import Forms
import GradingKit
import Observability
import SQLiteStore
import Shared
import TestKit
import Testing

@testable import Application

@Suite struct `The courier of mails` {
    /// Takes every mail, and says which.
    private struct Postbox: MailTransport {
        let taken: AsyncStream<String>
        private let take: AsyncStream<String>.Continuation

        init() { (taken, take) = AsyncStream.makeStream() }

        func send(_ letter: Letter) async throws(MailFailure) { take.yield(letter.id) }
    }

    /// Mails are queued one by one and at once, while the courier waits, looks and sends; a lost ring would leave the last
    /// of them until the courier looks by itself, which it does not here.
    @Test(.timeLimit(.minutes(10)))
    func `hands over what was queued without looking by itself`() async throws {
        let directory = try TemporaryDirectory()
        let signal = MailSignal()
        let store = try SQLiteStore.open(path: directory.file("mails.db")) { if $0.queuesMails { signal.send() } }
        let cheap = Argon2Cost(memory: 64, passes: 1, lanes: 1) ?? .recommended
        let services = AccountServices(
            store: store, hasher: try PasswordHasher(cost: cheap), links: LinkKeys(), isStaff: { _ in false })
        let ada = try await services.signUp(
            SignUpRequest(
                SignUpRequest.form.input([
                    "login": "ada", "password": "a long enough one", "displayName": "Ada",
                ])), from: Client(source: "192.0.2.1", description: "test"))
        let address = try EmailAddress("ada@example.org")
        let queue = { @Sendable (name: String) in
            let mail = Mail(
                id: name, .addressChanged, to: address, about: ada.account.id, in: .english, ["login": "ada"],
                at: WallClock.system.now)
            try await store.changeEmail(of: ada.account.id, sending: nil, at: mail.createdAt) { _ in
                AccountPlan([], mails: [mail])
            }
        }
        let postbox = Postbox()
        let courier = MailCourier(
            store: store, emails: try #require(services.emails), transport: postbox,
            composer: MailComposer(address: "https://grades.example.org", links: LinkKeys()), metrics: Metrics(),
            log: Log(level: .error, output: LogOutput(form: .json, time: { "now" }) { _ in }), signal: signal,
            interval: .seconds(86_400))
        let running = Task { await courier.run(telling: nil) }
        var letters = postbox.taken.makeAsyncIterator()
        for burst in 0..<60 {
            let names = Set((0...burst % 6).map { "mail-\(burst)-\($0)" })
            try await withThrowingTaskGroup { group in
                for name in names { group.addTask { try await queue(name) } }
                try await group.waitForAll()
            }
            var found: Set<String> = []
            while found.count < names.count, let name = await letters.next() { found.insert(name) }
            #expect(found == names)
        }
        running.cancel()
        await running.value
        await store.close()
    }
}
