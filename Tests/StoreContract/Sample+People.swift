import Accounts
import Cryptography
import DataStore
import Institutions
import Records
import Shared
import TimeZones

extension Sample {
    static func account(
        _ id: String, login: String? = nil, role: ServerRole? = nil, isDisabled: Bool = false
    ) -> Account {
        Account(
            id: AccountID(id), createdAt: now, login: Login(stored: login ?? id), profile: Profile(displayName: id),
            role: role, isDisabled: isDisabled)
    }

    /// A line of the server's trail, or of an institution's.
    static func entry(
        _ action: String, of subject: String, in institution: String? = nil, by account: String? = nil,
        detail: String? = nil, at moment: Timestamp = now
    ) -> AuditEntry {
        AuditEntry(
            institution: institution.map { InstitutionID($0) }, at: moment, account: account.map { AccountID($0) },
            source: "127.0.0.1", action: action, subject: subject, detail: detail.map { Array($0.utf8) })
    }

    static func act(by account: String? = nil) -> AuditContext {
        AuditContext(by: account.map { AccountID($0) }, from: "127.0.0.1", at: now)
    }

    /// The digest of a token that the text stands for.
    static func token(_ text: String) -> TokenDigest { TokenDigest(bytes: SHA256.hash(Array(text.utf8))) }

    /// A password's hash; no password fits it.
    static func hash(_ letter: Character) throws -> PasswordHash {
        let (salt, digest) = (String(repeating: letter, count: 21), String(repeating: letter, count: 42))
        let text = "$argon2id$v=19$m=64,t=1,p=1$\(salt)A$\(digest)A"
        guard let hash = PasswordHash(text: text) else { throw Violation(description: "\(text) is no hash") }
        return hash
    }

    /// A picture of one pixel.
    static func picture() throws -> Picture {
        let text = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg"
        guard let picture = Base64.standard.decode(text).flatMap({ Picture(stored: $0) }) else {
            throw Violation(description: "the sample is no picture")
        }
        return picture
    }

    static func session(
        _ id: String, of account: String, kind: SessionKind = .student, at moment: Timestamp = now,
        showing factors: ShownFactors = .one
    ) -> Session {
        Session(
            id: SessionID(id), account: AccountID(account), kind: kind, createdAt: moment,
            expiresAt: moment.adding(seconds: kind.lifetime), lastSeenAt: moment, source: "127.0.0.1", client: "test",
            factors: factors)
    }

    static func assertion(
        _ name: String, of subject: String, issuer: String = "rosefire", session: String? = nil
    ) -> Assertion {
        Assertion(
            issuer: issuer, subject: subject, digest: token(name), expiresAt: now.adding(seconds: 600),
            session: session)
    }

    static func institution(_ id: String, slug: String? = nil, isOpen: Bool = false) -> Institution {
        Institution(id: InstitutionID(id), createdAt: now, slug: Slug(stored: slug ?? id), title: id, isOpen: isOpen)
    }

    static func membership(
        of account: String, in institution: String, as role: MemberRole, programs: [String] = []
    ) -> Membership {
        Membership(
            institution: InstitutionID(institution), account: AccountID(account), role: role,
            programs: programs.map { ProgramID($0) }, since: now)
    }

    static func invitation(
        _ id: String, to institution: String, for account: String? = nil, until moment: Timestamp? = nil
    ) -> Invitation {
        Invitation(
            id: id, institution: InstitutionID(institution), account: account.map { AccountID($0) }, role: .teacher,
            programs: [], createdBy: nil, expiresAt: moment ?? now.adding(seconds: 600))
    }

    static func version(
        _ number: Version, of program: String = "program", from day: Int = 20_000, records: RecordTreatment = .keep
    ) -> ProgramVersion {
        ProgramVersion(
            program: ProgramID(program), number: number, preset: nil, configuration: Array("{}".utf8),
            effectiveFrom: CalendarDay(days: day), publishedAt: now, publishedBy: nil, records: records,
            rehearsal: nil)
    }

    static func kept(_ key: String, body: UInt8 = 1, of account: String = "a", at moment: Timestamp = now) -> KeptAnswer
    {
        KeptAnswer(
            key: IdempotencyKey(key: key, digest: [UInt8](repeating: body, count: 32)), account: AccountID(account),
            at: moment, answer: StoredAnswer(.created, body: [body]))
    }
}

