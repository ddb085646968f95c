public import GradingKit
import Institutions
public import Records
public import Shared

/// The list of one's own records, and for staff that of a program or of a student in it.
public struct RecordList: Sendable {
    private let records: RecordService

    /// Lists the records of a service.
    public init(_ records: RecordService) { self.records = records }

    /// A page of the list, oldest first.
    ///
    /// - Parameters:
    ///   - program: only the records of this program; those of all its students for a caller who oversees it.
    ///   - student: only the records of this account.
    /// - Throws: `not_found` for a program that the caller may not know, and for a student other than the caller where
    ///   the caller oversees nothing.
    public func page(
        of program: ProgramID?, student: AccountID?, after cursor: RecordID?, limit: Int,
        for context: AccountContext
    ) async throws -> [RecordItem] {
        let overseen = try await overseen(program, context)
        if let student, student != context.account, overseen == nil { throw UseCaseError.notFound }
        guard let overseen else {
            let own = try await records.ownRecords(of: context.account, program: program, after: cursor, limit: limit)
            return try await items(own, view: .released)
        }
        let snapshots = try await records.store.records(
            student: student, program: overseen.id, after: cursor, limit: limit)
        // Nothing is shown before it is recorded.
        try await records.readings.note(
            context, lists: snapshots.map { ($0.head.id, $0.head.student) }, of: overseen, student: student)
        return try await items(snapshots, view: .full)
    }

    /// The program, if the caller oversees its records; throws `not_found` for a program that the caller may not know.
    private func overseen(_ id: ProgramID?, _ context: AccountContext) async throws -> Program? {
        guard let id else { return nil }
        do {
            return try await records.access.program(.oversee, id, for: context.principal).program
        } catch let error as UseCaseError where error.code == UseCaseError.forbidden.code {
            return nil
        }
    }

    /// The lines of records, as one view shows them.
    public func items(_ snapshots: [RecordSnapshot], view: RecordView) async throws -> [RecordItem] {
        let names = try await records.names(of: view == .full ? snapshots.map(\.head.student) : [])
        var items: [RecordItem] = []
        for snapshot in snapshots {
            let program = try await records.institutions.programs.find(snapshot.head.program)
            let standing = try JSON.parse(snapshot.content(view).standing)
            var line: JSONObject = [
                "id": .string(snapshot.head.id.text), "program": .string(snapshot.head.program.text),
                "programVersion": .number(String(snapshot.head.programVersion)),
                "institution": .string(snapshot.head.institution.text),
                "scheme": .text(program?.scheme), "title": .text(program?.title),
                "student": .text(snapshot.head.student?.text),
                "createdAt": .string(snapshot.head.createdAt.description),
                "version": .number(String(snapshot.revision(view).version)),
                "figures": standing["figures"] ?? .null, "outcomes": standing["outcomes"] ?? .null,
            ]
            // Staff read names; in a list of one's own records they are no news.
            if view == .full { line["displayName"] = .text(snapshot.head.student.flatMap { names[$0] }) }
            items.append(RecordItem(id: snapshot.head.id, json: .object(line)))
        }
        return items
    }
}

/// One line of a list of records.
public struct RecordItem: Sendable {
    /// The record.
    public let id: RecordID
    /// What the line says of it.
    public let json: JSON
}
