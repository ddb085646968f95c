import Accounts
public import Classes
import Gradebook
import GradingKit
import Institutions
import Records
public import Shared

extension ClassService {
    /// A class as its staff see it.
    public func snapshot(_ id: ClassID, for context: AccountContext) async throws -> ClassSnapshot {
        try await permit(.read, id, for: context).snapshot
    }

    /// The classes that the caller teaches, in the order of their identifiers.
    public func taught(
        after cursor: ClassID?, limit: Int, for context: AccountContext
    ) async throws -> [ClassSnapshot] {
        var (found, cursor): ([ClassSnapshot], ClassID?) = ([], cursor)
        while found.count < limit {
            let page = try await store.classes(taughtBy: context.account, after: cursor, limit: limit)
            for taught in page where try await mayRead(taught, context) { found.append(taught) }
            guard page.count == limit, let last = page.last else { break }
            cursor = last.head.id
        }
        return Array(found.prefix(limit))
    }

    /// Whether the caller may still read a class in which he or she has a role.
    private func mayRead(_ snapshot: ClassSnapshot, _ context: AccountContext) async throws -> Bool {
        guard let institution = try await records.institutions.tenants.find(snapshot.head.institution.text) else {
            return false
        }
        let requester = try await records.access.requester(context.principal)
        let role = snapshot.role(of: context.account)
        if case .allowed = authorize(requester, .read, on: .taughtClass(role: role, in: institution)) { return true }
        return false
    }

    /// The rows that changed after a version, as JSON: after it the reader holds every row as of `v`.
    public func rows(_ id: ClassID, since version: Version, for context: AccountContext) async throws -> [UInt8] {
        let permit = try await permit(.read, id, for: context)
        guard let found = try await store.rows(of: id, since: version) else { throw UseCaseError.notFound }
        try await records.readings.note(
            context, lists: found.rows.map { ($0.enrolment.record, $0.enrolment.student) }, of: permit.program)
        let names = try await records.names(of: found.rows.map(\.enrolment.student))
        var writer = JSONWriter(capacity: 256 + found.rows.count * 512)
        writer.object { writer in
            writer.member("v", found.version)
            writer.member("s", permit.snapshot.structure.number)
            writer.member("rows") { writer in
                writer.array { writer in
                    for row in found.rows {
                        let name = row.enrolment.student.flatMap { names[$0] }
                        row.write(to: &writer, in: permit.snapshot.structure, name: name)
                    }
                }
            }
        }
        return writer.bytes
    }

    /// One row: for staff with everything in it, for its student as it is released. `part` and `standing` are in the form
    /// of a record's.
    public func row(
        _ enrolment: EnrolmentID, of id: ClassID, for context: AccountContext
    ) async throws -> [UInt8] {
        guard let snapshot = try await store.taughtClass(id), let row = try await store.row(enrolment, of: id) else {
            throw UseCaseError.notFound
        }
        let isOwn = row.enrolment.student == context.account && snapshot.head.state != .draft
        if !isOwn { _ = try await permit(.read, id, for: context) }
        guard let record = try await records.store.snapshot(of: row.enrolment.record),
            let program = try await records.institutions.programs.find(snapshot.head.program)
        else { throw UseCaseError.notFound }
        if isOwn {
            // A student sees a row as long as the record it belongs to.
            _ = try await records.permit(.read, row.enrolment.record, for: context)
        } else {
            try await records.readings.note(context.principal, reads: record.head, from: context.client.source)
        }
        let rules = try await records.rulesCache.rules(of: program, version: record.head.programVersion)
        return try await rules.rules.perform {
            let whole = try ClassBook(snapshot.structure, under: rules).part(of: row)
            let part = isOwn ? whole.released : whole
            let standing = try rules.rules.standing(of: part)
            var writer = JSONWriter(capacity: 8_192)
            writer.object { writer in
                // The numbers rise with what is not shown yet, so a student does not get them.
                if !isOwn {
                    writer.member("v", snapshot.version)
                    writer.member("s", snapshot.structure.number)
                    writer.member("row") { row.write(to: &$0, in: snapshot.structure, name: nil) }
                }
                writer.member("part") { writer in
                    writer.object { writer in
                        writer.member("entries") { part.writeEntries(to: &$0) }
                    }
                }
                writer.member("standing") { standing.write(to: &$0, of: nil, in: context.language) }
            }
            return writer.bytes
        }
    }

    /// The ledger below a version, newest first: of the class, or of one row.
    public func ledger(
        of id: ClassID, _ enrolment: EnrolmentID?, before version: Version?, limit: Int, for context: AccountContext
    ) async throws -> [LedgerLine] {
        _ = try await permit(.read, id, for: context)
        return try await store.ledger(of: id, enrolment, before: version, limit: limit)
    }
}

extension EnrolledRow {
    /// The row as staff see it, its cells by their lines.
    func write(to writer: inout JSONWriter, in structure: ClassStructure, name: String?) {
        writer.object { writer in
            writer.member("id", enrolment.id.text)
            writer.member("v", version)
            writer.member("student", enrolment.student?.text)
            writer.member("name", name)
            writer.member("record", enrolment.record.text)
            writer.member("entry", enrolment.entry.text)
            writer.member("withdrawn", enrolment.isWithdrawn)
            writer.member("cells") { writer in
                writer.object { writer in
                    for (number, cell) in row.cells.sorted(by: { $0.key < $1.key }) {
                        guard let line = structure.line(numbered: number) else { continue }
                        writer.member(line.id.text, cell.json)
                    }
                }
            }
        }
    }
}
