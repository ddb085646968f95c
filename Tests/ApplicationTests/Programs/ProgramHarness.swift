import Accounts
import Chalkboard
import Cryptography
import Forms
import Gradebook
import GradingKit
@testable import Institutions
import Records
import RoseHulman
import SQLiteStore
@testable import Application
import Shared
import Synchronization
import TestKit

/// The use-cases of programs on a real store in a temporary directory, with a program of the chalkboard's scheme. That of
/// Rose-Hulman, whose entries take statuses, is installed beside it.
struct ProgramHarness {
    let store: SQLiteStore
    let institutions: InstitutionServices
    let accounts: AccountServices
    let records: RecordService
    let work: ProgramWork
    let sharings: RecordSharings
    let classes: ClassService
    let classFollowing: ClassFollowing
    let calculations: Calculations
    private(set) var program: ProgramID
    let directory: TemporaryDirectory
    let registrar: AccountID
    /// The registrar, signed in.
    let principal: Principal
    /// What was written of those who read the records of others.
    let trail = Recorder<AuditEntry>()
    private let identifiers = UUIDSource(milliseconds: { WallClock.system.now.microseconds / 1_000 })

    /// A new store's file, of which each harness gets a copy: to make its tables step by step takes longer than most
    /// tests.
    private static let empty = Task { () throws -> [UInt8] in
        let directory = try TemporaryDirectory()
        let path = directory.file("store.db")
        try await SQLiteStore.open(path: path).close()
        return try bytes(of: path)
    }

    /// Use-cases over a new store with one published program.
    ///
    /// - Parameters:
    ///   - keepingRecords: the store of records that the use-cases are given in the place of that one.
    ///   - keepingClasses: the store of classes in the same way.
    ///   - calculations: the queue of calculations, which nothing works through.
    ///   - proving: what is proved of a draft before it is published.
    ///   - keepingWork: the stores of the work beside requests.
    init(
        keepingRecords: (SQLiteStore) -> any RecordStore = { $0 },
        keepingClasses: (SQLiteStore) -> any GradebookStore = { $0 },
        calculations: Calculations = Calculations(perSecond: 1_000, workers: 1),
        proving: @escaping ConfigurationCheck.Proof = { _, _, _ in false },
        keepingWork: (SQLiteStore) -> ProgramWork.Stores = {
            ProgramWork.Stores(browser: $0, bulkChanges: $0, rehearsals: $0, imports: $0, gradebook: $0)
        }
    ) async throws {
        directory = try TemporaryDirectory()
        try await write(Self.empty.value, to: directory.file("store.db"))
        let store = try SQLiteStore.open(path: directory.file("store.db"))
        self.store = store
        var schemes = SchemeRegistry()
        try schemes.install(InstalledScheme(Chalkboard.self))
        try schemes.install(InstalledScheme(RoseHulman.self))
        let asked = ConfigurationCheck.asking(schemes, on: OnTheSpot())
        let check = ConfigurationCheck(
            { try await asked(scheme: $0, preset: $1, configuration: $2) }, proving: proving)
        institutions = InstitutionServices(store: store, check: check)
        self.calculations = calculations
        let cheap = Argon2Cost(memory: 64, passes: 1, lanes: 1) ?? .recommended
        accounts = AccountServices(
            store: store, hasher: try PasswordHasher(cost: cheap),
            isStaff: { [institutions] in try await institutions.members.isStaff($0) })
        records = RecordService(
            store: keepingRecords(store), institutions: institutions, accounts: accounts,
            rulesCache: RecordRulesCache(schemes: schemes, institutions: institutions, identifiers: identifiers),
            readings: ReadAuditLog(clock: .system, trail: RecordingTrail(trail, before: store)))
        work = ProgramWork(
            keepingWork(store), projections: store, records: records, accounts: accounts, bookCache: ClassBookCache(),
            identifiers: identifiers, clock: .system)
        classes = ClassService(
            store: keepingClasses(store), records: records, identifiers: identifiers, mounting: { _, _ in nil },
            lowPriority: OnTheSpot(), calculations: calculations, bookCache: ClassBookCache())
        classFollowing = ClassFollowing(classes, projections: store)
        sharings = RecordSharings(
            store: store, records: records, profiles: accounts.profiles, projections: store, isEnabled: true)
        let server = AuditContext(by: nil, from: "test", at: WallClock.system.now)
        let session = try await accounts.signUp(
            SignUpRequest(login: Login("registrar"), displayName: "Registrar", password: Password("a long enough one")),
            from: Client(source: "test"))
        registrar = session.account.id
        let act = AuditContext(by: registrar, from: "test", at: server.at)
        let demo = try await institutions.tenants.create(
            NewInstitution.form.input(["slug": "demo", "title": "Demo College"]), by: act)
        _ = try await institutions.members.set(
            MemberPlace.form.input(["role": "registrar"]), for: registrar, in: demo.id, by: act)
        // A membership voids what was permitted to the session before it.
        guard let signedIn = try await accounts.sessions.authenticate(session.token) else { throw StoreError.notFound }
        principal = .signedIn(signedIn)
        program = try await Self.published(in: demo.id, of: institutions, by: act)
    }

