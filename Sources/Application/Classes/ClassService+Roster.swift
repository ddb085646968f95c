import Accounts
public import Classes
import Cryptography
public import Gradebook
public import GradingKit
import Institutions
import Records
public import Shared
import TimeZones

/// A request to transfer a student from one class to another.
public struct TransferRequest: Sendable {
    let enrolment: EnrolmentID
    let target: ClassID
    let section: SectionID?
    let earlier: EarlierWork

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - enrolment: the student in the old class.
    ///   - target: the new class, of the same program.
    ///   - section: the section of the new class; `nil` for none.
    ///   - earlier: what happens to lines there that were due before and got no result from the old class.
    public init(_ enrolment: EnrolmentID, to target: ClassID, section: SectionID? = nil, earlier: EarlierWork = .open) {
        self.enrolment = enrolment
        self.target = target
        self.section = section
        self.earlier = earlier
    }
}

extension ClassService {
    /// Takes back an act.
    ///
    /// - Throws: `insufficient_scope` for a token that may not carry out such an act itself; `account_unknown` if a
    ///   student would come back who is not a member of the institution any more, and `role` for one who is of its
    ///   staff by now.
    public func undo(
        _ id: ClassID, _ version: Version, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<CellsAnswer>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<CellsAnswer> {
        let outcome = try await act(
            .write, in: id, .act(version), by: context, keeping: keep,
            checking: { try await checkReturn(byUndoing: $0) }
        ) { _, gradebook, ground in
            if let scope = Gradebook.scope(ofUndoing: ground.ledger), !context.request.principal.has(scope) {
                throw UseCaseError.insufficientScope(scope)
            }
            return try gradebook.undo(version, by: context.account, in: ground)
        }
        return try await naming(outcome, of: id)
    }

    /// Checks that a student who would come back is still a student of the institution.
    private func checkReturn(byUndoing ground: ActGround) async throws {
        guard Gradebook.comesBack(byUndoing: ground.ledger) else { return }
        for case let student? in ground.rows.map(\.enrolment.student) {
            try await checkStudent(of: student, in: ground.snapshot.head.institution, at: "")
        }
    }

    /// Checks that an account is a student of the institution: only these can be students of its classes.
    private func checkStudent(
        of student: AccountID, in institution: InstitutionID, at path: String
    ) async throws {
        let memberships = try await records.institutions.members.memberships(of: student)
        try memberships.requireStudent(of: institution, at: path)
    }

    /// Puts a student of the institution into the class.
    ///
    /// - Parameters:
    ///   - section: the section of the class; `nil` for none.
    ///   - day: the first day; `nil` for today at the institution.
    ///   - earlier: what happens to lines that were due before that day.
    ///   - replaced: the entry of the student's record that the row's entry replaces.
    public func enrol(
        _ id: ClassID, _ student: AccountID, record: RecordID?, section: SectionID? = nil, from day: CalendarDay? = nil,
        earlier: EarlierWork = .open, replacing replaced: EntryID? = nil, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<Classes.Enrolment>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<Classes.Enrolment> {
        let (enrolment, new, entry) = (identifiers.next(), identifiers.next(), identifiers.next())
        let institution = try await permit(.write, id, for: context).snapshot.head.institution
        try await checkStudent(of: student, in: institution, at: "/student")
        let zone = try await records.institutions.tenants.find(institution.text)?.timeZone ?? .utc
        return try await act(.write, in: id, .student(student), by: context, keeping: keep) {
            permit, gradebook, ground in
            guard let version = permit.current else {
                throw FaultList([Fault("program_unpublished", at: "/program")])
            }
            let request = EnrolmentRequest(
                id: EnrolmentID(enrolment), student: student, record: record, newRecord: RecordID(new),
                entry: EntryID(entry), section: section, since: day ?? permit.context.at.day(in: zone),
                earlier: earlier, replacing: replaced, programVersion: version)
            return try gradebook.enrol(request, in: ground, at: permit.context.at)
        }
    }

    /// Lets a student leave the class.
    public func withdraw(
        _ id: ClassID, _ enrolment: EnrolmentID, keepingEntry isKept: Bool, as status: Status? = nil,
        by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<Classes.Enrolment>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<Classes.Enrolment> {
        try await act(.write, in: id, .rows([enrolment]), by: context, keeping: keep) { _, gradebook, ground in
            try gradebook.withdraw(
                enrolment, keepingEntry: isKept, as: status, by: context.account, in: ground)
        }
    }

    /// Puts a student into another section, or into none.
    public func assign(
        _ id: ClassID, _ enrolment: EnrolmentID, to section: SectionID?, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<Classes.Enrolment>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<Classes.Enrolment> {
        try await act(.write, in: id, .rows([enrolment]), by: context, keeping: keep) { _, gradebook, ground in
            try gradebook.assign(enrolment, to: section, by: context.account, in: ground)
        }
    }

    /// Puts students into other sections, all or none, in one act.
    public func assign(
        _ changes: [SectionChange], of id: ClassID, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<CellsAnswer>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<CellsAnswer> {
        let rows = Array(Set(changes.map(\.enrolment)))
        return try await act(.write, in: id, .rows(rows), by: context, keeping: keep) { _, gradebook, ground in
            try gradebook.assign(changes, by: context.account, in: ground)
        }
    }

    /// Transfers a student to another class of the program, in one transaction. The caller must be allowed to do so in
    /// both.
    public func transfer(
        _ request: TransferRequest, from id: ClassID, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<TransferAnswer>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<TransferAnswer> {
        let (enrolment, new, entry) = (identifiers.next(), identifiers.next(), identifiers.next())
        let makers = try await records.makers(behind: context.principal)
        return try await records.trying(context) { context, bypassingCache in
            let permit = try await permit(.write, id, for: context, bypassingCache: bypassingCache)
            let other = try await self.permit(.write, request.target, for: context, bypassingCache: bypassingCache)
            guard other.program.id == permit.program.id, request.target != id else {
                throw FaultList([Fault(.classUnlike, at: "/to")])
            }
            guard let from = try await store.ground(of: id, .rows([request.enrolment])),
                let row = from.rows.first, let student = row.enrolment.student,
                let to = try await store.ground(of: request.target, .student(student))
            else { throw FaultList([Fault(.enrolmentUnknown, at: "/enrolment")]) }
            try await checkStudent(of: student, in: permit.program.institution, at: "/enrolment")
            guard from.snapshot.role(of: context.account) == permit.role,
                to.snapshot.role(of: context.account) == other.role
            else { throw StoreError.moved }
            guard let version = permit.current else { throw FaultList([Fault("program_unpublished", at: "/program")]) }
            let zone = try await records.institutions.tenants.find(permit.program.institution.text)?.timeZone ?? .utc
            let gradebook = try await gradebook(of: permit, for: to, makers: makers, JudgementCache())
            let arrival = EnrolmentRequest(
                id: EnrolmentID(enrolment), student: student, record: row.enrolment.record, newRecord: RecordID(new),
                entry: EntryID(entry), section: request.section, since: permit.context.at.day(in: zone),
                earlier: request.earlier, programVersion: version)
            let (title, at, account) = (other.snapshot.head.title, permit.context.at, context.account)
            do {
                return try await store.act(
                    on: (from, to), by: permit.context, keeping: keep,
                    first: { try gradebook.leave(request.enrolment, for: title, by: account, in: $0) },
                    second: { try gradebook.arrive(arrival, with: $1, in: $0, at: at) })
            } catch StoreError.notFound {
                throw UseCaseError.notFound
            } catch let faults as FaultList {
                throw Self.refusal(faults, gradebook.catalog)
            }
        }
    }
}
