import Accounts
import Classes
import Gradebook
import GradingKit
import Institutions
import Live
import Records
import Shared
import Synchronization

/// Composes the rows of classes for readers of grids.
///
/// A row's figures are a function of its cells, the structure and the program's version. They are computed when the row
/// is read, away from the event loops, and cached but never stored.
final class ClassGrids: Sendable {
    /// The most of a grid in one answer.
    struct Limits: Sendable {
        /// The most bytes of rows; a single row is sent however long it is.
        let bytes: Int
        /// The most rows to read for it.
        let rows: Int

        /// For an answer of its own.
        static let answer = Limits(bytes: 512 << 10, rows: 500)
        /// For a message among others.
        static let message = Limits(bytes: 60 << 10, rows: 100)
    }

    private struct RowKey: Hashable {
        let enrolment: EnrolmentID
        let version: Version
        let structure: Int
        let program: Version
        let newest: Version?
        let epoch: Epoch
    }

    /// The rules that judge rows, by version of the program, and the newest, whose names the grid uses.
    struct Rules: Sendable {
        fileprivate let judging: [Version: RecordRules]
        fileprivate let newest: RecordRules?
    }

    /// How many of a program's versions, newest first, are tried to find one that accepts the structure.
    private static let versionsTried = 8
    private static let figureBytes = 8 << 20
    /// Up to this many rows are judged on the caller's thread, because moving elsewhere would take longer.
    private static let fewRows = 4

    private let store: any GradebookStore
    private let records: RecordService
    private let bookCache: ClassBookCache
    private let figures = Mutex(BoundedMemory<RowKey, GridFigures>(capacity: figureBytes))

    init(store: any GradebookStore, records: RecordService, bookCache: ClassBookCache) {
        self.store = store
        self.records = records
        self.bookCache = bookCache
    }

    // MARK: - Rows

    /// One part of a sequence of rows, with the records that it shows; `nil` when there is no such class.
    ///
    /// The version is read before the rows, so a reader with the whole sequence holds every row as of that version, or
    /// newer. For a group, these are the rows of its students; a student who left the group is marked as gone.
    func rows(
        of id: ClassID, _ group: GroupID? = nil, at cursor: RowsCursor, _ limits: Limits
    ) async throws -> (rows: LiveRows, shown: [Classes.Enrolment])? {
        guard
            let found = try await store.grid(
                of: id, since: cursor.since, after: cursor.after, limit: limits.rows)
        else { return nil }
        let snapshot = found.snapshot
        guard let program = try await records.institutions.programs.find(snapshot.head.program),
            let columns = try await columns(of: snapshot, in: program)
        else { throw StoreError.unavailable("no rules take the structure of class \(id)") }
        let rules = try await rules(of: found.rows, in: program)
        let names = try await records.fullNames(of: found.rows.map(\.enrolled.enrolment.student))
        let revision = Revision(
            epoch: found.epoch, version: min(cursor.version ?? snapshot.version, snapshot.version))
        guard found.rows.count > Self.fewRows else {
            return compose(found, group, columns, rules, names, revision, limits)
        }
        return await withTaskExecutorPreference(globalConcurrentExecutor) {
            await Task.yield()
            return compose(found, group, columns, rules, names, revision, limits)
        }
    }

    private func compose(
        _ found: GridRows, _ group: GroupID?, _ columns: ClassColumns, _ rules: Rules,
        _ names: [AccountID: AccountNames], _ revision: Revision, _ limits: Limits
    ) -> (rows: LiveRows, shown: [Classes.Enrolment]) {
        var writer = JSONWriter(capacity: min(limits.bytes, found.rows.count * 768) + 2)
        var shown: [Classes.Enrolment] = []
        var next = found.rows.count == limits.rows ? found.rows.last?.place : nil
        writer.array { writer in
            for row in found.rows {
                let (enrolment, version) = (row.enrolled.enrolment, max(row.enrolled.version, found.structuredAt))
                if let group, !enrolment.groups.isWithin([group]) {
                    if enrolment.groups.left.contains(group) {
                        row.writeGone(to: &writer, in: columns, version: version)
                    }
                    continue
                }
                row.write(
                    to: &writer, in: columns, version: version, names: enrolment.student.flatMap { names[$0] },
                    groups: found.snapshot.groups(of: enrolment), figures(of: row, found, rules))
                shown.append(enrolment)
                guard writer.bytes.count < limits.bytes else {
                    if row.place != found.rows.last?.place { next = row.place }
                    break
                }
            }
        }
        return (
            LiveRows(
                revision: revision, structure: found.snapshot.structure.number, items: writer.bytes, next: next), shown
        )
    }

    /// The computed figures of a row, cached for each version of it; none if no rules judge the row.
    func figures(of row: GridRow, _ found: GridRows, _ known: Rules) -> GridFigures {
        guard let rules = row.programVersion.flatMap({ known.judging[$0] }) else { return .none }
        let structure = found.snapshot.structure
        let key = RowKey(
            enrolment: row.enrolled.enrolment.id, version: row.enrolled.version, structure: structure.number,
            program: rules.programVersion, newest: known.newest?.programVersion, epoch: found.epoch)
        if let known = figures.withLock({ $0.value(for: key) }) { return known }
        guard let book = book(of: found.snapshot, rules, renamedBy: known.newest),
            let made = try? GridFigures(of: row.enrolled, under: book)
        else { return .none }
        figures.withLock { $0.keep(made, for: key, bytes: made.bytes + 128) }
        return made
    }

    // MARK: - Structures

    /// The columns of a class; `nil` while no version of its program accepts the structure.
    func columns(of snapshot: ClassSnapshot) async throws -> ClassColumns? {
        guard let program = try await records.institutions.programs.find(snapshot.head.program) else { return nil }
        return try await columns(of: snapshot, in: program)
    }

    /// The columns under the newest version of the program that accepts the structure.
    func columns(of snapshot: ClassSnapshot, in program: Program) async throws -> ClassColumns? {
        for version in (1...max(1, program.newest ?? 1)).reversed().prefix(Self.versionsTried) {
            guard let rules = try await usable(program, version) else { continue }
            if let book = book(of: snapshot, rules) { return ClassColumns(book) }
        }
        return nil
    }

    /// The rules that judge rows, by version of the program.
    func rules(of rows: [GridRow], in program: Program) async throws -> Rules {
        var rules: [Version: RecordRules] = [:]
        for version in Set(rows.compactMap(\.programVersion)) { rules[version] = try await usable(program, version) }
        return Rules(judging: rules, newest: try await usable(program, program.newest ?? 1))
    }

    /// The rules of a version; `nil` for one that was withdrawn, or that the scheme refuses by now. Such a version
    /// judges nothing, and does not stop the others from judging.
    private func usable(_ program: Program, _ version: Version) async throws -> RecordRules? {
        do {
            return try await records.rulesCache.rules(of: program, version: version)
        } catch StoreError.notFound {
            return nil
        } catch let refusal as UseCaseError where refusal.code == .notComputable {
            return nil
        }
    }

    private func book(
        of snapshot: ClassSnapshot, _ rules: RecordRules, renamedBy newest: RecordRules? = nil
    ) -> ClassBook? {
        try? bookCache.book(snapshot.structure, of: snapshot.head.id, under: rules, renamedBy: newest)
    }
}