    private static func published(
        in institution: InstitutionID, of institutions: InstitutionServices, by act: AuditContext
    ) async throws -> ProgramID {
        let program = try await institutions.programs.create(
            NewProgram.form.input(["scheme": "chalkboard", "title": "GPA"]), in: institution, by: act
        ).program.id
        _ = try await institutions.programs.publish(program, as: Publication(), by: act)
        return program
    }

    /// Returns the same use-cases with another program, which is published now.
    func withNewProgram() async throws -> ProgramHarness {
        var other = self
        other.program = try await Self.published(in: current().institution, of: institutions, by: act)
        return other
    }

    /// The registrar's permit for the program, or that of another caller.
    func permit<Granted: PermittedAction>(
        to granted: Granted.Type, for caller: Principal? = nil
    ) async throws -> ProgramPermit<Granted> {
        try await records.access.permit(to: granted, in: program, for: caller ?? principal)
    }

    var act: AuditContext { AuditContext(by: registrar, from: "test", at: WallClock.system.now) }

    /// A request of the registrar's.
    var asking: AccountContext {
        get throws {
            try AccountContext(
                RequestContext(
                    principal: principal, client: Client(source: "test"), language: .english,
                    now: WallClock.system.now))
        }
    }

    /// The program as it stands.
    func current() async throws -> Program {
        guard let program = try await institutions.programs.find(program) else { throw StoreError.notFound }
        return program
    }

    /// A record with one course of that total; its identifier.
    func record(
        total: Int, hidden: Bool = false, of student: AccountID = AccountID("student")
    ) async throws -> RecordID {
        let program = try await current()
        let recordRules = try await records.rulesCache.rules(of: program, version: program.newest ?? 1)
        let head = RecordHead(
            id: RecordID(identifiers.next()), institution: program.institution, program: program.id,
            programVersion: program.newest ?? 1, student: student, createdAt: act.at)
        _ = try await store.create(
            head, as: try recordRules.creation(recordRules.rules.emptyRecord, head: head), by: writing(about: student))
        _ = try await amend(head.id, [.add(entry: Self.course(total, hidden), parent: nil, ref: nil)])
        return head.id
    }

    /// A course in which every assessment has that total.
    static func course(_ total: Int, _ hidden: Bool, title: String = "Algorithms") -> JSON {
        let parts = [("Assignments", 30), ("Midterm", 30), ("Final", 40)].map { name, weight -> JSON in
            let fields: JSON = [
                "name": .string(name), "points": .number(String(total)), "max": 100, "weight": .number(String(weight)),
            ]
            return ["kind": "assessment", "fields": fields]
        }
        return [
            "kind": "course", "fields": ["title": .string(title), "credits": 3], "children": .array(parts),
            "hidden": .bool(hidden),
        ]
    }

