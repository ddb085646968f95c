import Accounts
import Application
import Cryptography
import Forms
import GradingKit
import Institutions
import SQLiteStore
import Shared
import Synchronization
import TestKit

/// The services of institutions on a real store in a temporary file, with a scheme that knows one number and a clock the test turns.
final class InstitutionsHarness: Sendable {
    let store: SQLiteStore
    let services: InstitutionServices
    private let accounts: AccountServices
    private let directory: TemporaryDirectory
    private let time: Clock

    private final class Clock: Sendable {
        let now = Mutex(Timestamp(microseconds: 1_800_000_000_000_000))
    }

    init() throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteStore.open(path: directory.file("store.db"))
        let time = Clock()
        let clock = WallClock { time.now.withLock { $0 } }
        self.directory = directory
        self.store = store
        self.time = time
        let services = InstitutionServices(store: store, check: .single, clock: clock)
        self.services = services
        let cheap = Argon2Cost(memory: 64, passes: 1, lanes: 1) ?? .recommended
        accounts = AccountServices(
            store: store, hasher: try PasswordHasher(cost: cheap), clock: clock,
            isStaff: { try await services.members.isStaff($0) })
    }

    func pass(seconds: Int64) { time.now.withLock { $0 = $0.adding(seconds: seconds) } }
    var now: Timestamp { time.now.withLock { $0 } }
    var server: AuditContext { AuditContext(by: nil, from: "test", at: now) }

    func account(_ login: String) async throws -> NewSession {
        try await accounts.signUp(
            SignUpRequest(login: Login(login), displayName: login, password: Password("a long enough one")),
            from: Client(source: "192.0.2.1"))
    }

    func isSignedIn(_ admission: NewSession) async throws -> Bool {
        try await accounts.sessions.authenticate(admission.token) != nil
    }

    func institution(
        _ slug: String = "demo", open: Bool = false, timeZone: String = "UTC"
    ) async throws -> Institution {
        try await services.tenants.create(
            NewInstitution.form.input([
                "slug": .string(slug), "title": "Demo College", "open": .bool(open), "timeZone": .string(timeZone),
            ]), by: server)
    }

    func program(in institution: Institution, title: String = "GPA") async throws -> Program {
        try await services.programs.create(
            NewProgram.form.input(["scheme": "single", "title": .string(title)]), in: institution.id, by: server
        ).program
    }
}

extension ConfigurationCheck {
    /// A scheme `single` with one number `limit`, 4 by default, 8 in the preset `wide`; more than 9 is a warning.
    static let single = ConfigurationCheck { scheme, preset, configuration in
        var faults = FaultList()
        if scheme != "single" { faults.add(.outOfRange, at: "/scheme") }
        if let preset, preset != "wide" { faults.add(.outOfRange, at: "/preset") }
        for member in configuration where member.name != "limit" {
            faults.add(.unknownField, at: "/configuration/\(member.name)")
        }
        let limit = configuration["limit"] ?? (preset == "wide" ? 8 : 4)
        guard let number = limit.integer else {
            faults.add(.wrongType, at: "/configuration/limit")
            throw faults
        }
        try faults.check()
        return Accepted(
            configuration: Array(#"{"limit":\#(number)}"#.utf8),
            warnings: number > 9 ? [Fault("very_wide", at: "/configuration/limit")] : [])
    }
}
