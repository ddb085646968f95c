import GradingKit
import Institutions
import Records
public import Shared

/// The list of the caller's own records, and for staff the records of a program or of a student in it.
public struct RecordList: Sendable {
    /// Records read at a time: as many as one request may hold in memory.
    private static let chunk = 8
    private let records: RecordService

    /// Creates a list over the records of a service.
    public init(_ records: RecordService) { self.records = records }

    /// Returns up to `limit` of an account's own records, oldest first, if their institutions still let the student
    /// read them.
    public func own(
        _ account: AccountID, program: ProgramID? = nil, after cursor: RecordID? = nil, limit: Int
    ) async throws -> RecordPage {
        try await page(after: cursor, limit: limit, view: .released) { cursor, count in
            let found = try await records.store.records(
                student: account, program: program, after: cursor, limit: count)
            return (try await records.readable(found, by: account), found.last?.head.id, found.count == count)
        }
    }

    /// Returns a page of the list, oldest first. The page ends early when its lines use up a ``PageBudget``.
    ///
    /// - Parameters:
    ///   - program: lists only records of this program; a caller who oversees it gets those of all students.
    ///   - student: lists only records of this account.
    /// - Throws: `not_found` for a program that the caller may not know of, and for a student other than the caller
    ///   where the caller oversees nothing.
    public func page(
        of program: ProgramID?, student: AccountID?, after cursor: RecordID?, limit: Int,
        for context: AccountContext
    ) async throws -> RecordPage {
        let overseen = try await overseen(program, context)
        if let student, student != context.account, overseen == nil { throw UseCaseError.notFound }
        guard let overseen else {
            return try await own(context.account, program: program, after: cursor, limit: limit)
        }
        let page = try await page(after: cursor, limit: limit, view: .full) { cursor, count in
            let found = try await records.store.records(
                student: student, program: overseen.id, after: cursor, limit: count)
            return (found, found.last?.head.id, found.count == count)
        }
        // Record the reading before anything is shown.
        try await records.readings.note(
            context, lists: page.items.map { ($0.id, $0.student) }, of: overseen, student: student)
        return page
    }

    /// Reads records until there are `limit` lines or the budget is used up, and one more record to know whether another
    /// page follows.
    ///
    /// - Parameter next: reads up to a number of records after a cursor, and returns the records to show, the cursor of
    ///   the next read, and whether there may be more.
    private func page(
        after cursor: RecordID?, limit: Int, view: RecordView,
        _ next: (RecordID?, Int) async throws -> (shown: [RecordSnapshot], last: RecordID?, hasMore: Bool)
    ) async throws -> RecordPage {
        var (page, budget, cursor) = (RecordPage(items: [], hasMore: false), PageBudget(), cursor)
        while true {
            let found = try await next(cursor, min(Self.chunk, limit - page.items.count + 1))
            for item in try await items(found.shown, view: view) {
                page.hasMore = page.items.count == limit || budget.isSpent
                if page.hasMore { return page }
                page.items.append(item)
                budget.take(item.line.count)
            }
            guard found.hasMore else { return page }
            cursor = found.last
        }
    }

    /// Returns the program if the caller oversees its records, otherwise `nil`.
    ///
    /// - Throws: `not_found` for a program that the caller may not know of.
    private func overseen(_ id: ProgramID?, _ context: AccountContext) async throws -> Program? {
        guard let id else { return nil }
        do {
            return try await records.access.program(.oversee, id, for: context.principal).program
        } catch let error as UseCaseError where error.code == UseCaseError.forbidden.code {
            return nil
        }
    }

    /// Makes the lines of records as one view shows them.
    private func items(_ snapshots: [RecordSnapshot], view: RecordView) async throws -> [RecordItem] {
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
            // Staff see names; a list of one's own records needs none.
            if view == .full { line["displayName"] = .text(snapshot.head.student.flatMap { names[$0] }) }
            items.append(
                RecordItem(
                    id: snapshot.head.id, student: snapshot.head.student, line: Array(JSON.object(line).text.utf8)))
        }
        return items
    }
}

/// A page of a record list.
public struct RecordPage: Sendable {
    /// Its lines.
    public internal(set) var items: [RecordItem]
    /// Whether another page follows.
    public internal(set) var hasMore: Bool
}

/// One line of a record list.
public struct RecordItem: Sendable {
    /// The record.
    public let id: RecordID
    /// The student of the record; `nil` when the account no longer exists.
    public let student: AccountID?
    /// The content of the line: a JSON object.
    public let line: [UInt8]
}