    /// Changes a record as its staff.
    @discardableResult
    func amend(_ record: RecordID, _ changes: [RecordChange]) async throws -> WriteOutcome {
        let program = try await current()
        guard let head = try await store.head(of: record) else { throw StoreError.notFound }
        let recordRules = try await records.rulesCache.rules(of: program, version: head.programVersion)
        return try await store.amend(record, by: writing()) { snapshot in
            try recordRules.amendment(of: snapshot, by: RecordEdit(changes, answer: .whole), view: .full)
        }
    }

    /// The registrar writes, as of now; about a student's account where the write rests on it.
    func writing(about student: AccountID? = nil) async throws -> WriteContext {
        let program = try await current()
        var access = try await store.accessVersions(of: registrar, in: program.institution, program.id)
        if let student { access.student = try await store.places(of: student, at: act.at).accessVersion }
        return WriteContext(
            account: registrar, source: "test", at: act.at, view: .full, expected: nil, idempotency: nil,
            access: access)
    }

    /// A draft in which an A begins at another percentage.
    func draft(lowestA: Int) async throws {
        let bands: JSON = [
            ["label": "A", "from": .number(String(lowestA)), "points": 4], ["label": "F", "from": 0, "points": 0],
        ]
        _ = try await institutions.programs.edit(
            ProgramEdit.form.input(["configuration": ["bands": bands]]), of: program, by: act)
    }

    /// A rehearsal of the draft that waits to be held.
    func begin() async throws -> Rehearsal {
        try await work.rehearsals.begin(under: permit(to: May.Write.self), at: act.at)
    }

    /// A rehearsal of the draft, held to its end.
    func rehearse() async throws -> Rehearsal {
        let begun = try await begin()
        await work.rehearsals.carryOutAll()
        return try await rehearsal(begun.id)
    }

    /// A rehearsal as far as it is.
    func rehearsal(_ id: String) async throws -> Rehearsal {
        try await work.rehearsals.find(id, under: permit(to: May.Oversee.self))
    }

    /// How far a bulk change is once all that is due was carried out.
    func bulkChange(_ id: String) async throws -> BulkChangeProgress? {
        await work.bulkChangeRunner.carryOutWhatIsDue()
        return try await store.bulkChange(id)?.progress
    }

    /// A claim on work, as another process makes it.
    func claim(at moment: Timestamp? = nil) -> WorkClaim {
        WorkClaim(owner: "other", token: identifiers.next(), at: moment ?? act.at)
    }

    /// Leaves a bulk change as a process does that ends after it has kept how far it is.
    func leave(_ id: String, at progress: BulkChangeProgress) async throws {
        guard let lease = try await store.claim(.bulkChanges, by: claim()), lease.work == id else {
            throw StoreError.notFound
        }
        try await store.advance(to: progress, under: lease)
        try await store.release(lease)
    }

    /// Publishes the draft as the server itself may.
    func publishUnrehearsed(_ records: RecordTreatment, from day: CalendarDay? = nil) async throws {
        _ = try await institutions.programs.publish(
            program, as: Publication(effectiveFrom: day, records: records), by: act)
    }

    /// Publishes what was rehearsed.
    func publish(_ digest: String?, _ records: RecordTreatment = .keep) async throws -> Publishing.Outcome {
        try await Publishing(institutions: institutions, work: work, calculations: calculations).publish(
            under: permit(to: May.Write.self), as: Publication(digest: digest, records: records), expecting: nil,
            by: asking)
    }
}

/// Runs long work where its caller runs.
struct OnTheSpot: LowPriorityExecutor {
    func run(_ rank: LowPriorityRank, _ body: @escaping @Sendable () async -> Void) async { await body() }
}
