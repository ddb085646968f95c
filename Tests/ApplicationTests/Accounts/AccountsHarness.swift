import Accounts
import Application
import Cryptography
import DataStore
import Forms
import GradingKit
import SQLiteStore
import Shared
import Synchronization
import TestKit

/// The services of accounts on a real store in a temporary file, with a clock that the test turns and cheap password hashes.
final class AccountsHarness: Sendable {
    let store: SQLiteStore
    let services: AccountServices
    let client = Client(source: "192.0.2.1", description: "test")
    /// What the store told after its commits.
    let events = Recorder<StoreEvent>()
    private let directory: TemporaryDirectory
    private let parts = Parts()
    /// Another server over the same store, or this one after a restart.
    let makeServices: @Sendable () -> AccountServices

    init(
        allowsSignUp: Bool = true, providers: (WallClock) -> [any IdentityProvider] = { _ in [] },
        cost: Argon2Cost? = nil
    ) throws {
        let directory = try TemporaryDirectory()
        let cheap = Argon2Cost(memory: 64, passes: 1, lanes: 1) ?? .recommended
        let store = try SQLiteStore.open(path: directory.file("accounts.db")) {
            [events] commit in for event in commit.events { events.record(event) }
        }
        self.directory = directory
        self.store = store
        let clock = WallClock { [parts] in parts.now }
        let (providers, hasher) = (providers(clock), try PasswordHasher(cost: cost ?? cheap))
        makeServices = { [parts] in
            AccountServices(
                store: store, hasher: hasher, rules: PasswordRules(names: ["Demo College"]),
                allowsSignUp: allowsSignUp, providers: providers, clock: clock, isStaff: { parts.isStaff($0) })
        }
        services = makeServices()
    }

    /// What the services ask for, and the test sets.
    private final class Parts: Sendable {
        private let time = Mutex(Timestamp(microseconds: 1_800_000_000_000_000))
        private let staff = Mutex<Set<AccountID>>([])
        var now: Timestamp { time.withLock { $0 } }
        func pass(_ seconds: Int64) { time.withLock { $0 = $0.adding(seconds: seconds) } }
        func isStaff(_ id: AccountID) -> Bool { staff.withLock { $0.contains(id) } }
        func makeStaff(_ id: AccountID) { staff.withLock { _ = $0.insert(id) } }
    }

    var now: Timestamp { parts.now }
    func pass(seconds: Int64) { parts.pass(seconds) }
    func makeStaff(_ id: AccountID) { parts.makeStaff(id) }

    /// A PNG file of one pixel.
    static let picture: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        + [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 0x3A, 0x7E, 0x9B, 0x55]
        + [0, 0, 0, 10, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0x60, 0, 0, 0, 2, 0, 1, 0x48, 0xAF, 0xA4, 0x71]
        + [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

    var server: AuditContext { AuditContext(by: nil, from: "test", at: now) }

    @discardableResult
    func signUp(_ login: String, password: String = "a long enough one") async throws -> NewSession {
        try await services.signUp(
            SignUpRequest(
                SignUpRequest.form.input([
                    "login": .string(login), "password": .string(password), "displayName": .string(login),
                ])),
            from: client)
    }

    @discardableResult
    func signIn(
        _ login: String, _ password: String = "a long enough one", device: SecretToken? = nil,
        from source: String = "192.0.2.1"
    ) async throws -> NewSession {
        try await services.signIn(
            Credentials(login: login, password: Password(password), device: device), from: Client(source: source))
    }

    func makeAdministrator(_ login: String) async throws -> NewSession {
        _ = try await services.administration.create(
            AccountCreation.form.input([
                "login": .string(login), "displayName": .string(login), "password": "a long enough one",
                "role": "administrator",
            ]), by: server)
        return try await signIn(login)
    }
}
