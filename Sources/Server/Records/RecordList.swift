import Accounts
import GradingKit
import HTTP
import Institutions
import Records
import Shared

/// The list of one's own records, and for staff that of a program or of a student in it.
struct RecordList: Sendable {
    private static let program = Parameter.text("program", "The program whose records to list.")
    private static let student = Parameter.text("student", "The account whose records to list.")
    /// What narrows the list.
    static let filters: ParameterList = [program, student]

    let desk: RecordService

    func response(to call: SignedInCall) async throws -> Response {
        let limit = try call.call.read(Query.limit)
        let program = try call.call.read(Self.program).map { ProgramID($0) }
        let student = try call.call.read(Self.student).map { AccountID($0) }
        let overseen = try await overseen(program, call)
        let isStaff = overseen != nil
        if let student, student != call.signedIn.account, !isStaff { throw Problem.notFound }
        let cursor = try call.call.read(Query.cursor).map { RecordID($0) }
        let snapshots =
            isStaff
            ? try await desk.store.records(student: student, program: program, after: cursor, limit: limit)
            : try await desk.ownRecords(of: call.signedIn.account, program: program, after: cursor, limit: limit)
        if let overseen {
            // Nothing is shown before it is recorded.
            try await desk.readings.note(
                call.call.principal, lists: snapshots.map { ($0.head.id, $0.head.student) }, of: overseen,
                student: student,
                from: call.call.client.source)
        }
        let view: RecordView = isStaff ? .full : .released
        let items = try await items(snapshots, view: view)
        return .list(items, limit: limit, of: call.call, cursor: \.id) { item, writer in writer.value(item.json) }
    }

    /// The program, if the caller oversees its records; 404 for a program that one may not know.
    private func overseen(_ id: ProgramID?, _ call: SignedInCall) async throws -> Program? {
        guard let id else { return nil }
        guard let program = try await desk.institutions.programs.find(id),
            let institution = try await desk.institutions.tenants.find(program.institution.text)
        else { throw Problem.notFound }
        let identity = try await desk.identity(of: call.call.principal)
        switch authorize(identity, .oversee, on: .program(program, in: institution)) {
        case .allowed: return program
        case .forbidden: return nil
        case .unknown: throw Problem.notFound
        }
    }

    /// One line of the list.
    struct Item {
        let id: String
        let json: JSON
    }

    /// The lines of records, as one view shows them.
    func items(_ snapshots: [RecordSnapshot], view: RecordView) async throws -> [Item] {
        let names = try await desk.names(of: view == .full ? snapshots.map(\.head.student) : [])
        var items: [Item] = []
        for snapshot in snapshots {
            let program = try await desk.institutions.programs.find(snapshot.head.program)
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
            items.append(Item(id: snapshot.head.id.text, json: .object(line)))
        }
        return items
    }
}
