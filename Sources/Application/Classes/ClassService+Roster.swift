import Accounts
public import Classes
import Cryptography
public import Gradebook
import GradingKit
import Institutions
import Records
public import Shared
import TimeZones

/// A student who goes from one class to another.
public struct TransferRequest: Sendable {
    let enrolment: EnrolmentID
    let target: ClassID
    let section: SectionID?
    let earlier: EarlierWork

    /// A transfer of a student.
    ///
    /// - Parameters:
    ///   - enrolment: the student in the class that is left.
    ///   - target: the other class, of the same program.
    ///   - section: the section there; `nil` for none.
    ///   - earlier: what becomes of lines there that were due before, and for which no result came along.
    public init(_ enrolment: EnrolmentID, to target: ClassID, section: SectionID? = nil, earlier: EarlierWork = .open) {
        self.enrolment = enrolment
        self.target = target
        self.section = section
        self.earlier = earlier
    }
}

extension ClassService {
    /// Puts a student into another section, or into none.
    public func assign(
        _ id: ClassID, _ enrolment: EnrolmentID, to section: SectionID?, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<Classes.Enrolment>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<Classes.Enrolment> {
        try await act(.write, in: id, .rows([enrolment]), by: context, keeping: keep) { _, gradebook, ground in
            try gradebook.assign(enrolment, to: section, in: ground)
        }
    }

    /// Puts students into other sections, all or nothing, as one act.
    public func assign(
        _ changes: [SectionChange], of id: ClassID, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<CellsAnswer>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<CellsAnswer> {
        let rows = Array(Set(changes.map(\.enrolment)))
        return try await act(.write, in: id, .rows(rows), by: context, keeping: keep) { _, gradebook, ground in
            try gradebook.assign(changes, in: ground)
        }
    }

    /// Lets a student go from a class to another one of its program, in one transaction: what the caller may do in both.
    public func transfer(
        _ request: TransferRequest, from id: ClassID, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<TransferAnswer>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<TransferAnswer> {
        let (enrolment, new, entry) = (identifiers.next(), identifiers.next(), identifiers.next())
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
            guard from.snapshot.role(of: context.account) == permit.role,
                to.snapshot.role(of: context.account) == other.role
            else { throw StoreError.moved }
            guard let version = permit.current else { throw FaultList([Fault("program_unpublished", at: "/program")]) }
            let zone = try await records.institutions.tenants.find(permit.program.institution.text)?.timeZone ?? .utc
            let gradebook = try await gradebook(of: permit, for: to, RowJudgements())
            let arrival = EnrolmentRequest(
                id: EnrolmentID(enrolment), student: student, record: row.enrolment.record, newRecord: RecordID(new),
                entry: EntryID(entry), section: request.section, since: permit.context.at.day(in: zone),
                earlier: request.earlier, programVersion: version)
            let (title, at) = (other.snapshot.head.title, permit.context.at)
            do {
                return try await store.act(
                    on: (from, to), by: permit.context, keeping: keep,
                    first: { try gradebook.leave(request.enrolment, for: title, in: $0) },
                    second: { try gradebook.arrive(arrival, with: $1, in: $0, at: at) })
            } catch StoreError.notFound {
                throw UseCaseError.notFound
            } catch let faults as FaultList {
                throw Self.refusal(faults, gradebook.catalog)
            }
        }
    }
}
