import Accounts
import Classes
public import Gradebook
import GradingKit
import Records
public import Shared

extension ClassService {
    /// The number of rows to read at once.
    private static let markedAtOnce = 500

    /// What the caller marks in a line, as JSON: in an anonymous line the work under codes, otherwise the caller's own
    /// marks, which the grid hides until both people have marked.
    public func marking(of line: LineID, in id: ClassID, for context: AccountContext) async throws -> [UInt8] {
        let permit = try await permit(.read, id, .outline, for: context)
        guard let marked = permit.snapshot.structure.line(line) else { throw UseCaseError.notFound }
        try await records.readings.note(
            context.principal, reads: id, in: permit.snapshot.head.institution, from: context.client.source)
        if marked.marking == .anonymous {
            // Codes do not reveal groups.
            _ = try await self.permit(.read, id, .everyRow, for: context)
            guard let sealed = try await store.sealedLine(line, of: id) else { throw UseCaseError.notFound }
            let columns = try await grids.columns(of: permit.snapshot, in: permit.program)
            let column = columns?.list.first { $0.line.id == line }
            return Self.marking(of: marked, sealed, named: { column?.named($0) ?? $0 }, in: permit.snapshot)
        }
        return try await ownMarks(in: marked, of: id, permit, context)
    }

    /// The codes in their own order, which reveals nothing about students, with the work under them.
    private static func marking(
        of line: ClassLine, _ sealed: SealedLine, named: (ClassCell) -> ClassCell, in snapshot: ClassSnapshot
    ) -> [UInt8] {
        let cells = Dictionary(sealed.cells.map { ($0.code, $0.cell) }, uniquingKeysWith: { first, _ in first })
        let codes = sealed.codes(of: line.id).list.sorted()
        var writer = JSONWriter(capacity: 128 + codes.count * 96)
        writer.object { writer in
            writer.member("v", snapshot.version)
            writer.member("s", snapshot.structure.number)
            writer.member("line", line.id.text)
            writer.member("codes") { writer in
                writer.array { writer in
                    for code in codes {
                        writer.object { writer in
                            writer.member("code", code)
                            if let cell = cells[code] { writer.member("cell", named(cell).json) }
                        }
                    }
                }
            }
        }
        return writer.bytes
    }

    /// Enters results under codes.
    public func enterSealed(
        _ changes: [SealedCellChange], in line: LineID, of id: ClassID, _ mode: CellMode, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<CellsAnswer>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<CellsAnswer> {
        let number = try await permit(.grade, id, for: context).snapshot.structure.line(line)?.number
        let account = context.account
        let own = try await ownCodes(in: line, of: id, for: context)
        let reach = ActReach.sealed(line: number ?? -1, codes: changes.map(\.code))
        return try await act(.grade, in: id, reach, by: context, keeping: keep) { _, gradebook, ground in
            try gradebook.enterSealed(
                changes, in: line, mode, within: ground.snapshot.scope(of: account), but: own, in: ground)
        }
    }

    /// Reveals the students of a line's results.
    public func reveal(
        _ line: LineID, of id: ClassID, by context: AccountContext,
        keeping keep: @escaping @Sendable (ActOutcome<StructureAnswer>) -> KeptAnswer? = { _ in nil }
    ) async throws -> ActOutcome<StructureAnswer> {
        let number = try await permit(.write, id, for: context).snapshot.structure.line(line)?.number
        let reach = ActReach.unsealing(line: number ?? -1)
        return try await act(.write, in: id, reach, by: context, keeping: keep) { _, gradebook, ground in
            try gradebook.reveal(line, in: ground)
        }
    }

    /// The codes under which a student's work is marked, by the numbers of lines. Only for that student.
    func codes(of row: EnrolmentID, in structure: ClassStructure) async throws -> [Int: String] {
        let drafts = structure.drafts
        let lines = structure.lines.filter { $0.marking == .anonymous && !drafts.contains($0.id) }
        guard !lines.isEmpty, let (secret, place) = try await store.seal(of: row) else { return [:] }
        return Dictionary(
            lines.map { ($0.number, Self.code(in: $0.id, secret, place)) }, uniquingKeysWith: { first, _ in first })
    }

    /// The codes of the caller's own work in a line, and of the work of people behind a service account.
    private func ownCodes(in line: LineID, of id: ClassID, for context: AccountContext) async throws -> Set<String> {
        var codes: Set<String> = []
        for person in try await records.makers(behind: context.principal).union([context.account]) {
            let enrolments = try await store.enrolments(of: person)
            guard let own = enrolments.first(where: { $0.classID == id }),
                let (secret, place) = try await store.seal(of: own.id)
            else { continue }
            codes.insert(Self.code(in: line, secret, place))
        }
        return codes
    }

    private static func code(in line: LineID, _ secret: [UInt8], _ place: Int) -> String {
        let codes = AnonymousCodes(secret: secret, line: line, students: place + 1).list
        return codes[min(place, codes.count - 1)]
    }

    private func ownMarks(
        in marked: ClassLine, of id: ClassID, _ permit: ClassPermit, _ context: AccountContext
    ) async throws -> [UInt8] {
        var (own, place): ([(EnrolmentID, CellMark)], Int?) = ([], 0)
        while let after = place {
            guard let found = try await store.grid(of: id, since: 0, after: after, limit: Self.markedAtOnce) else {
                throw UseCaseError.notFound
            }
            for row in found.rows {
                let marks = row.enrolled.row[marked.number].marks
                guard let mark = marks.first(where: { $0.account == context.account }) else { continue }
                own.append((row.enrolled.enrolment.id, mark))
            }
            place = found.rows.count == Self.markedAtOnce ? found.rows.last?.place : nil
        }
        var writer = JSONWriter(capacity: 128 + own.count * 80)
        writer.object { writer in
            writer.member("v", permit.snapshot.version)
            writer.member("s", permit.snapshot.structure.number)
            writer.member("line", marked.id.text)
            writer.member("marks") { writer in
                writer.array { writer in
                    for (row, mark) in own {
                        writer.object {
                            $0.member("row", row.text)
                            $0.member("value", mark.value.text)
                        }
                    }
                }
            }
        }
        return writer.bytes
    }
}