extension StoreUnderTest {
    /// Stores an account with a password.
    @discardableResult
    func make(
        _ id: String, login: String? = nil, role: ServerRole? = nil, isDisabled: Bool = false,
        password: PasswordHash? = nil
    ) async throws -> Account {
        let account = Sample.account(id, login: login, role: role, isDisabled: isDisabled)
        try await data.accounts.insert(
            account, password: try password ?? Sample.hash("p"), audit: Sample.entry("account.created", of: id),
            keeping: nil)
        return account
    }

    /// Changes the first and the last name of an account.
    func call(_ id: String, _ name: PersonName) async throws {
        _ = try await data.accounts.amend(AccountID(id)) { situation in
            var account = situation.account
            account.profile.personName = name
            return AccountChange(
                account: account, endsSessions: false, audit: Sample.entry("profile.changed", of: id))
        }
    }

    /// Stores an institution of that identifier and slug, with an answer.
    func makeInstitution(
        _ id: String = "school", isOpen: Bool = false, timeZone: TimeZone = .utc, keeping kept: KeptAnswer? = nil
    ) async throws {
        var institution = Sample.institution(id, isOpen: isOpen)
        institution.timeZone = timeZone
        try await data.institutions.insert(
            institution, audit: Sample.entry("institution.created", of: id, in: id),
            keeping: kept)
    }

    /// Stores a program with a draft.
    func makeProgram(_ id: String = "program", in institution: String = "school") async throws {
        let program = Program(
            id: ProgramID(id), institution: InstitutionID(institution), scheme: "chalkboard", createdAt: Sample.now,
            title: id, entry: .both,
            draft: ProgramDraft(preset: nil, configuration: Array("{}".utf8), editedAt: Sample.now),
            revision: Revision(epoch: epoch, version: 1))
        try await data.institutions.insert(
            program, audit: Sample.entry("program.created", of: id, in: institution), keeping: nil)
    }

    /// Publishes a version of a program as the domain does.
    @discardableResult
    func publish(
        _ version: ProgramVersion, by account: String = "registrar",
        keeping keep: @escaping ProgramKeeper = { _, _ in nil }
    ) async throws -> Program {
        try await data.institutions.amend(version.program, keeping: keep) { before in
            var after = before
            after.draft = nil
            after.newest = version.number
            after.lastNumber = version.number
            after.effectiveFrom = version.effectiveFrom
            if before.inForce == nil {
                after.inForce = VersionInForce(number: version.number, effectiveFrom: version.effectiveFrom)
            }
            return ProgramChange(
                program: after, version: version,
                audit: Sample.entry("program.published", of: version.program.text, in: "school", by: account))
        }
    }

    /// Stores an account that has no password.
    func makeWithoutPassword(_ id: String) async throws {
        try await data.accounts.insert(
            Sample.account(id), password: nil, audit: Sample.entry("account.created", of: id), keeping: nil)
    }

    /// Makes, changes or ends a membership.
    @discardableResult
    func set(
        _ membership: Membership?, of account: String, in institution: String = "school", becomesStaff: Bool = false
    ) async throws -> Membership? {
        try await data.institutions.amendMembership(of: AccountID(account), in: InstitutionID(institution)) { _ in
            MembershipChange(
                membership: membership, becomesStaff: becomesStaff,
                audit: Sample.entry("member.changed", of: account, in: institution))
        }
    }

    /// Opens a session by a proof, or by the account's password; answers the session as it is stored.
    @discardableResult
    func open(
        _ session: Session, by proof: SignInProof? = nil, askedAt: Timestamp? = nil, token: String? = nil,
        device: String = "device"
    ) async throws -> Session {
        let stored = try await data.accounts.password(of: session.account)
        let password = try stored ?? Sample.hash("p")
        return try await data.accounts.insert(
            session, by: proof ?? .password(password), provenAt: askedAt ?? session.createdAt,
            token: Sample.token(token ?? session.id.text),
            device: Sample.token(device),
            audit: Sample.entry("session.opened", of: session.id.text, by: session.account.text))
    }

    /// What was told since `count` things were, in order.
    func told(after count: Int) -> [StoreEvent] { Array(told.dropFirst(count)) }
}

/// How many of some calls at once end well, and what the others end with.
func atOnce(
    _ count: Int, _ call: @escaping @Sendable (Int) async throws -> Void
) async -> (made: Int, errors: [StoreError]) {
    await withTaskGroup(of: StoreError?.self) { group in
        for number in 0..<count {
            group.addTask {
                do {
                    try await call(number)
                    return nil
                } catch {
                    return error as? StoreError ?? .unavailable("\(error)")
                }
            }
        }
        return await group.reduce(into: (made: 0, errors: [StoreError]())) { ends, error in
            if let error { ends.errors.append(error) } else { ends.made += 1 }
        }
    }
}
