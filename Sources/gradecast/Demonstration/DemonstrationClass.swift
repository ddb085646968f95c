import Accounts
import Application
import Cryptography
import DataStore
import Forms
import GradingKit
import Institutions
import Records
import Shared

/// The class of the demonstration: thirty students with results in a program of each scheme, and what its student keeps
/// in the open programs. Created through the same use-cases as every request, and only as far as it is missing.
struct DemonstrationClass {
    let installation: Installation
    let institution: Institution
    /// The class's programs by scheme.
    let taught: [String: Institutions.Program]
    /// The program of the course whose results are in a class; `nil` if its scheme is not installed.
    let course: Institutions.Program?
    /// The teacher, who enters the class's results.
    let teacher: AccountID
    /// The student of the demonstration, who belongs to the class.
    let student: AccountID
    private let identifiers = UUIDSource(milliseconds: { WallClock.system.now.microseconds / 1_000 })

    init(
        installation: Installation, institution: Institution, taught: [String: Institutions.Program],
        course: Institutions.Program?, teacher: AccountID, student: AccountID
    ) {
        self.installation = installation
        self.institution = institution
        self.taught = taught
        self.course = course
        self.teacher = teacher
        self.student = student
    }

    private static var act: AuditContext { AuditContext(by: nil, from: "demo", at: WallClock.system.now) }
    private var programs: Programs { installation.institutions.programs }

    func make() async throws {
        let open = try await programs.list(of: institution.id, publishedOnly: true, limit: 200)
        let people = try await people()
        for results in DemonstrationResults.all {
            if let program = taught[results.scheme] {
                try await fill(program, people, by: teacher, with: results.acts)
            }
            if let program = open.first(where: { $0.scheme == results.scheme && $0.entry.allowsStudents }) {
                try await fill(program, people.filter { $0.account == student }, by: student, with: results.own)
            }
        }
        if let course { try await make(course, of: people) }
    }

    private func make(_ course: Institutions.Program, of people: [Pupil]) async throws {
        guard let recordRules = try await rules(of: course) else { return }
        let made = DemonstrationCourse(
            store: installation.store, institution: institution.id, program: course.id, teacher: teacher,
            recordRules: recordRules, identifiers: identifiers, today: institution.today(at: WallClock.system.now))
        try await made.make(of: people.map { ($0.person, $0.account) })
    }

    /// The class's programs by scheme, created if they are missing.
    static func programs(
        _ installation: Installation, in institution: Institution
    ) async throws -> [String: Institutions.Program] {
        var taught: [String: Institutions.Program] = [:]
        for results in DemonstrationResults.all
        where installation.schemes[SchemeIdentifier(results.scheme)] != nil {
            let program = NewProgram(scheme: results.scheme, title: results.title, entry: .staff)
            taught[results.scheme] = try await installation.institutions.provisioning.program(
                FormInput(program), in: institution.id, by: act)
        }
        return taught
    }

    /// The program of the course, created if it is missing.
    static func course(
        _ installation: Installation, in institution: Institution
    ) async throws -> Institutions.Program? {
        guard installation.schemes[SchemeIdentifier(DemonstrationCourse.scheme)] != nil else { return nil }
        return try await installation.institutions.provisioning.program(
            FormInput(DemonstrationCourse.program), in: institution.id, by: act)
    }

    /// The students with their accounts; all but the demonstration's own have no password yet.
    private func people() async throws -> [Pupil] {
        var people: [Pupil] = []
        for person in DemonstrationStudent.all {
            people.append(Pupil(person: person, account: try await account(of: person)))
        }
        return people
    }

    private func account(of person: DemonstrationStudent) async throws -> AccountID {
        if person.place == 0 { return student }
        if let known = try await installation.accounts.administration.find(login: person.login) { return known.id }
        let body: JSON = [
            "login": .string(person.login), "displayName": .string(person.name),
            "givenName": person.given.map { .string($0) } ?? .null,
            "familyName": person.family.map { .string($0) } ?? .null,
        ]
        let account = try await installation.accounts.administration.create(
            AccountCreation.form.input(body), by: Self.act
        ).account
        _ = try await installation.institutions.members.set(
            FormInput(MemberPlace(.student)), for: account.id, in: institution.id, by: Self.act)
        return account.id
    }

    /// The current rules of a program; `nil` without a version or without its scheme.
    private func rules(of program: Institutions.Program) async throws -> RecordRules? {
        guard
            let version = try await programs.version(
                of: program, on: institution.today(at: WallClock.system.now)),
            let scheme = installation.schemes[SchemeIdentifier(program.scheme)]
        else { return nil }
        return RecordRules(
            rules: try scheme.rulebook(configuration: JSON.parse(version.configuration)),
            programVersion: version.number, language: institution.locale,
            newID: { [identifiers] in EntryID(identifiers.next()) })
    }

    private func fill(
        _ program: Institutions.Program, _ people: [Pupil], by author: AccountID,
        with acts: @escaping @Sendable (DemonstrationStudent) -> [[JSON]]
    ) async throws {
        guard let recordRules = try await rules(of: program) else { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for pupil in people {
                // Created here, so that records are in the order of the class whichever is filled first.
                let id = RecordID(identifiers.next())
                group.addTask {
                    try await fill(program, recordRules, pupil, as: id, by: author, with: acts(pupil.person))
                }
            }
            try await group.waitForAll()
        }
    }

    /// Begins a student's record in the program and enters the results, unless there is a record already.
    private func fill(
        _ program: Institutions.Program, _ recordRules: RecordRules, _ pupil: Pupil, as id: RecordID,
        by author: AccountID,
        with acts: [[JSON]]
    ) async throws {
        let store = installation.store.records
        let there = try await store.records(student: pupil.account, program: program.id, after: nil, limit: 1)
        guard there.isEmpty else { return }
        let head = RecordHead(
            id: id, institution: institution.id, program: program.id,
            programVersion: recordRules.programVersion, student: pupil.account, createdAt: WallClock.system.now)
        _ = try await store.create(
            head, as: recordRules.creation(recordRules.rules.emptyRecord, head: head),
            by: try await context(author, pupil, program))
        for changes in acts {
            let edit = RecordEdit(
                try RecordChange.list(from: ["changes": .array(changes)]), at: "/changes", answer: .listed)
            _ = try await store.amend(head.id, by: try await context(author, pupil, program)) { snapshot in
                let isOwn = author == pupil.account
                return try recordRules.amendment(
                    of: snapshot, by: edit, view: isOwn ? .released : .full, author: isOwn ? nil : author)
            }
        }
    }

    private func context(
        _ author: AccountID, _ pupil: Pupil, _ program: Institutions.Program
    ) async throws -> WriteContext {
        var access = try await installation.store.records.accessVersions(of: author, in: institution.id, program.id)
        if author != pupil.account {
            access.student = try await installation.store.records.accessVersions(
                of: pupil.account, in: institution.id, program.id
            ).account
        }
        return WriteContext(
            account: author, source: "demo", at: WallClock.system.now,
            view: author == pupil.account ? .released : .full, expected: nil, idempotency: nil,
            access: access)
    }
}

/// A student of the class with the account.
private struct Pupil: Sendable {
    let person: DemonstrationStudent
    let account: AccountID
}
